package guard_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/browser/guard"
)

// The held-out corpus: written before the rules, from what sites say, and never
// copied into them. TestHeldOut asserts that the rules don't spell these texts out.

// heldOutNames are names of things that destroy, pay or change credentials, with
// the rule's class. A rule must mean them by stem, form or spelling.
var heldOutNames = map[string]string{
	// Inflections and compounds of what the lists know.
	"Permanently deleting this workspace": "delete", "Deletes all rows": "delete", "Yes, delete it!": "delete", "Removing John Smith": "delete",
	"Erasing disk 2…": "delete", "Destroying environment": "delete",
	"Unwiderruflich löschen": "delete", "Endgültige Löschung": "delete", "Eintrag wird gelöscht – fortfahren": "delete", "Benutzer entfernt sich nicht – jetzt entfernen": "delete",
	"彻底删除该用户": "delete", "立即刪除帳戶": "delete", "移除成员": "delete", "清空回收站": "delete", "立即支付 ¥199": "pay", "修改登录密码": "change credentials", "注销账号": "close account or revoke",
	"Supprimez définitivement": "delete", "Suppression du dossier": "delete", "Effacement complet": "delete",
	"Eliminación definitiva": "delete", "Bórralo todo": "delete", "Quiero eliminarlo": "delete", "Pague ahora": "pay",
	"Excluir permanentemente": "delete", "Apagar conversa": "delete", "Remover usuário": "delete", "Alterar a senha": "change credentials", "Encerrar minha conta": "close account or revoke",
	"Definitief verwijderen": "delete", "Wachtwoord wijzigen": "change credentials", "Account opheffen": "close account or revoke",
	"Usuń trwale": "delete", "Usuwanie konta": "delete", "Skasuj wszystko": "delete", "Zapłać teraz": "pay", "Zmień hasło": "change credentials",
	"Ta bort permanent": "delete", "Radera allt": "delete", "Betala nu": "pay", "Byt lösenord": "change credentials", "Avsluta kontot": "close account or revoke",
	"Slet bruger": "delete", "Fjern medlem": "delete", "Betal med kort": "pay", "Skift adgangskode": "change credentials",
	"Slett kontoen": "delete", "Endre passord": "change credentials",
	"Poista käyttäjä": "delete", "Poistetaanko tili? Poista": "delete", "Maksa heti": "pay", "Vaihda salasana": "change credentials",
	"Kalıcı olarak sil": "delete", "Hesabı sil": "delete", "Kullanıcıyı kaldır": "delete", "Şimdi öde": "pay", "Şifreyi değiştir": "change credentials",
	"Удалить навсегда": "delete", "Удаление учётной записи": "delete", "Стереть всё": "delete", "Оплатить заказ": "pay", "Сменить пароль": "change credentials", "Отозвать доступ": "close account or revoke",
	"Видалити назавжди": "delete", "Вилучити файл": "delete", "Сплатити зараз": "pay", "Змінити пароль": "change credentials",
	"完全に削除する": "delete", "ゴミ箱を空にする": "delete", "今すぐ支払う": "pay", "パスワードを変更": "change credentials", "アカウントを解約する": "close account or revoke",
	"영구 삭제하기": "delete", "비밀번호 변경": "change credentials", "회원 탈퇴": "close account or revoke",

	// Spellings that a person reads as the word.
	"Ｄｅｌｅｔｅ": "delete", "𝐃𝐞𝐥𝐞𝐭𝐞": "delete", "Ⓓⓔⓛⓔⓣⓔ all": "delete", "Dеlеtе": "delete", "Ꭰelete": "delete", "ᴅᴇʟᴇᴛᴇ": "delete", "🅳🅴🅻🅴🆃🅴": "delete", "Dėlétė": "delete",
	"D e l e t e": "delete", "R E M O V E  U S E R": "delete", "d.e.l.e.t.e": "delete", "D-E-L-E-T-E": "delete", "D\u200be\u200bl\u200be\u200bt\u200be": "delete", "De\u2060lete": "delete", "Rem\u00adove": "delete",
	"D3l3te": "delete", "Ρay now": "pay", "Ｐａｙ　now": "pay", "P a y  n o w": "pay", "Сheckout": "pay", "Lo\u0308schen": "delete", "Jetzt LÖSCHEN": "delete", "Jetzt loeschen": "delete",
	"\u202eeteleD\u202c": "delete", "D\u0336e\u0336l\u0336e\u0336t\u0336e\u0336": "delete",

	// Names that programs give.
	"deleteAccount": "delete", "RemoveUser": "delete", "bulk_delete_rows": "delete", "btnDeleteAll": "delete", "payInvoiceNow": "pay", "user.delete": "delete", "delete_forever": "delete", "resetPassword": "change credentials", "closeAccount": "close account or revoke",

	// Icons as names.
	"🗑": "delete", "🗑️": "delete", "🚮": "delete", "💳": "pay",
}

