package claim

// german returns the table of German. Names need quotation marks, since all nouns
// begin with a capital letter.
func german() *language {
	return &language{code: "de", name: "German", roles: germanRoles(), classes: merged(germanNouns(), germanVerbs(), germanStates(), germanPageWords()),
		forms: extended(append(germanElements(), germanPage()...), germanInverted()), joined: map[string]string{"gibt's": "gibt es"}}
}

func germanRoles() []roleWords {
	return []roleWords{
		{"button|buttons|schaltfläche|knopf|knopfes|taste", "buttons|schaltflächen|knöpfe|knöpfen", "button"},
		{"link|links|verweis|hyperlink", "links|verweise|verweisen", "link"},
		{"überschrift|hauptüberschrift|seitenüberschrift", "überschriften", "heading"},
		{"textfeld|textfeldes|textfelds|textbereich|passwortfeld|e-mail-feld", "textfelder|textfeldern", "textbox"},
		{"feld|feldes|felds|eingabefeld|eingabefeldes|formularfeld|eingabe", "felder|feldern|eingabefelder", "field"},
		{"suchfeld|suchfeldes|suchleiste", "suchfelder", "searchfield"},
		{"checkbox|kontrollkästchen|auswahlkästchen|ankreuzfeld", "checkboxen|kontrollkästchen", "checkbox"},
		{"radiobutton|radio-button|optionsfeld|radio button", "radiobuttons|optionsfelder", "radio"},
		{"schalter|umschalter", "schalter", "switch"},
		{"dropdown|dropdowns|dropdown-menü|dropdown-liste|dropdown-feld|auswahlliste|auswahlfeld|auswahlfeldes|auswahlmenü|klappliste", "dropdowns|auswahllisten|auswahlfelder", "dropdown"},
		{"kombinationsfeld|combobox", "kombinationsfelder", "combobox"},
		{"option|auswahlmöglichkeit", "optionen", "option"},
		{"tab|reiter|registerkarte|reiters|tabs", "tabs|reiter|registerkarten", "tab"},
		{"dialog|dialogs|dialogfenster|dialogfeld|modal|dialogfensters", "dialoge|dialogen|dialogfenster", "dialog"},
		{"alert", "alerts", "alert"}, {"statuszeile|statusleiste", "", "status"},
		{"tabelle", "tabellen", "table"}, {"zeile|tabellenzeile", "zeilen|tabellenzeilen", "row"},
		{"spalte|spaltenüberschrift|tabellenspalte", "spalten", "columnheader"}, {"zelle|tabellenzelle", "zellen", "cell"},
		{"liste", "listen", "list"}, {"eintrag|listeneintrag|listenpunkt|listenelement", "einträge|einträgen|listeneinträge|listenpunkte|elemente|elementen", "listitem"},
		{"bild|bildes|grafik|foto", "bilder|bildern", "img"}, {"menü|menüs", "menüs", "menu"},
		{"menüpunkt|menüeintrag|menüpunkts", "menüpunkte|menüpunkten|menüeinträge", "menuitem"},
		{"fortschrittsbalken|fortschrittsanzeige", "fortschrittsbalken", "progressbar"}, {"schieberegler", "schieberegler", "slider"},
		{"formular|formulars", "formulare", "form"}, {"navigation|navigationsleiste|navigationsmenü", "", "navigation"},
		{"bereich|abschnitt|bereichs|abschnitts", "bereiche|abschnitte", "region"}, {"tooltip", "tooltips", "tooltip"},
		{"fußzeile", "", "contentinfo"}, {"werkzeugleiste|symbolleiste", "", "toolbar"},
	}
}

