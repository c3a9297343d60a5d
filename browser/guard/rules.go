package guard

import (
	"regexp"
	"strings"
)

// The built-in words, in English, German, French and Spanish. A word counts
// only whole. They are conservative: "Clear", "Cancel", "Reset" and "Log out"
// are no destruction, nor is "PayPal" paying.
const (
	deleteWords = `delete|remove|destroy|erase|purge|wipe|empty (?:the )?(?:trash|bin)|factory reset|drop (?:table|database)|` +
		`lösch(?:e|en)|entfernen|vernichten|papierkorb leeren|` +
		`supprimer|effacer|détruire|vider la corbeille|` +
		`eliminar|borrar|suprimir|destruir|vaciar (?:la )?papelera`
	payWords = `pay|buy now|purchase|place (?:the |your )?order|order now|complete (?:the |your )?(?:order|purchase)|check ?out|transfer|send money|refund|withdraw|` +
		`bezahlen|jetzt zahlen|(?:jetzt |sofort )kaufen|(?:jetzt|zahlungspflichtig|kostenpflichtig) bestellen|überweisen|zur kasse|erstatten|` +
		`payer|acheter|commander|passer (?:la )?commande|valider (?:la |ma )?commande|effectuer (?:le |un )?virement|transférer|rembourser|` +
		`pagar|comprar(?: ahora)?|(?:realizar|hacer|tramitar) (?:el )?pedido|finalizar (?:la )?compra|transferir|reembolsar`
	credentialWords = `(?:change|reset|update|set) (?:my |your |the )?(?:password|passphrase|pin)|` +
		`(?:passwort|kennwort) (?:ändern|zurücksetzen)|` +
		`(?:changer|modifier|réinitialiser) (?:le |mon |votre )?mot de passe|` +
		`(?:cambiar|restablecer|modificar) (?:la |mi |su )?contraseña`
	accountWords = `revoke|deactivate|disable account|(?:close|terminate|cancel) (?:my |your |the |this )?(?:account|subscription|membership)|unsubscribe|` +
		`widerrufen|deaktivieren|konto (?:schließen|auflösen|kündigen)|kündigen|abbestellen|` +
		`révoquer|désactiver|(?:fermer|clôturer|supprimer) (?:le |mon |votre )?compte|se désabonner|se désinscrire|résilier|` +
		`revocar|desactivar|cerrar (?:la |mi |su )?cuenta|cancelar (?:la |mi |su )?suscripción|darse de baja`
	// What "delete" or "remove" takes out of a view and not out of the world.
	viewWords = `filters?|chips?|sort(?:ing)?|search|query|selection|highlights?|cart|basket|bag|wish ?list|compar(?:e|ison)|` +
		`filter|suche|auswahl|sortierung|warenkorb|markierung|` +
		`filtres?|recherche|sélection|tri|panier|` +
		`filtros?|búsqueda|selección|carrito|cesta`
)

// whole matches any of the words where no letter or digit touches them. Go's
// \b knows ASCII only.
func whole(words string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[^\pL\pN])(?:` + words + `)(?:$|[^\pL\pN])`)
}

func builtInClicks() []clickRule {
	return []clickRule{
		{name: "delete", pattern: whole(deleteWords), harmless: whole(viewWords)},
		{name: "pay", pattern: whole(payWords)},
		{name: "change credentials", pattern: whole(credentialWords)},
		{name: "close account or revoke", pattern: whole(accountWords)},
	}
}

// Whole segments of a path that say what a request which changes something
// does. users:delete is a segment of its own too.
var (
	deleteSegments     = []string{"delete", "remove", "destroy", "erase", "purge", "wipe", "bulk-delete", "delete-account", "delete_account"}
	paySegments        = []string{"pay", "payment", "payments", "charge", "charges", "checkout", "purchase", "place-order", "refund", "refunds", "transfer", "transfers", "payout", "payouts", "withdraw"}
	credentialSegments = []string{"password", "passwords", "credentials", "change-password", "reset-password", "update-password", "change_password", "reset_password"}
	accountSegments    = []string{"revoke", "deactivate", "unsubscribe", "close-account", "cancel-subscription"}
)

func builtInRequests() []requestRule {
	return []requestRule{
		{"DELETE", regexp.MustCompile(`^DELETE `)},
		{"_method=delete", regexp.MustCompile(`(?i)^(?:POST|PUT|PATCH) [^#]*[?&]_method=delete(?:[&#]|$)`)},
		{"delete in the path", segments(deleteSegments)},
		{"pay in the path", segments(paySegments)},
		{"credentials in the path", segments(credentialSegments)},
		{"close account or revoke in the path", segments(accountSegments)},
	}
}

// segments matches a POST, PUT or PATCH with one of the words as a whole
// segment of its path.
func segments(words []string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:POST|PUT|PATCH) [a-z][a-z0-9+.-]*://[^/?#]*[^?#]*[/:](?:` + strings.Join(words, "|") + `)(?:[/?#;:]|$)`)
}