// harmlessNames only look like it: stopping them would be a false alarm.
var harmlessNames = []string{
	"Deleted items", "Recently deleted", "Show deleted", "Undelete", "Restore deleted files", "Removed users (3)", "Deletion log", "Delete history view filter", "Remove filter", "Clear filters",
	"Remove tag filter", "Remove from wishlist", "Remove from compare", "Remove highlight", "Payments", "Payment methods", "PayPal", "Payroll", "Paid invoices", "Unpaid", "Payload", "Playback", "Repay schedule",
	"Password", "Show password", "Forgot password?", "Password hint", "Checkout time", "Check in", "Order history", "Purchases", "Purchase history", "Transfers", "Transferred", "Refunds", "Withdrawals",
	"Cancel", "Close", "Close menu", "Close dialog", "Reset", "Reset zoom", "Clear", "Log out", "Sign out", "Dismiss", "Save", "Submit", "Next", "OK", "Subscribe", "Unsubscribed", "Deactivated users",
	"Löschprotokoll", "Gelöschte Elemente", "Filter entfernen", "Zahlungen", "Bezahlt", "Passwort anzeigen", "Passwort vergessen?", "Gekündigt", "Abbrechen", "Schließen",
	"已删除的项目", "最近删除", "支付方式", "支付记录", "忘记密码？", "密码", "取消", "关闭", "付款记录",
	"Éléments supprimés", "Supprimer le filtre", "Paiements", "Mot de passe oublié ?", "Fermer", "Annuler", "Elementos eliminados", "Quitar filtro", "Pagos", "Olvidé mi contraseña", "Cerrar",
	"Itens excluídos", "Pagamentos", "Esqueci a senha", "Fechar", "Verwijderde items", "Betalingen", "Wachtwoord vergeten?", "Sluiten", "Usunięte elementy", "Płatności", "Zamknij", "Anuluj",
	"Borttagna objekt", "Betalningar", "Stäng", "Slettede elementer", "Luk", "Lukk", "Poistetut kohteet", "Maksut", "Sulje", "Silinen öğeler", "Ödemeler", "Kapat",
	"Удалённые файлы", "Удаленные", "Удалённый доступ", "Платежи", "Забыли пароль?", "Закрыть", "Отмена", "Видалені файли", "Платежі", "Закрити",
	"削除済みアイテム", "支払い方法", "支払い履歴", "パスワードを忘れた場合", "閉じる", "キャンセル", "삭제된 항목", "결제 내역", "결제 수단", "비밀번호 찾기", "닫기", "취소",
	"I d", "A B C", "A-B-C", "E l e v e n", "Delegate", "Relate", "Pale", "Payton", "Wiper blades", "Trash talk forum", "Erasmus", "Destroyer (ship class)", "Silver", "Silo", "Betaling mottatt",
	"3D", "H2O", "Top 10", "✓", "×", "✕", "★", "🔍", "⚙️", "➕", "❤️",
}

// heldOutRequest is a request, with what a browser would send in it.
type heldOutRequest struct {
	method, url string
	headers     map[string]string
	body        string
}

const (
	form      = "application/x-www-form-urlencoded"
	jsonType  = "application/json"
	multipart = "multipart/form-data; boundary=x"
)

