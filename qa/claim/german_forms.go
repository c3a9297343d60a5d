package claim

func germanElements() []form {
	return []form{
		{"text-visible", `die Seite zeigt "Bezahlt"`, []string{
			"<page> <show> [{not}] [{no}] {things} [<in> {sub:around}] [{not}] [<where>] [<shut>]", "<page> <should> [{not}] [{no}] {things} [{not}] <showing>", "<page> {hides} {things}",
			"<page> [{not}] [{no}] {things} [{not}] (zeigt|anzeigt|enthält)",
			"<user> <sees> [{not}] [{no}] {things} [<in> {sub:around}] [{not}] [<where>]", "<user> <can> [{not}] [{no}] {things} [{not}] [<in> {sub:around}] [<where>] <seeing>", "<user> [{no}] {things} [{not}] (sieht|sehen kann)",
			"es gibt [{no}] {things} [<in> {sub:around}] [{not}] [<where>]", "es gibt {not} {things} [<in> {sub:around}]", "es (soll|sollte|muss) [{no}] {things} [<in> {sub:around}] geben",
			"{things} <appear> [{not}] [<in> {sub:around}] [<where>]", "{things} <should> [{not}] [<in> {sub:around}] <appearing>", "{things} {vanish} [<in> {sub:around}] [<where>]", "{no} {things} <appear> [<in> {sub:around}] [<where>]",
			"{no} {things} <is> [<in> {sub:around}] [<where>] <seen> [<be>]", "es (wird|werden) [{no}] {things} [<where>] angezeigt", "{no} {things} (<in> {sub:around}|<where>)",
			"{things} <is> [{not}] <in> {sub:around}", "<in> {sub:around} (steht|stehen|erscheint|ist|sind|gibt es) [{not}] [{no}] {things} [{not}] [<seen>]", "{things} (steht|stehen) [{not}] <in> {sub:around}", "<pair> {things} {nor2} {things:more} <is> [<where>] <seen>", "<pair> {things} {nor2} {things:more} <appear>",
			"(zeigt|enthält) [{not}] [{no}] {things} [{not}] [<shut>]", "<should> [{not}] [{no}] {things} [{not}] <showing>",
		}},
		{"element-state", `der Button "Speichern" ist deaktiviert`, []string{
			"{things} <is> [{not}] [<where>] [<in> {sub:around}] {states} [<be>]", "{things} [{not}] [<in> {sub:around}] {states} (ist|sind|wird|werden)", "{things} <is> [<in> {sub:around}] [<where>] [{not}] {states} [<be>]",
			"{things} {opened} [{not}]", "{things} (hat|haben) [{not}] [den|{no}] {focus:could}", "[der] {focus:could} (liegt|ist|steht) [{not}] (auf|in|im) {things}", "{things} (kann|können) [{not}] {could} werden",
			"{things} lässt sich [{not}] {infinitive:could}", "{things} lassen sich [{not}] {infinitive:could}",
		}},
		{"shown-with", `die Fehlermeldung lautet "Ungültig"`, []string{
			"[<art>] {noun} (lautet|lauten|ist|sagt|besagt|heißt) [:] {quote}", "[<art>] {noun} : {quote}", "[<art>] {role} heißt {quote}", "[<art>] {role} <is> mit {quote} beschriftet", "[<art>] {role} (hat|trägt) (die|den) {wording:link} {quote}", "[die|der] {wording:link} (des|der) {role} (ist|lautet) {quote}",
			"[<art>] {role} (hat|trägt) [{not}] den titel {quote:title}", "[der] titel des {role} (lautet|ist) {quote:title}",
		}},
		{"element-attached", `der Button "Speichern" ist im DOM vorhanden`, []string{"{things} (ist|sind) [{not}] im dom [vorhanden]", "{things} existiert [{not}] im dom"}},
		{"element-text", `die Tabelle "Bestellungen" enthält "Tee"`, []string{"{sub} {starts} [{not}] mit {quote}", "[die] {ordinal} (zeile|tabellenzeile) [[<in>] {sub}] {say} [{not}] {things:inner}",
			"{sub} {say} [{not}] [{no}] {things:inner} [{not}] [<shut>]", "{sub} {say} {amount} [<shut>]", "{sub} <should> [{not}] [{no}] {things:inner} [{not}] <showing>",
			"[der] {textword:exact} (von|in|im|der|des) {sub} (ist|lautet) [{not}] [{exact}] {things:inner}", "{sub} <say> {exact} {things:inner} [<shut>]", "{sub} hat [{not}] den text {things:inner}",
		}},
		{"element-is", `das Feld "E-Mail" ist mit "a@b.example" gefüllt`, []string{"{sub} <is> [{not}] (mit|auf) {value} (gefüllt|vorausgefüllt|ausgefüllt|vorbelegt|gesetzt) [<be>]", "{sub} (ist|lautet) [{not}] {value}"}},
		{"field-value", `das Feld "E-Mail" hat den Wert "a@b.example"`, []string{"{sub} (hat|enthält|zeigt) [{not}] den wert {value} [{not}] [<shut>]", "der wert (von|in|im|des|der) {sub} (ist|lautet|beträgt) [{not}] {value}", "{sub} <should> [{not}] den wert {value} [{not}] (haben|enthalten)"}},
		{"selected-option", `im Dropdown "Land" ist "Italien" ausgewählt`, []string{
			"<in> {sub} <is> [{not}] [die option] {quote} [{not}] (ausgewählt|gewählt|selektiert|vorausgewählt) [<be>]", "[die option] {quote} <is> [{not}] <in> {sub} [{not}] (ausgewählt|gewählt|selektiert|vorausgewählt) [<be>]", "{sub} (hat|zeigt) [{not}] {quote} [{not}] ausgewählt", "{sub} (ist|steht) [{not}] auf {quote} [gesetzt|gestellt]",
			"die (ausgewählte|gewählte) option (von|in|im|des|der) {sub} (ist|lautet) [{not}] {quote}",
		}},
		{"attribute", `das Feld "E-Mail" hat den Platzhalter "Name"`, []string{"{sub} hat [{not}] (den|das|die) {single:property} {value}", "{sub} hat [{not}] das {property} {quote:attribute} mit dem wert {value}"}},
		{"link-target", `der Link "Doku" führt zu /doku`, []string{"{sub} (führt|zeigt|verweist|verlinkt) [{not}] (zu|auf|nach) {path}"}},
		{"field-error", `am Feld "E-Mail" steht der Fehler "Pflichtfeld"`, []string{"{sub} (zeigt|hat) [{not}] (den fehler|die fehlermeldung) {quote} [{not}] [<shut>]", "(am|beim|unter dem|im) {sub} steht [{not}] (der fehler|die fehlermeldung) {quote}"}},
		{"count", `die Tabelle "Bestellungen" hat 3 Zeilen`, []string{
			"{sub} (hat|enthält|zeigt|umfasst|listet) [{not}] {count} ({roles}|{role}) [[{link}] {quote}] [<shut>]", "{sub} <should> [{not}] {count} ({roles}|{role}) [[{link}] {quote}] (haben|enthalten|zeigen|anzeigen)",
			"es (gibt|werden|sind) [{not}] {count} ({roles}|{role}) [[{link}] {quote}] [<in> {sub:around}] [<where>] [<seen>]", "<page> <show> {count} ({roles}|{role}) [[{link}] {quote}] [<in> {sub:around}] [<shut>]", "<user> <sees> {count} ({roles}|{role}) [[{link}] {quote}] [<in> {sub:around}]",
			"{count} ({roles}|{role}) [[{link}] {quote}] <is> [{not}] [<in> {sub:around}] <seen> [<be>]", "{sub} besteht [{not}] aus {count} ({roles}|{role})", "<in> {sub:around} (gibt es|sind|stehen|werden|befinden sich) {count} ({roles}|{role}) [[{link}] {quote}] [<seen>]", "die anzahl der {roles} [<in> {sub:around}] (ist|beträgt) [{not}] {count}",
			"[der] [<noun>] {quote} (kommt|erscheint|steht) {times:count} [<in> {sub:around}] [vor] [<where>]", "[der] [<noun>] {quote} <is> {times:count} [<in> {sub:around}] <seen> [<be>]", "<page> <show> [den] [<noun>] {quote} {times:count} [<shut>]",
		}},
		{"order", `"Kaffee" steht vor "Tee"`, []string{"{sub:first} <stands> [{not}] <before> {sub:second}", "{sub:first} <is> [{not}] <before> {sub:second} (angezeigt|aufgeführt|gelistet) [<be>]", "{sub:first} <stands> [{not}] {after} {sub:second}"}},
		{"sorted", `die Tabelle "Bestellungen" ist nach "Datum" absteigend sortiert`, []string{"{sub} <is> [{not}] [nach [der spalte] {quote}] {direction} sortiert [<be>]", "{sub} <is> [{not}] {direction} [nach [der spalte] {quote}] sortiert [<be>]"}},
		{"number", `die Zahl in der Statuszeile ist größer als 5`, []string{"die (zahl|anzahl) (in|im) {sub} ist [{not}] {compare:op} {decimal}"}},
	}
}

