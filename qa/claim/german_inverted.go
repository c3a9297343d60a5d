package claim

// germanInverted returns the patterns in which the subject is not in front: what
// follows on "dann", on a place or on "es". With the verb in front a clause is a
// question or a condition ("wird A angezeigt, ist B leer"), so the word before it
// is part of the pattern.
func germanInverted() map[string][]string {
	return map[string][]string{
		"text-visible": {
			"<dann> <sees> <user> [<where>] [{not}] [{no}] {things} [<in> {sub:around}] [{not}] [<where>]", "<dann> <can> <user> [<where>] [{not}] [{no}] {things} [{not}] [<in> {sub:around}] [<where>] [{not}] <seeing>",
			"<dann> <may> <user> [<where>] ({no} {things}|{not} {things}|{things} {not}) [<in> {sub:around}] [<where>] <seeing>", "<user> <may> [<where>] ({no} {things}|{not} {things}|{things} {not}) [<in> {sub:around}] [<where>] <seeing>",
			"<user> <sees> <where> [{not}] [{no}] {things} [{not}]", "<user> <can> <where> [{not}] [{no}] {things} [{not}] <seeing>",
			"<dann> <is> [<where>] {no} {things} [<in> {sub:around}] [<where>] <seen> [<be>]", "<dann> <may> [<where>] {no} {things} [<in> {sub:around}] [<where>] (<seen> <be>|<appearing>)",
			"{no} {things} <may> [<in> {sub:around}] [<where>] (<seen> <be>|<appearing>)", "es <may> [<where>] {no} {things} [<in> {sub:around}] [<where>] (<seen> <be>|<appearing>|geben)", "{things} {maynot} [<in> {sub:around}] [<where>] <appearing>", "<dann> <may> {things} {not} [<in> {sub:around}] [<where>] <appearing>",
			"<dann> <appear> [<where>] [{no}] {things} [{not}] [<in> {sub:around}] [<where>]", "<dann> <should> [<where>] [{no}] {things} [{not}] [<in> {sub:around}] [<where>] <appearing>", "<dann> {vanish} {things} [<in> {sub:around}] [<where>]",
			"<dann> <show> <page> [{not}] [{no}] {things} [{not}] [<shut>]", "<dann> <should> <page> [{not}] [{no}] {things} [{not}] <showing>",
			"<dann> gibt es [<where>] [{no}] {things} [<in> {sub:around}] [{not}] [<where>]", "<dann> (soll|sollte|muss) es [{no}] {things} [<in> {sub:around}] geben",
			"[<dann>] <where> (steht|stehen|erscheint|erscheinen|gibt es) [{not}] [{no}] {things} [{not}]", "[<dann>] <where> <is> [{not}] [{no}] {things} [{not}] <seen> [<be>]", "<dann> (steht|stehen) [<where>] [{no}] {things} [{not}] (<where>|<in> {sub:around})",
			"es (erscheint|erscheinen|steht) [<where>] [{no}] {things} [{not}] [<in> {sub:around}] [<where>]", "es <is> [<where>] [{no}] {things} [<in> {sub:around}] [{not}] [<where>] <seen> [<be>]", "<dann> <in> {sub:around} (steht|stehen|erscheint|gibt es) [{not}] [{no}] {things}",
			"{things} steht [{not}] <where>", "{things} <is> [{not}] <where>", "{things} {lacksnone:seen}",
		},
		"element-state": {
			"<dann> <is> [<where>] {things} [{not}] [<where>] [<in> {sub:around}] [{not}] {states} [<be>]", "{things} {maynot} [<where>] [<in> {sub:around}] {states} <be>", "<dann> <may> {things} {not} [<where>] [<in> {sub:around}] {states} <be>",
			"<dann> (hat|haben) {things} [{not}] [den|{no}] {focus:could}", "<dann> (kann|können) {things} [{not}] {could} werden", "<dann> (lässt|lassen) sich {things} [{not}] {infinitive:could}", "(<dann>|es) {openverb:could} sich {things} [{not}]",
		},
		"element-text": {
			"[<dann>] <in> {sub} steht {things:inner}", "{sub} (hat|enthält) den inhalt {things:inner}",
			"<dann> {say} {sub} [{not}] [{no}] {things:inner} [{not}] [<shut>]", "<dann> <should> {sub} [{not}] [{no}] {things:inner} [{not}] <showing>", "{sub} {maynot} {things:inner} <showing>", "{sub} <may> {no} {things:inner} <showing>", "{sub} <may> {things:inner} {not} <showing>", "<dann> hat {sub} [{not}] den text {things:inner}",
		},
		"field-value":     {"<dann> (hat|enthält|zeigt) {sub} [{not}] den wert {value} [{not}] [<shut>]", "<dann> <should> {sub} [{not}] den wert {value} [{not}] (haben|enthalten)", "<dann> (ist|lautet|beträgt) der wert (von|in|im|des|der) {sub} [{not}] {value}"},
		"element-is":      {"<dann> <is> {sub} [{not}] (mit|auf) {value} (gefüllt|vorausgefüllt|ausgefüllt|vorbelegt|gesetzt) [<be>]", "<dann> lautet {sub} [{not}] {value}"},
		"selected-option": {"<dann> <is> <in> {sub} [{not}] [die option] {quote} [{not}] (ausgewählt|gewählt|selektiert|vorausgewählt) [<be>]", "<dann> <is> [die option] {quote} [{not}] <in> {sub} [{not}] (ausgewählt|gewählt|selektiert|vorausgewählt) [<be>]", "<dann> (hat|zeigt) {sub} [{not}] {quote} [{not}] ausgewählt"},
		"link-target":     {"<dann> (führt|zeigt|verweist|verlinkt) {sub} [{not}] (zu|auf|nach) {path}"},
		"field-error":     {"<dann> (zeigt|hat) {sub} (den fehler|die fehlermeldung) {quote} [{not}] [<shut>]"},
		"count": {
			"<dann> <sees> <user> {count} ({roles}|{role}) [[{link}] {quote}] [<in> {sub:around}] [<where>]", "[<dann>] (<user> <can>|<can> <user>) {count} ({roles}|{role}) [[{link}] {quote}] [<in> {sub:around}] [<where>] <seeing>", "<dann> (hat|enthält|zeigt|umfasst) {sub} [{not}] {count} ({roles}|{role}) [[{link}] {quote}] [<shut>]",
			"<dann> <should> {sub} [{not}] {count} ({roles}|{role}) [[{link}] {quote}] (haben|enthalten|zeigen|anzeigen)", "<dann> gibt es {count} ({roles}|{role}) [[{link}] {quote}] [<in> {sub:around}] [<where>]", "<dann> <is> {count} ({roles}|{role}) [[{link}] {quote}] [<in> {sub:around}] [<where>] <seen> [<be>]", "es (soll|sollte|sollen|sollten|muss|müssen) {count} ({roles}|{role}) [[{link}] {quote}] [<in> {sub:around}] (geben|<seen> <be>)",
			"<dann> (kommt|erscheint|steht) [der] [<noun>] {quote} {times:count} [<in> {sub:around}] [vor] [<where>]", "<dann> (ist|beträgt) die anzahl der {roles} [<in> {sub:around}] [{not}] {count}",
		},
		"title": {"seitentitel (:|=) {quote}", "<dann> (ist|lautet|heißt) [der] (seitentitel|titel|fenstertitel) (der seite|im browser) [{not}] {quote}", "<dann> (ist|lautet|heißt) [der] (seitentitel|titel|fenstertitel) [{not}] {quote}", "<dann> (hat|trägt) <page> [{not}] den titel {quote}", "[<dann>] (<should> <page>|<page> <should>) [{not}] den titel {quote} [{not}] (haben|tragen)", "<dann> <should> [der] (seitentitel|titel) [der seite] [{not}] {quote} (sein|lauten)"},
		"address": {
			"<address> (:|=) {path}",
			"<dann> {how} <address> [{not}] ({path}|{quote}) [{not}]", "<dann> <should> <address> [{not}] {path} (sein|lauten)", "<dann> <should> <address> [{not}] ({path}|{quote}) {contains:how}", "<dann> (bin|ist|sind|landet|lande|bleibe|bleibt) <user> [{not}] [<now>] auf [der seite] {path}", "[<dann>] (<user> (befindet sich|befinde mich)|befindet sich <user>|befinde ich mich) [{not}] [<now>] auf [der seite] {path}",
			"<dann> (wird|werden|werde|wurde) <user> [{not}] [<now>] <at> {path} <moved>", "[<dann>] (<should> <user>|<user> <should>) [{not}] [<now>] auf [der seite] {path} sein", "<dann> <should> <user> [{not}] <at> {path} <moved> werden",
		},
		"response": {"<dann> antwortet [der server] [auf] [{method}] {path} [{not}] mit [<status>] {number}", "<dann> liefert [{method}] {path} [{not}] [<status>] {number}", "<dann> (ist|lautet) der (antwortstatus|status|statuscode|http-status) [der antwort] [(von|für) [{method}] {path}] [{not}] {number}", "<dann> antwortet (die seite|der server) [{not}] mit [<status>] {number}"},
		"request":  {"<dann> (wird|wurde) [eine|die|{no}] ({methodrequest:method}|<request>) (an|auf|zu) {path} [{not}] <sent>", "<dann> (wird|wurde) [{method}] {path} [{not}] (aufgerufen|angefragt|gesendet)", "es (darf|soll|sollte) {no} ({methodrequest:method}|<request>) (an|auf|zu) {path} <sent> werden"},
		"console": {"<dann> (zeigt|enthält|hat|meldet) <console> [{no}] <errors> [<shut>]", "<dann> (ist|bleibt) <console> [{not}] {clean}", "<dann> (gibt es|stehen|erscheinen) [{no}] <errors> in <console>", "<dann> gibt es [{no}] <consoleerrors>", "[<dann>] es (werden|wurden|wird|wurde) [{no}] <errors> in <console> <logged>", "[<dann>] in <console> (werden|wurden|wird|wurde) [{no}] <errors> <logged>", "<dann> (werden|wurden) [{no}] <errors> in <console> <logged>", "es werden [{no}] <consoleerrors> <logged>", "{no} <errors> (werden|wurden) in <console> <logged>",
			"es (dürfen|darf|sollen|sollten) {no} (<errors> in <console>|<consoleerrors>) (erscheinen|stehen|auftreten|geben|<logged> werden)", "<console> (soll|sollte|darf|muss) {no} <errors> (enthalten|zeigen|anzeigen)"},
		"dialog":   {"<dann> (erscheint|öffnet sich) [ein|eine|der|die|{no}] {dialog} [mit dem text] [{quote}] [{not}]", "<dann> (wird|wurde) [ein|eine|der|die|{no}] {dialog} [mit dem text] [{quote}] [{not}] (angezeigt|geöffnet)"},
		"popup":    {"<dann> öffnet sich (ein|{no}) (neuer tab|neues fenster|neues browserfenster) [(mit|auf) {path}]", "<dann> wird (ein|{no}) (neuer tab|neues fenster|neues browserfenster) [(mit|auf) {path}] [{not}] geöffnet", "es öffnet sich (ein|{no}) (neuer tab|neues fenster|neues browserfenster) [(mit|auf) {path}]"},
		"download": {"<dann> (wird|wurde) [eine|die|{no}] datei [{quotes}] [{not}] heruntergeladen", "<dann> (wird|werden|wurde|wurden) {quotes} [{not}] heruntergeladen", "es (wird|wurde) [eine|die|{no}] datei [{quotes}] heruntergeladen"},
		"figure":   {"<dann> (beträgt|ist|lautet) [die|der|das] <metric> {quote:label} [{not}] {amount}", "<dann> (beträgt|ist) [die|der] {total:label} [{not}] {amount}", "[die|der] {total:label} <should> [{not}] {amount} (sein|betragen)", "<dann> <should> [die|der] {total:label} [{not}] {amount} (sein|betragen)", "{quote:label} <should> [{not}] {amount} (sein|betragen)", "[die|der|das] <metric> {quote:label} <should> [{not}] {amount} (sein|betragen)"},
	}
}