func typed(kind string) map[string]string { return map[string]string{"Content-Type": kind} }

// heldOutRequests remove, pay or change credentials.
var heldOutRequests = []heldOutRequest{
	{method: "PURGE", url: "http://a.test/cache/1"},
	{method: "BAN", url: "http://a.test/"},
	{method: "UNLINK", url: "http://a.test/files/2"},
	{method: "NUKE", url: "http://a.test/x"},
	{method: "POST", url: "http://a.test/deleteAccount"},
	{method: "POST", url: "http://a.test/api/RemoveMember"},
	{method: "POST", url: "http://a.test/users/7/hard-delete"},
	{method: "POST", url: "http://a.test/rpc/account_destroy.php"},
	{method: "POST", url: "http://a.test/shop.OrderService/EraseCustomer"},
	{method: "POST", url: "http://a.test/trpc/member.remove?batch=1"},
	{method: "POST", url: "http://a.test/users/3?method=delete"},
	{method: "POST", url: "http://a.test/users/3?_METHOD=DELETE"},
	{method: "GET", url: "http://a.test/users/3?_method=delete"},
	{method: "GET", url: "http://a.test/admin.php?action=delete&post=12"},
	{method: "GET", url: "http://a.test/index.php?do=removeUser&id=3"},
	{method: "GET", url: "http://a.test/users/3/delete?confirm=yes"},
	{method: "GET", url: "http://a.test/users/3/delete"},
	{method: "POST", url: "http://a.test/users/3", headers: map[string]string{"X-HTTP-Method-Override": "DELETE"}},
	{method: "POST", url: "http://a.test/users/3", headers: map[string]string{"X-Method-Override": "purge"}},
	{method: "GET", url: "http://a.test/users/3", headers: map[string]string{"X-HTTP-Method": "DELETE"}},
	{method: "POST", url: "http://a.test/users/3", headers: typed(form), body: "_method=delete&authenticity_token=x"},
	{method: "POST", url: "http://a.test/users/3", headers: typed(form), body: "_method=patch&user%5Broles%5D%5B0%5D%5B_destroy%5D=1"},
	{method: "POST", url: "http://a.test/wp-admin/admin-ajax.php", headers: typed(form), body: "action=delete-comment&id=8"},
	{method: "POST", url: "http://a.test/handler", headers: typed(form), body: "op=RemoveAll"},
	{method: "POST", url: "http://a.test/handler", headers: typed(multipart), body: "--x\r\nContent-Disposition: form-data; name=\"cmd\"\r\n\r\nerase\r\n--x--\r\n"},
	{method: "POST", url: "http://a.test/graphql", headers: typed(jsonType), body: `{"query":"mutation { deleteUser(id: 3) { id } }"}`},
	{method: "POST", url: "http://a.test/graphql", headers: typed(jsonType), body: `{"operationName":"Go","query":"mutation Go($id: ID!) { archived: update(id: $id) { id } gone: removeTeam(id: $id) { ok } }"}`},
	{method: "POST", url: "http://a.test/graphql", headers: typed(jsonType), body: `[{"query":"{ me { id } }"},{"query":"mutation M{payInvoice(id:1){id}}"}]`},
	{method: "POST", url: "http://a.test/gql", headers: typed(jsonType), body: `{"operationName":"RevokeAllTokens","extensions":{"persistedQuery":{"version":1,"sha256Hash":"00"}}}`},
	{method: "GET", url: "http://a.test/graphql?query=mutation%7BdestroyProject(id:1)%7Bid%7D%7D"},
	{method: "POST", url: "http://a.test/graphql", headers: typed("application/graphql"), body: "mutation { purgeQueue(name: \"a\") }"},
	{method: "POST", url: "http://a.test/rpc", headers: typed(jsonType), body: `{"jsonrpc":"2.0","id":1,"method":"users.delete","params":[3]}`},
	{method: "POST", url: "http://a.test/rpc", headers: typed(jsonType), body: `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"project_remove"}]`},
	{method: "POST", url: "http://a.test/command", headers: typed(jsonType), body: `{"type":"DeleteCustomer","payload":{"id":3}}`},
	{method: "PATCH", url: "http://a.test/users/3", headers: typed(jsonType), body: `{"deleted":true}`},
	{method: "PATCH", url: "http://a.test/users/3", headers: typed(jsonType), body: `{"deleted_at":"2026-11-23T00:00:00Z"}`},
	{method: "PUT", url: "http://a.test/users/3", headers: typed(jsonType), body: `{"name":"x","status":"deleted"}`},
	{method: "POST", url: "http://a.test/users/3", headers: typed(jsonType), body: `{"user":{"isDeleted": true}}`},
	{method: "PATCH", url: "http://a.test/me", headers: typed(jsonType), body: `{"newPassword":"x","oldPassword":"y"}`},
	{method: "POST", url: "http://a.test/me", headers: typed(form), body: "current_password=a&new_password=b"},
	{method: "POST", url: "http://a.test/_bulk", headers: typed("application/x-ndjson"), body: "{\"delete\":{\"_index\":\"a\",\"_id\":\"1\"}}\n"},
	{method: "POST", url: "http://a.test/$batch", headers: typed("multipart/mixed; boundary=b"), body: "--b\r\nContent-Type: application/http\r\n\r\nDELETE /users(3) HTTP/1.1\r\n\r\n--b--"},
	{method: "POST", url: "http://a.test/soap", headers: map[string]string{"Content-Type": "text/xml", "SOAPAction": `"urn:crm#DeleteContact"`}, body: "<x/>"},
	{method: "POST", url: "http://a.test/soap", headers: typed("text/xml; charset=utf-8"), body: `<soap:Envelope><soap:Body><m:RemoveContact xmlns:m="urn:x"><id>3</id></m:RemoveContact></soap:Body></soap:Envelope>`},
	{method: "POST", url: "http://a.test/benutzer/3/l%C3%B6schen"},
	{method: "POST", url: "http://a.test/utilisateurs/3/supprimer"},
	{method: "POST", url: "http://a.test/usuarios/3/eliminar"},
	{method: "POST", url: "http://a.test/gebruikers/3/verwijderen"},
	{method: "POST", url: "http://a.test/orders/9/submitPayment"},
	{method: "POST", url: "http://a.test/v1/payment_intents/pi_1/confirm"},
	{method: "POST", url: "http://a.test/wallet/sendMoney"},
}