func germanPage() []form {
	return []form{
		{"title", `der Seitentitel ist "Bestellungen"`, []string{"[der] (seitentitel|titel|fenstertitel|browsertitel|tabtitel) [der seite] (ist|lautet|heißt) [{not}] {quote}", "<page> (hat|trägt) [{not}] den titel {quote}", "<page> heißt [{not}] {quote}", "[der] (seitentitel|titel) [der seite] <should> [{not}] {quote} (sein|lauten)"}},
		{"address", `die URL ist /bestellungen`, []string{
			"<address> {how} [{not}] ({path}|{quote}) [{not}]", "<address> <should> [{not}] {path} (sein|lauten)", "weiterleitung (auf|zu|nach) {path}", "<address> <should> [{not}] ({path}|{quote}) {contains:how}",
			"<user> (wird|werden|werde|wurde) [{not}] [<now>] <at> {path} <moved>", "<page> (wird|leitet) [{not}] [<now>] <at> {path} (<moved>|weiter|um)", "<user> (ist|bin|sind|landet|lande|bleibt|befindet sich) [{not}] [<now>] auf [der seite] {path}", "<user> <should> [{not}] <at> {path} <moved> werden",
		}},
		{"response", `GET /api/orders antwortet mit 200`, []string{"<page> {loads:outcome}", "<page> wird {loads:outcome}",
			"[die|der] [anfrage|aufruf|request|antwort] [an|von|auf] [{method}] {path} <answers> [{not}] [<status>] {number}", "[die|der] [anfrage|aufruf|request] [an|von|auf] [{method}] {path} (ist|war) [{not}] {outcome}", "[die|der] [anfrage|aufruf|request] [an|von|auf] [{method}] {path} gibt [{not}] [<status>] {number} zurück", "der (antwortstatus|status|statuscode|http-status) [der antwort] [(von|für) [{method}] {path}] (ist|lautet) [{not}] {number}", "(die seite|der server|die antwort) (antwortet mit|liefert|hat) [{not}] [<status>] {number}",
		}},
		{"request", `eine POST-Anfrage an /api/orders wird gesendet`, []string{
			"[eine|ein|die|der|{no}] ({methodrequest:method}|<request>) (an|auf|zu) {path} (wird|wurde) [{not}] <sent>", "es (wird|wurde) [eine|ein|die|der|{no}] ({methodrequest:method}|<request>) (an|auf|zu) {path} <sent>", "<page> (sendet|schickt|macht) [eine|{no}] ({methodrequest:method}|<request>) an {path}", "{path} (wird|wurde) [{not}] (aufgerufen|angefragt)", "{method} {path} (wird|wurde) [{not}] (aufgerufen|gesendet)",
		}},
		{"console", `die Konsole enthält keine Fehler`, []string{
			"<console> (ist|bleibt|soll|sollte|muss) [{not}] {clean} [sein|bleiben]", "<console> (zeigt|enthält|hat|meldet) [{no}] <errors> [<shut>]", "(es gibt|es stehen|es erscheinen|es gab) [{no}] <errors> in <console>", "{no} <errors> [(stehen|erscheinen|sind)] in <console>", "(es gibt|es gab|es treten) [{no}] <consoleerrors> [auf]", "{no} <consoleerrors>", "<page> (hat|zeigt|erzeugt) [{no}] <consoleerrors>", "{without} <consoleerrors>",
			"in <console> (stehen|steht|sind|gibt es|erscheinen) [{no}] <errors>",
		}},
		{"dialog", `ein Browser-Dialog "Gespeichert" erscheint`, []string{"[ein|eine|der|die|{no}] {dialog} [mit dem text] [{quote}] (erscheint|öffnet sich)", "[ein|eine|der|die|{no}] {dialog} [mit dem text] [{quote}] (wird|wurde) [{not}] (angezeigt|geöffnet)"}},
		{"popup", `ein neuer Tab öffnet sich`, []string{"(ein|{no}) (neuer tab|neues fenster|neues browserfenster) öffnet sich [(mit|auf) {path}]", "(ein|es wird ein|{no}) (neuer tab|neues fenster|neues browserfenster) [(mit|auf) {path}] [wird] [{not}] geöffnet", "{path} (öffnet sich|wird) in einem neuen (tab|fenster) [geöffnet]"}},
		{"download", `die Datei "bericht.csv" wird heruntergeladen`, []string{"[eine|die|{no}] datei [{quotes}] (wird|wurde) [{not}] heruntergeladen", "die dateien {quotes} (werden|wurden) [{not}] heruntergeladen", "{quotes} (wird|wurde|werden|wurden) [{not}] heruntergeladen", "[der|ein] download [(von|der datei) {quotes}] (startet|beginnt)"}},
		{"figure", `die Kennzahl "Umsatz" beträgt 1.234`, []string{"[die|der|das] <metric> {quote:label} <equals> [{not}] {amount}", "{quote:label} <equals> [{not}] {amount}", "[die|der] {total:label} <equals> [{not}] {amount}", "der {price} (von|für) {quote:label} <equals> [{not}] {amount}"}},
	}
}
