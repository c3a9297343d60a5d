package guard_test

import (
	"testing"

	"github.com/assay-qa/assay/browser/guard"
)

func newGuard(t *testing.T, clicks, requests []string) *guard.Guard {
	t.Helper()
	g, err := guard.New(clicks, requests)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// A12, layer 1: what destroys, pays or changes credentials by its name, and
// what only looks like it.
func TestClick(t *testing.T) {
	g := newGuard(t, []string{`(?i)^launch missiles$`}, nil)
	for name, want := range map[string]string{
		"Delete": "delete", "delete user": "delete", "DELETE ALL": "delete", "\ue872 Delete": "delete", "Remove": "delete", "Remove member": "delete",
		"De\u00adlete": "delete", "Delete  \n  account": "delete", "Löschen": "delete", "Konto löschen": "delete", "Supprimer": "delete", "Eliminar usuario": "delete",
		"Wipe device": "delete", "Empty trash": "delete", "Papierkorb leeren": "delete",
		"Pay": "pay", "Pay €10.00": "pay", "Pay now": "pay", "Buy now": "pay", "Place order": "pay", "Checkout": "pay", "Check out": "pay", "Transfer": "pay",
		"Jetzt bezahlen": "pay", "Zahlungspflichtig bestellen": "pay", "Überweisen": "pay", "Payer": "pay", "Passer la commande": "pay", "Pagar": "pay", "Realizar pedido": "pay",
		"Change password": "change credentials", "Reset your password": "change credentials", "Passwort ändern": "change credentials",
		"Modifier le mot de passe": "change credentials", "Cambiar contraseña": "change credentials",
		"Revoke token": "close account or revoke", "Deactivate": "close account or revoke", "Close my account": "close account or revoke",
		"Unsubscribe": "close account or revoke", "Abonnement kündigen": "close account or revoke", "Se désabonner": "close account or revoke", "Darse de baja": "close account or revoke",
		"Launch missiles": `guard.click_patterns (?i)^launch missiles$`,

		"": "", "Save": "", "Clear": "", "Cancel": "", "Reset": "", "Close": "", "Log out": "", "Remove filter": "", "Delete filter chip": "", "Filter löschen": "", "Supprimer le filtre": "",
		"Remove from cart": "", "Deleted items": "", "Undelete": "", "Payments": "", "PayPal": "", "Payroll": "", "Show password": "", "Password": "", "Transfers": "",
		"Gelöschte Objekte": "", "Ablöschen": "", "Subscribe": "", "Add to cart": "", "Sign in": "", "Compra segura": "", "Löschenswert": "",
	} {
		if rule, blocked := g.Click(name); rule != want || blocked != (want != "") {
			t.Errorf("Click(%q) = %q, %v; want %q", name, rule, blocked, want)
		}
	}
}

// A12, layer 2: the request itself.
func TestRequest(t *testing.T) {
	g := newGuard(t, nil, []string{`^GET https?://[^/]+/ping`})
	for request, want := range map[[2]string]string{
		{"DELETE", "http://a/"}: "DELETE", {"delete", "http://a/x"}: "DELETE",
		{"POST", "http://a/users/1/delete"}: "delete in the path", {"POST", "https://a/delete?x=1"}: "delete in the path", {"PUT", "http://a/v1/Remove/2"}: "delete in the path",
		{"POST", "http://a/%64elete"}: "delete in the path", {"POST", "http://a/%64elete/100%"}: "delete in the path", {"POST", "http://a/users/1:delete"}: "delete in the path", {"POST", "http://a/delete-account"}: "delete in the path",
		{"POST", "http://a/x?_method=DELETE"}: "_method=delete",
		{"POST", "http://a/api/payments"}:     "pay in the path", {"POST", "http://a/checkout/"}: "pay in the path", {"PATCH", "http://a/charge#x"}: "pay in the path", {"POST", "http://a/transfer"}: "pay in the path", {"POST", "http://a/orders/1/refund"}: "pay in the path",
		{"PUT", "http://a/me/password"}: "credentials in the path", {"POST", "http://a/credentials"}: "credentials in the path", {"POST", "http://a/reset-password"}: "credentials in the path",
		{"POST", "http://a/tokens/7/revoke"}: "close account or revoke in the path",
		{"GET", "http://a/ping"}:             `guard.request_patterns ^GET https?://[^/]+/ping`,

		{"POST", "http://a/checkout/cart/add"}: "", {"POST", "http://a/index.php?route=checkout/cart/edit"}: "", {"POST", "http://a/cart/checkout"}: "pay in the path", {"POST", "http://a/checkout/cart/pay"}: "pay in the path",
		{"GET", "http://a/delete"}: "", {"HEAD", "http://a/pay"}: "", {"OPTIONS", "http://a/delete"}: "", {"POST", "http://delete/"}: "", {"POST", "http://delete.example/x"}: "", {"POST", "http://a:80/x"}: "",
		{"POST", "http://a/login"}: "", {"POST", "http://a/payment-methods-list"}: "", {"POST", "http://a/deleted"}: "", {"POST", "http://a/undelete"}: "",
		{"POST", "http://a/search?next=/delete"}: "", {"POST", "http://a/x#/delete"}: "", {"POST", "http://a/x?_method=deleted"}: "", {"POST", "http://a/x?q=/pay/"}: "", {"POST", "http://a/passwordless"}: "",
	} {
		if rule, blocked := g.Request(guard.Request{Method: request[0], URL: request[1]}); rule != want || blocked != (want != "") {
			t.Errorf("Request(%v) = %q, %v; want %q", request, rule, blocked, want)
		}
	}
}

// E1: a pattern that is none is refused with the name of its setting.
func TestPatternsAreChecked(t *testing.T) {
	if _, err := guard.New([]string{"("}, nil); err == nil {
		t.Error("a click pattern that does not compile was taken")
	}
	if _, err := guard.New(nil, []string{"("}); err == nil {
		t.Error("a request pattern that does not compile was taken")
	}
	if newGuard(t, nil, nil).JudgesAnyRequest() || !newGuard(t, nil, []string{"x"}).JudgesAnyRequest() {
		t.Error("patterns of the caller's own may mean any request, the built-in ones don't")
	}
}