// harmlessRequests must pass on a system for tests.
var harmlessRequests = []heldOutRequest{
	{method: "GET", url: "http://a.test/account/delete"}, // the page that asks
	{method: "GET", url: "http://a.test/users/password/reset"},
	{method: "GET", url: "http://a.test/help/articles/17/delete"},
	{method: "GET", url: "http://a.test/icons/24/delete.svg"},
	{method: "GET", url: "http://a.test/orders?status=deleted"},
	{method: "GET", url: "http://a.test/search?q=delete"},
	{method: "GET", url: "http://a.test/search?method=remove+stains"},
	{method: "GET", url: "http://a.test/docs?action=view"},
	{method: "GET", url: "http://a.test/docs/delete-a-repository?theme=dark"},
	{method: "POST", url: "http://a.test/login", headers: typed(form), body: "user=a&password=b"},
	{method: "POST", url: "http://a.test/register", headers: typed(jsonType), body: `{"email":"a","password":"b","passwordConfirm":"b"}`},
	{method: "POST", url: "http://a.test/search", headers: typed(jsonType), body: `{"query":"how to delete a user"}`},
	{method: "POST", url: "http://a.test/comments", headers: typed(jsonType), body: `{"text":"please delete this: mutation { deleteUser }"}`},
	{method: "POST", url: "http://a.test/comments", headers: typed(form), body: "text=delete+everything&action=create"},
	{method: "POST", url: "http://a.test/graphql", headers: typed(jsonType), body: `{"query":"{ deletedUsers { id } }"}`},
	{method: "POST", url: "http://a.test/graphql", headers: typed(jsonType), body: `{"query":"query Q { user(filter: \"deleteUser\") { canDelete } }"}`},
	{method: "POST", url: "http://a.test/graphql", headers: typed(jsonType), body: `{"query":"mutation { addComment(text: \"deleteUser(id: 1)\") { id } }"}`},
	{method: "POST", url: "http://a.test/rpc", headers: typed(jsonType), body: `{"jsonrpc":"2.0","id":1,"method":"users.listDeleted"}`},
	{method: "PATCH", url: "http://a.test/users/3", headers: typed(jsonType), body: `{"deleted":false,"name":"x"}`},
	{method: "PUT", url: "http://a.test/users/3", headers: typed(jsonType), body: `{"deleted_at":null,"status":"active"}`},
	{method: "POST", url: "http://a.test/undeleteUser"},
	{method: "POST", url: "http://a.test/deleted-items/list"},
	{method: "POST", url: "http://a.test/payment-methods-list"},
	{method: "POST", url: "http://a.test/users/3", headers: map[string]string{"X-HTTP-Method-Override": "PATCH"}},
	{method: "POST", url: "http://a.test/telemetry", headers: typed(jsonType), body: `{"events":[{"type":"click","target":"Delete button"}]}`},
	{method: "POST", url: "http://a.test/orders", headers: typed(jsonType), body: `{"items":[1],"note":"DELETE /x HTTP/1.1"}`},
	{method: "PUT", url: "http://a.test/profile", headers: typed(jsonType), body: `{"name":"Removal Services Ltd"}`},
	{method: "OPTIONS", url: "http://a.test/users/3"},
	{method: "PROPFIND", url: "http://a.test/dav/"},
	{method: "POST", url: "http://a.test/upload", headers: typed("image/png"), body: "\x89PNG delete"},
	{method: "POST", url: "http://a.test/dashboards/3/resetFilters"},
	{method: "POST", url: "http://a.test/terminals"},
	{method: "POST", url: "http://a.test/paypal-buttons/render"},
}