func germanNouns() map[string][]row {
	return map[string][]row{
		"art": {{"ein|eine|einen|einem|einer|eines", "a"}, {"der|die|das|den|dem|des|diese|dieser|dieses|diesen|diesem", "the"}},
		"the": rows("der|die|das|den|dem|des"),
		"noun": {{"text|texte|wort|wörter|beschriftung|inhalt|textes", "text"},
			{"meldung|fehlermeldung|erfolgsmeldung|hinweis|nachricht|fehler|warnung|statusmeldung|benachrichtigung|validierungsfehler|bestätigung|bestätigungsmeldung|hinweistext|toast|fehlertext|warnmeldung|infomeldung", "message"}, {"(meldung|fehlermeldung|erfolgsmeldung|nachricht|warnung|hinweis|benachrichtigung) mit (dem|der|den) (text|inhalt|texten)", "message"}},
		"link": {{"namens|mit [<the>|einem|der] (namen|beschriftung|titel|bezeichnung|label)", "name"}, {"mit [<the>|einem|der] (text|inhalt|meldung|aufschrift)|mit", "text"}},
		"base": rows("[<art>] {quote} - {role}", "[<art>] {quote} - {roles}", "[<art>] {noun} {quotes}", "{quote}", "[<art>] {role} {quote}", "[<art>] {role} {link} {quote}", "[<art>] {quote} {role}", "[<art>] {roles} [{link}] {quotes}", "[<art>] {quotes} {roles}", "[{art}] {role}"),
		"sub":  rows("{base}", "{base} <in> {base:around}"),
		"in":   rows("in|im|innerhalb|auf|aus|von|vom|am|an", "innerhalb von"),
		"and":  rows("und|,|sowie|, und|und auch|und der text"), "then": append(rows("und|,|, und|;|.|sowie|. und|und dann"), row{"aber|, aber", "but"}),
		"both": rows("sowohl"), "it": rows("er|sie|es|diese|dieser|dieses"), "end": rows(".|!"),
		"intro":  rows("<verify> [,] (dass|ob)", "dann|und|und dann|aber|aber dann", "[das] (erwartet|erwartung|erwartetes ergebnis|ergebnis) :", "[es wird] (erwartet|geprüft) , dass", "(ich|wir|man) (prüfe|prüfen|prüft|erwarte|erwarten) , dass", "(stelle|stell|stellen wir) sicher , dass"),
		"verify": rows("prüfe|prüfen|überprüfe|überprüfen|verifiziere|bestätige|sicherstellen|kontrolliere|prüfen sie|stelle sicher"),
		"number": {{"eins|ein einziger|eine einzige|einen einzigen|genau (ein|eine|einen)", "1"}, {"zwei", "2"}, {"drei", "3"}, {"vier", "4"}, {"fünf", "5"}, {"sechs", "6"}, {"sieben", "7"}, {"acht", "8"}, {"neun", "9"}, {"zehn", "10"}, {"elf", "11"}, {"zwölf", "12"}, {"null", "0"}},
		"op":     {{"genau|exakt|nur|insgesamt", "="}, {"mindestens|wenigstens|nicht weniger als", ">="}, {"höchstens|maximal|nicht mehr als|bis zu", "<="}, {"mehr als|über", ">"}, {"weniger als|unter", "<"}},
		"post":   {{"oder mehr", ">="}, {"oder weniger", "<="}}, "none": {{"kein|keine|keinen|keiner", "0"}},
		"count": rows("{number}", "{op} {number}", "{number} {post:op}", "{none:number}"),
		"once":  {{"einmal", "1"}, {"zweimal", "2"}, {"dreimal", "3"}, {"viermal", "4"}, {"fünfmal", "5"}, {"sechsmal", "6"}, {"zehnmal", "10"}},
		"times": rows("{once:number}", "{number} mal", "{op} {once:number}", "{op} {number} mal"),
	}
}

