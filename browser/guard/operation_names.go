package guard

import (
	"slices"
	"strings"
)

// removers lists the verbs of operations, as programmers write them: in paths,
// operation names and keys. Marks are off their letters.
var removers = []string{
	"delete", "deletes", "deleting", "remove", "removes", "removing", "destroy", "erase", "purge", "wipe", "del", "rm", "unlink", "uninstall", "truncate",
	"loschen", "loesche", "loeschen", "losche", "entfernen", "elimina", "eliminare", "cancellare", "rimuovi", "rimuovere", "删除", "刪除", "移除", "supprimer", "supprime", "effacer", "eliminar", "borrar", "suprimir",
	"excluir", "apagar", "remover", "deletar", "verwijder", "verwijderen", "usun", "skasuj", "radera", "slet", "slett", "fjern", "poista",
	"удалить", "видалити", "削除", "삭제",
}

// glued lists removers that are also found at the head of a word: deleteuser.
var glued = []string{"delete", "remove", "destroy", "purge", "erase"}

var (
	payers      = []string{"pay", "purchase", "withdraw", "buy", "refund"}
	payTogether = [][2][]string{{
		{"submit", "make", "process", "confirm", "execute", "create", "capture", "send", "complete", "initiate", "authorize", "do"},
		{"payment", "payments", "money", "transfer", "charge", "payout", "refund", "purchase", "funds"},
	}, {{"place", "complete", "submit"}, {"order", "purchase"}}}
	paySegments        = []string{"pay", "payment", "payments", "charge", "charges", "checkout", "purchase", "place-order", "refund", "refunds", "transfer", "transfers", "payout", "payouts", "withdraw"}
	credentialSegments = []string{"password", "passwords", "credentials", "change-password", "reset-password", "update-password", "set-password", "new-password", "password-reset", "password-change"}
	accountSegments    = []string{"revoke", "deactivate", "unsubscribe", "close-account", "cancel-subscription", "cancel-account", "terminate-account"}
	confirms           = []string{"confirm", "capture", "execute", "submit", "authorize", "process"}
	// aftermaths list the words that make an operation's name that of a report
	// about it: delete_clicked.
	aftermaths = []string{"clicked", "viewed", "shown", "opened", "closed", "succeeded", "failed", "requested", "event", "list", "log", "history", "can", "undo", "allow", "allowed", "dialog", "modal", "button"}
)

// removes reports whether the words of a name say that something is removed.
func removes(words []string) bool {
	for _, w := range words {
		if slices.Contains(removers, w) {
			return true
		}
		for _, head := range glued {
			if rest, found := strings.CutPrefix(w, head); found && gluedObject(rest) {
				return true
			}
		}
	}
	return false
}

// gluedObject reports whether what follows a verb is its object and not its
// ending: deleteuser, not deleted, remover, removable.
func gluedObject(rest string) bool {
	switch {
	case len(rest) < 3:
		return false
	case rest[0] == 'd': // deleted…
		return slices.ContainsFunc([]string{"document", "data", "device", "domain", "dir", "draft", "db", "department"}, func(o string) bool { return strings.HasPrefix(rest, o) })
	}
	return !strings.HasPrefix(rest, "able") && !strings.HasPrefix(rest, "ers")
}

// pathRule returns the rule that the segments of a path fit, "" for none.
func pathRule(path [][]string) string {
	for i, words := range path {
		joined := strings.Join(words, "-")
		switch {
		case removes(words) && !slices.ContainsFunc(words, func(w string) bool { return slices.Contains(aftermaths, w) }):
			return "delete in the path"
		case slices.Contains(paySegments, joined) || payRule(words):
			return "pay in the path"
		case slices.Contains(credentialSegments, joined):
			return "credentials in the path"
		case slices.Contains(accountSegments, joined):
			return "close account or revoke in the path"
		case len(words) == 1 && slices.Contains(confirms, words[0]) && i >= 1 && slices.ContainsFunc(path[:i], ofPayment):
			return "pay in the path"
		}
	}
	return ""
}

func ofPayment(words []string) bool {
	return slices.Contains(words, "payment") || slices.Contains(words, "payments")
}

func payRule(words []string) bool {
	if len(words) > 1 && slices.Contains(payers[:4], words[0]) {
		return true
	}
	for _, pair := range payTogether {
		if len(words) > 1 && slices.Contains(pair[0], words[0]) && slices.Contains(pair[1], words[1]) {
			return true
		}
	}
	return false
}

// maxOperation bounds what is an operation's name and not a text, in bytes.
const maxOperation = 80

// operationRule returns the rule that an operation's name fits, "" for none.
func operationRule(name string) string {
	if len(name) > maxOperation || strings.ContainsAny(strings.TrimSpace(name), " \t\n") {
		return ""
	}
	ws := lowerWords(name)
	if slices.ContainsFunc(ws, func(w string) bool { return slices.Contains(aftermaths, w) }) {
		return ""
	}
	joined := strings.Join(ws, "-")
	has := func(phrases []string) bool {
		return slices.ContainsFunc(phrases, func(s string) bool { return strings.Contains("-"+joined+"-", "-"+s+"-") })
	}
	switch {
	case removes(ws):
		return "delete in the operation"
	case slices.ContainsFunc(ws, func(w string) bool { return slices.Contains(payers, w) }) && !has([]string{"get", "fetch", "find"}), payRule(ws):
		return "pay in the operation"
	case has(credentialSegments[3:]):
		return "credentials in the operation"
	case slices.ContainsFunc(ws, func(w string) bool { return w == "revoke" || w == "deactivate" || w == "unsubscribe" }), has(accountSegments):
		return "close account or revoke in the operation"
	}
	return ""
}

// Words at the end of a path that say that a POST only asks, or signs in.
var (
	askingWords  = []string{"search", "query", "find", "filter", "list", "lookup", "suggest", "suggestions", "autocomplete", "count", "graphql-query", "preview", "validate", "typeahead"}
	signInWords  = []string{"login", "signin", "sign-in", "log-in", "session", "sessions", "oauth", "token", "authorize", "authenticate", "auth", "sso", "saml", "logout", "log-out", "signout", "sign-out"}
	signOutWords = []string{"logout", "log-out", "signout", "sign-out"}
)

func asks(path [][]string) bool     { return lastWord(path, askingWords) }
func signsOut(path [][]string) bool { return lastWord(path, signOutWords) }
func signsIn(path [][]string) bool  { return lastWord(path, signInWords) }

func lastWord(path [][]string, words []string) bool {
	if len(path) == 0 {
		return false
	}
	last := path[len(path)-1]
	return slices.Contains(words, strings.Join(last, "-")) || len(last) > 0 && slices.Contains(words, last[len(last)-1])
}