func (r heldOutRequest) request() guard.Request {
	h := http.Header{}
	for name, value := range r.headers {
		h.Set(name, value)
	}
	return guard.Request{Method: r.method, URL: r.url, Header: h, Body: []byte(r.body)}
}

// A12: names and requests that no list spells out are judged all the same, and
// what only looks like them passes.
func TestHeldOut(t *testing.T) {
	g := newGuard(t, nil, nil)
	var rules []byte
	for _, file := range ruleFiles(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		rules = append(rules, bytes.ToLower(text)...)
	}
	for name, want := range heldOutNames {
		if strings.Contains(string(rules), strings.ToLower(name)) && !strings.ContainsAny(name, "🗑🚮💳") {
			t.Errorf("%q stands in the rules: it proves nothing", name)
		}
		if rule, _ := g.Click(name); rule != want {
			t.Errorf("Click(%q) = %q, want %q", name, rule, want)
		}
	}
	for _, name := range harmlessNames {
		if rule, hit := g.Click(name); hit {
			t.Errorf("Click(%q) = %q, a false alarm", name, rule)
		}
	}
	for _, r := range heldOutRequests {
		if _, hit := g.Request(r.request()); !hit {
			t.Errorf("%s %s %v %s went through", r.method, r.url, r.headers, r.body)
		}
	}
	for _, r := range harmlessRequests {
		if rule, hit := g.Request(r.request()); hit {
			t.Errorf("%s %s %v %s was stopped (rule: %s)", r.method, r.url, r.headers, r.body, rule)
		}
	}
}

// Words that no rule knows, in none of its forms.
var unknownRequests = []heldOutRequest{
	{method: "POST", url: "https://live.shop.example/users/3/evaporate"},
	{method: "POST", url: "https://live.shop.example/api/v2/vaporize", headers: typed(jsonType), body: `{"ids":[1,2]}`},
	{method: "PUT", url: "https://live.shop.example/users/3", headers: typed(jsonType), body: `{"name":""}`},
	{method: "PATCH", url: "https://live.shop.example/plan"},
	{method: "POST", url: "https://live.shop.example/graphql", headers: typed(jsonType), body: `{"query":"mutation { evaporate(id: 1) { id } }"}`},
	{method: "POST", url: "https://live.shop.example/rpc", headers: typed(jsonType), body: `{"jsonrpc":"2.0","id":1,"method":"tenant.sunset"}`},
	{method: "POST", url: "https://live.shop.example/_next/action", headers: map[string]string{"Next-Action": "4f1"}, body: "[1]"},
}