func germanVerbs() map[string][]row {
	return map[string][]row{
		"now":  rows("standardmäßig|jetzt|nun|auch|beide|alle"),
		"is":   rows("(ist|sind|wird|werden|bleibt|bleiben|soll|sollte|sollen|sollten|muss|müssen|müsste) [<now>]"),
		"be":   rows("sein|werden|bleiben|worden|worden sein"),
		"not":  {{"nicht|nicht mehr|nicht länger|noch nicht", "not"}},
		"no":   {{"kein|keine|keinen|keinem|keiner|keines|keine der|keinerlei", "not"}},
		"page": rows("(die|eine|diese) (seite|website|webseite|anwendung|app|oberfläche|applikation)|der bildschirm|das system"),
		"user": rows("(der|die|ein) (nutzer|benutzer|anwender|user|kunde|besucher|nutzerin|benutzerin)|man|ich|wir|sie|du|nutzer|benutzer"),
		"show": rows("zeigt|zeigen|enthält|enthalten|hat|listet|nennt"), "showing": rows("anzeigen|zeigen|enthalten|darstellen|auflisten"),
		"should": rows("soll|sollte|sollen|sollten|muss|müssen|müsste"),
		"say":    {{"zeigt|zeigen|sagt|lautet|meldet", "shows"}, {"enthält|enthalten|nennt|listet", "contains"}}, "shut": rows("an|auf"),
		"sees": rows("sieht|sehe|seht|sehen|findet|finde|finden|siehst|bekommt|erhält"), "seeing": rows("sehen|finden|erhalten"), "can": rows("kann|können|soll|sollte|sollen|sollten|muss|müssen|möchte|möchten"),
		"appear": rows("erscheint|erscheinen|existiert|existieren|öffnet sich|taucht auf"), "appearing": rows("erscheinen|existieren"),
		"vanish":   {{"verschwindet|verschwinden|fehlt|fehlen|entfällt", "not"}},
		"hides":    {{"verbirgt|versteckt", "not"}},
		"where":    rows("auf (der|dieser) seite|auf der aktuellen seite|auf dem bildschirm|dem nutzer|dem benutzer|in der anwendung|in der oberfläche"),
		"openverb": {{"öffnet|öffnen", "open"}, {"schließt|schließen", "!open"}}, "pair": rows("weder"), "nor2": {{"noch", "not"}}, "wording": {{"beschriftung|aufschrift|text", "text"}}, "outcome": {{"erfolgreich", "ok"}},
		"opened": {{"öffnet sich|öffnen sich", "open"}, {"schließt sich|schließen sich|schließt", "!open"}},
		"after":  {{"hinter|nach", "after"}}, "before": rows("vor"), "stands": rows("steht|kommt|erscheint|stehen|kommen"),
	}
}

func germanStates() map[string][]row {
	return map[string][]row{
		"price": {{"preis", "money"}}, "loads": {{"lädt|geladen", "ok"}}, "starts": {{"beginnt|fängt", "starts"}}, "ordinal": {{"erste|ersten", "0"}, {"letzte|letzten", "-1"}},
		"nor": {{"nicht", "not"}}, "dann": rows("[und|aber] dann"), "maynot": {{"(darf|dürfen) nicht [mehr]", "not"}}, "may": rows("darf|dürfen"), "lacksnone": {{"(fehlt|fehlen) nicht [mehr]", "seen"}},
		"seen": rows("sichtbar|aufgeführt|gelistet|angezeigt|zu sehen|vorhanden|eingeblendet|dargestellt|zu finden"),
		"state": {{"sichtbar|angezeigt|aufgeführt|zu sehen|vorhanden|eingeblendet|dargestellt|da|zu finden", "visible"}, {"unsichtbar|ausgeblendet|versteckt|verborgen|verschwunden|weg|entfernt", "!visible"},
			{"aktiviert", "activated"}, {"deaktiviert", "!activated"}, {"klickbar|anklickbar|bedienbar|benutzbar", "enabled"}, {"ausgegraut|gesperrt|inaktiv", "!enabled"},
			{"angehakt|angekreuzt|gesetzt|markiert", "checked"}, {"ausgewählt|selektiert", "selected"}, {"abgewählt", "!selected"}, {"aktiv", "active"}, {"eingeschaltet|an", "on"}, {"ausgeschaltet|aus", "!on"},
			{"leer", "empty"}, {"ausgefüllt", "!empty"}, {"fokussiert|im fokus", "focused"}, {"bearbeitbar|editierbar|änderbar", "editable"}, {"schreibgeschützt", "readonly"},
			{"aufgeklappt|ausgeklappt", "expanded"}, {"zugeklappt|eingeklappt", "!expanded"}, {"offen|geöffnet", "open"}, {"geschlossen", "!open"}, {"gedrückt", "pressed"},
			{"im sichtbaren bereich", "in_viewport"}, {"außerhalb des sichtbaren bereichs", "!in_viewport"}},
		"infinitive": {{"anklicken|klicken|bedienen|benutzen", "enabled"}, {"bearbeiten|ändern", "editable"}},
		"textword":   {{"text|inhalt", "exact"}},
		"contains":   {{"enthalten|beinhalten", "contains"}},
		"single":     {{"platzhalter", "placeholder"}, {"klasse|css-klasse", "class_contains"}, {"rolle", "role_equals"}},
		"property":   {{"attribut", "attribute_equals"}},
		"focus":      {{"fokus|tastaturfokus", "focused"}}, "could": {{"geklickt|angeklickt|benutzt|bedient", "enabled"}, {"bearbeitet|geändert", "editable"}, {"gesehen|gefunden", "visible"}},
		"exact":     {{"genau|exakt", "exact"}},
		"metric":    rows("kennzahl|kpi|zahl|wert|metrik|kachel|betrag"),
		"total":     {{"summe", "Summe"}, {"gesamtsumme", "Gesamtsumme"}, {"zwischensumme", "Zwischensumme"}, {"saldo", "Saldo"}, {"gesamtbetrag", "Gesamtbetrag"}, {"gesamtpreis", "Gesamtpreis"}, {"preis", "Preis"}, {"endbetrag", "Endbetrag"}, {"rabatt", "Rabatt"}},
		"equals":    rows("ist|beträgt|lautet|zeigt"),
		"direction": {{"aufsteigend|alphabetisch", "ascending"}, {"absteigend", "descending"}},
		"compare":   {{"größer als|mehr als|höher als|über", ">"}, {"mindestens", ">="}, {"kleiner als|weniger als|niedriger als|unter", "<"}, {"höchstens", "<="}},
	}
}

func germanPageWords() map[string][]row {
	return map[string][]row{
		"address": rows("[die|der] [aktuelle] (url|adresse|pfad|seitenadresse|adresse der seite|url der seite)"),
		"how":     {{"ist|lautet|bleibt", "is"}, {"enthält|beinhaltet", "contains"}, {"ändert sich (zu|auf|in)|wechselt (zu|auf)", "is"}, {"beginnt mit|fängt an mit|startet mit", "starts"}, {"endet auf|endet mit", "ends"}},
		"moved":   rows("weitergeleitet|umgeleitet|geleitet|geführt"), "at": rows("auf|zu|nach|bei|auf die seite|zur seite"),
		"console": rows("[die|der|den] [browser] (konsole|browser-konsole|browserkonsole|javascript-konsole|entwicklerkonsole)"),
		"logged":  rows("angezeigt|ausgegeben|protokolliert|geloggt|gemeldet"), "errors": rows("fehler|fehlern|fehlermeldung|fehlermeldungen|javascript-fehler"), "consoleerrors": rows("konsolenfehler|konsolen-fehler|javascript-fehler"),
		"clean": {{"sauber|fehlerfrei|frei von fehlern|ohne fehler", "clean"}}, "without": {{"ohne", "not"}},
		"answers": rows("antwortet mit|liefert|ergibt|antwortet"), "status": rows("[dem|den|einem|einen] (status|statuscode|http-status|code|http-statuscode)"),
		"method":        {{"get", "GET"}, {"post", "POST"}, {"put", "PUT"}, {"patch", "PATCH"}, {"delete", "DELETE"}},
		"methodrequest": {{"get-anfrage|get-request|get-aufruf", "GET"}, {"post-anfrage|post-request|post-aufruf", "POST"}, {"put-anfrage|put-request", "PUT"}, {"patch-anfrage|patch-request", "PATCH"}, {"delete-anfrage|delete-request", "DELETE"}},
		"request":       rows("anfrage|request|aufruf"), "sent": rows("gesendet|gestellt|abgeschickt|ausgelöst|gemacht|geschickt"),
		"dialog": {{"browser-dialog|javascript-dialog", ""}, {"javascript-alert|browser-alert|alert-box", "alert"}, {"confirm-box|javascript-confirm|confirm-dialog", "confirm"}},
	}
}