// A12: on a production host what may change something is stopped whatever it is
// called, but for questions, sign-ins and what is allowed.
func TestProduction(t *testing.T) {
	plain := newGuard(t, nil, nil)
	g, err := plain.Allowing([]string{`^POST https://live\.shop\.example/feedback$`})
	if err != nil {
		t.Fatal(err)
	}
	live := func(r heldOutRequest) guard.Request {
		out := r.request()
		out.Production = true
		return out
	}
	for _, r := range unknownRequests {
		if rule, hit := plain.Request(r.request()); hit {
			t.Errorf("the control: %s %s %s is stopped everywhere (rule: %s)", r.method, r.url, r.body, rule)
		}
		if rule, hit := g.Request(live(r)); !hit || !strings.Contains(rule, "production") {
			t.Errorf("%s %s %s went through on a production host: %q", r.method, r.url, r.body, rule)
		}
	}
	for _, r := range []heldOutRequest{
		{method: "GET", url: "https://live.shop.example/"},
		{method: "POST", url: "https://live.shop.example/login", headers: typed(form), body: "user=a&password=b"},
		{method: "POST", url: "https://live.shop.example/api/products/search", headers: typed(jsonType), body: `{"q":"hats"}`},
		{method: "POST", url: "https://live.shop.example/graphql", headers: typed(jsonType), body: `{"query":"query { me { id } }"}`},
		{method: "POST", url: "https://live.shop.example/rpc", headers: typed(jsonType), body: `{"jsonrpc":"2.0","id":1,"method":"orders.list"}`},
		{method: "POST", url: "https://live.shop.example/feedback", body: "hello"},
	} {
		if rule, hit := g.Request(live(r)); hit {
			t.Errorf("%s %s %s was stopped (rule: %s)", r.method, r.url, r.body, rule)
		}
	}
	for _, r := range heldOutRequests {
		if _, hit := g.Request(live(r)); !hit {
			t.Errorf("%s %s went through on a production host", r.method, r.url)
		}
	}
	if _, err := plain.Allowing([]string{"("}); err == nil {
		t.Error("a pattern that does not compile was taken")
	}
}

// What a page sends is hostile: no body stops the guard, or keeps it busy.
func FuzzRequest(f *testing.F) {
	for _, r := range append(slices.Clone(heldOutRequests), harmlessRequests...) {
		f.Add(r.method, r.url, r.headers["Content-Type"], r.body)
	}
	g, err := guard.New(nil, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(_ *testing.T, method, url, kind, body string) {
		g.Request(guard.Request{Method: method, URL: url, Header: http.Header{"Content-Type": {kind}}, Body: []byte(body)})
		g.Click(body)
	})
}

func BenchmarkJudge(b *testing.B) {
	g, err := guard.New(nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("a name", func(b *testing.B) {
		for b.Loop() {
			g.Click("Show the orders of this week")
		}
	})
	b.Run("a GET", func(b *testing.B) {
		for b.Loop() {
			g.Request(guard.Request{Method: "GET", URL: "https://a.test/assets/app.4f1c.js?v=3"})
		}
	})
	body := []byte(`{"items":[` + strings.Repeat(`{"id":1,"name":"a hat","tags":["a","b"]},`, 200) + `{}]}`)
	b.Run("a POST of 8 KB", func(b *testing.B) {
		for b.Loop() {
			g.Request(guard.Request{Method: "POST", URL: "https://a.test/orders", Header: http.Header{"Content-Type": {jsonType}}, Body: body})
		}
	})
}

// ruleFiles returns the files in which the belt's words stand.
func ruleFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("words/*.txt")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d files of words, %v", len(files), err)
	}
	return append(files, "operation_names.go")
}
