package claim

// italian returns the table of Italian. "non c'è nessun" denies once: the second word
// agrees with the first, so forms have it as the class "agreed".
func italian() *language {
	return &language{code: "it", name: "Italian", elides: true, roles: italianRoles(), classes: merged(italianNouns(), italianVerbs(), italianStates(), italianPageWords()),
		forms: extended(append(italianElements(), italianPage()...), italianUnnamed())}
}

func italianRoles() []roleWords {
	return []roleWords{
		{"pulsante|bottone|tasto", "pulsanti|bottoni|tasti", "button"}, {"link|collegamento", "link|collegamenti", "link"},
		{"intestazione|titolo", "intestazioni|titoli", "heading"},
		{"campo di testo|casella di testo|area di testo|campo password", "campi di testo|caselle di testo", "textbox"},
		{"campo [di input]|input", "campi|input", "field"}, {"campo di ricerca|barra di ricerca|casella di ricerca", "campi di ricerca", "searchfield"},
		{"casella di controllo|casella di spunta|checkbox|spunta", "caselle di controllo|caselle di spunta|checkbox", "checkbox"},
		{"pulsante di opzione|pulsante radio|radio button|radio", "pulsanti di opzione|pulsanti radio", "radio"}, {"interruttore", "interruttori", "switch"},
		{"menu a tendina|menù a tendina|menu a discesa|elenco a discesa|tendina|select|dropdown", "menu a tendina|elenchi a discesa", "dropdown"}, {"casella combinata|combobox", "caselle combinate", "combobox"},
		{"opzione", "opzioni", "option"}, {"scheda|tab", "schede|tab", "tab"},
		{"finestra di dialogo|dialogo|finestra modale|modale|dialog", "finestre di dialogo|dialoghi|modali", "dialog"}, {"alert", "alert", "alert"},
		{"tabella", "tabelle", "table"}, {"riga", "righe", "row"}, {"colonna|intestazione di colonna", "colonne", "columnheader"}, {"cella", "celle", "cell"},
		{"elenco|lista", "elenchi|liste", "list"}, {"voce|elemento dell' elenco", "voci", "listitem"}, {"elemento", "elementi", "entry"}, {"immagine|foto", "immagini|foto", "img"},
		{"menu|menù", "menu|menù", "menu"}, {"voce di menu|voce del menu", "voci di menu|voci del menu", "menuitem"},
		{"barra di avanzamento|barra di progresso", "barre di avanzamento", "progressbar"}, {"modulo|form", "moduli|form", "form"},
		{"navigazione|barra di navigazione", "", "navigation"}, {"sezione|regione|area", "sezioni|regioni", "region"}, {"tooltip|suggerimento", "tooltip", "tooltip"}, {"barra di stato", "", "status"}, {"barra degli strumenti", "", "toolbar"}, {"piè di pagina|footer", "", "contentinfo"},
	}
}

func italianNouns() map[string][]row {
	return map[string][]row{
		"art": {{"un|uno|una|un'", "a"}, {"il|lo|la|l'|i|gli|le|questo|questa|questi|queste", "the"}},
		"noun": {{"testo|testi|parola|parole|scritta|etichetta|dicitura|contenuto", "text"},
			{"messaggio [d' errore|di errore|di successo|di conferma|di avviso|di stato]|errore|avviso|notifica|avvertimento|messaggi|errori|errore di validazione", "message"}},
		"link": {{"chiamato|chiamata|denominato|denominata|intitolato|intitolata|con [il|l'] (nome|etichetta|titolo)", "name"}, {"con [il] (testo|messaggio|contenuto)|con [la] scritta|con scritto|che dice|con", "text"}},
		"base": rows("[<art>] {noun} {quotes}", "{quote}", "[<art>] {role} {quote}", "[<art>] {role} {link} {quote}", "[<art>] {role} {name}", "[<art>] {roles} [{link}] {quotes}", "[{art}] {role}"),
		"sub":  rows("{base}", "{base} <in> {base:around}"),
		"in":   rows("in|nel|nella|nell'|nei|nelle|del|della|dell'|dei|delle|di|sul|sulla|sull'|dal|dalla|dall'|all' interno del|all' interno della|dentro|su"),
		"and":  rows("e|ed|,|, e|e anche|nonché"), "then": append(rows("e|ed|,|, e|;|.|. e|e poi|e che|, mentre|mentre"), row{"ma|, ma|però|, però", "but"}),
		"both": rows("sia"), "it": rows("esso|essa|questo|questa"), "end": rows(".|!"),
		"intro":  rows("<verify> che", "allora|e|quindi|poi|ma|ed|e poi|e quindi", "[il] (risultato|risultato atteso|atteso|esito atteso) :", "ci si aspetta che", "mi aspetto che"),
		"verify": rows("verifica|verificare|verifico|controlla|controllare|assicurati|assicurarsi|conferma|confermare|si verifica|accertarsi"),
		"number": {{"un solo|una sola|esattamente (un|una|uno)", "1"}, {"due", "2"}, {"tre", "3"}, {"quattro", "4"}, {"cinque", "5"}, {"sei", "6"}, {"sette", "7"}, {"otto", "8"}, {"nove", "9"}, {"dieci", "10"}, {"undici", "11"}, {"dodici", "12"}, {"zero", "0"}},
		"op":     {{"esattamente|solo|soltanto|in totale", "="}, {"almeno|minimo|non meno di", ">="}, {"al massimo|massimo|non più di|al più|fino a", "<="}, {"più di|oltre", ">"}, {"meno di", "<"}},
		"post":   {{"o più", ">="}, {"o meno", "<="}}, "none": {{"zero|nessuna|nessun|nessuno", "0"}},
		"count": rows("{number}", "{op} {number}", "{number} {post:op}", "{none:number}"),
		"once":  {{"una volta", "1"}},
		"times": rows("{once:number}", "{number} (volta|volte)", "{op} {number} (volta|volte)"),
	}
}

func italianVerbs() map[string][]row {
	return map[string][]row{
		"now":     rows("ora|adesso|anche|entrambi|entrambe|tutti|tutte"),
		"modal":   rows("deve|devono|dovrebbe|dovrebbero|dovrà|dovranno"),
		"is":      rows("è|sono|sia|siano|essere|rimane|rimangono|resta|restano|diventa|diventano|risulta|risultano|viene|vengono|venga|vengano|venire|rimanere|diventare|è stato|è stata|sono stati|sono state"),
		"be":      {{"[<modal>] <is> [<now>]", ""}, {"non [<modal>] <is> [più|ancora]", "not"}},
		"do":      {{"<modal>", ""}, {"non [<modal>]", "not"}},
		"non":     {{"non", "not"}},
		"agreed":  rows("nessun|nessuno|nessuna|alcun|alcuno|alcuna|più|più nessun|più nessuna"),
		"no":      {{"nessun|nessuno|nessuna|alcun|alcuna", "not"}},
		"page":    rows("(la|una|questa) (pagina|schermata|vista) [web]|il (sito|sistema|browser)|(l'|un') (applicazione|app|interfaccia)|lo schermo|pagina"),
		"user":    rows("(l'|un') utente|gli utenti|il (cliente|visitatore)|utente|si"),
		"show":    rows("mostra|mostrano|contiene|contengono|visualizza|visualizzano|riporta|presenta|include|ha|mostrare|contenere|visualizzare|presentare|mostri|contenga|visualizzi|avere|elenca"),
		"say":     {{"mostra|mostrano|visualizza|riporta|dice|indica|mostrare|riportare|dire|mostri|riporti", "shows"}, {"contiene|contengono|include|contenere|contenga|elenca", "contains"}},
		"default": rows("per impostazione predefinita|di default|per default"), "pair": rows("né"), "neither": {{"né", "not"}}, "wording": {{"etichetta|testo|scritta", "text"}},
		"see": rows("vede|vedono|veda|vedere|visualizza|visualizzare|trova|trovare|riceve"), "can": {{"può|possono|dovrebbe poter|deve poter", ""}, {"non (può|possono|deve poter|dovrebbe poter)", "not"}},
		"appear": rows("ricompare|ricompaiono|riappare|appare|appaiono|compare|compaiono|esiste|esistono|apparire|comparire|esistere|appaia|compaia|esista"),
		"vanish": {{"scompare|scompaiono|sparisce|spariscono|manca|mancano|è scomparso|è scomparsa|è sparito|è sparita", "not"}},
		"where":  rows("(nella|sulla) pagina|sullo schermo|a schermo|nella schermata|all' utente"),
		"there":  {{"[ci] (è|sono)|c' è|[<modal>] esserci|ci (sia|siano)|ci deve essere|ci devono essere|ci dovrebbe essere", ""}, {"non (c' è|ci sono|deve esserci|devono esserci|dovrebbe esserci|ci deve essere|ci devono essere|ci sia|ci siano) [più]", "not"}},
		"opened": {{"si apre|si aprono", "open"}, {"si chiude|si chiudono", "!open"}},
		"after":  {{"dopo|segue", "after"}}, "seeing1": rows("vedo|vediamo|vedi|trovo|visualizzo"), "must": rows("dovrei|dovremmo|dovresti|devo|dobbiamo|posso|possiamo|riesco a|dovrei poter|devo poter"), "seeing": rows("vedere|visualizzare|trovare|leggere"),
		"box": rows("[<art>] {boxword:role} {quote}"), "boxword": {{"casella", "checkbox"}}, "boxstate": {{"selezionata|spuntata|marcata", "checked"}, {"deselezionata", "!checked"}}, "stands": rows("viene|sta|compare|appare|è elencato|è elencata|precede"),
		"lately": rows("più|ora|adesso"),
	}
}

func italianStates() map[string][]row {
	return map[string][]row{
		"price": {{"prezzo", "money"}}, "loads": {{"si carica|viene caricata|caricarsi", "ok"}}, "starts": {{"inizia con|comincia con|iniziare con", "starts"}}, "ordinal": {{"prima", "0"}, {"ultima", "-1"}},
		"nor":  {{"non", "not"}},
		"seen": rows("visibile|visibili|visualizzato|visualizzata|visualizzati|visualizzate|mostrato|mostrata|mostrati|mostrate|presente|presenti"),
		"state": {{"<seen>|sullo schermo", "visible"}, {"nascosto|nascosta|nascosti|nascoste|invisibile|invisibili|assente|assenti|rimosso|rimossa|rimossi|rimosse|scomparso|scomparsa", "!visible"},
			{"abilitato|abilitata|abilitati|abilitate|cliccabile|cliccabili|utilizzabile", "enabled"}, {"disabilitato|disabilitata|disabilitati|disabilitate", "!enabled"},
			{"attivo|attiva|attivi|attive|attivato|attivata", "activated"}, {"disattivato|disattivata|disattivati|disattivate", "!activated"},
			{"spuntato|spuntata|spuntati|spuntate", "checked"}, {"selezionato|selezionata|selezionati|selezionate", "selected"}, {"deselezionato|deselezionata|non selezionata", "!selected"},
			{"acceso|accesa", "on"}, {"spento|spenta", "!on"}, {"vuoto|vuota|vuoti|vuote", "empty"}, {"compilato|compilata", "!empty"},
			{"a fuoco|focalizzato|focalizzata|in focus", "focused"}, {"modificabile|modificabili", "editable"}, {"in sola lettura|di sola lettura", "readonly"},
			{"espanso|espansa", "expanded"}, {"compresso|compressa|collassato|collassata", "!expanded"}, {"aperto|aperta|aperti|aperte", "open"}, {"chiuso|chiusa|chiusi|chiuse", "!open"}, {"premuto|premuta", "pressed"}},
		"focus": {{"focus|fuoco", "focused"}}, "could": {{"cliccato|cliccata|utilizzato|premuto", "enabled"}, {"modificato|modificata", "editable"}},
		"exact": {{"esattamente|esatto", "exact"}}, "textword": {{"testo|contenuto", "exact"}}, "single": {{"segnaposto|placeholder", "placeholder"}, {"classe", "class_contains"}, {"ruolo", "role_equals"}}, "property": {{"attributo", "attribute_equals"}},
		"metric": rows("metrica|indicatore|kpi|cifra|valore|numero"), "total": {{"totale", "Totale"}, {"subtotale", "Subtotale"}, {"saldo", "Saldo"}, {"sconto", "Sconto"}, {"importo totale", "Importo totale"}, {"prezzo totale", "Prezzo totale"}, {"prezzo", "Prezzo"}},
		"direction": {{"[in] [ordine|modo] (crescente|ascendente|alfabetico)|in ordine alfabetico", "ascending"}, {"[in] [ordine|modo] (decrescente|discendente)", "descending"}},
		"compare":   {{"maggiore di|superiore a|più di", ">"}, {"almeno", ">="}, {"minore di|inferiore a|meno di", "<"}, {"al massimo", "<="}},
	}
}

func italianPageWords() map[string][]row {
	return map[string][]row{
		"address": rows("(l'|un') (url|indirizzo) [della pagina|corrente|attuale]|url [della pagina]|il percorso|indirizzo"),
		"how":     {{"è|resta|rimane|diventa", "is"}, {"contiene|contenere|include", "contains"}, {"cambia in|passa a", "is"}, {"inizia con|comincia con|iniziare con", "starts"}, {"finisce con|termina con|terminare con", "ends"}},
		"moved":   rows("reindirizzato|reindirizzata|rediretto|portato|indirizzato|reindirizzati|rimandato"), "at": rows("a|su|verso|alla pagina|all' indirizzo"),
		"console": rows("la console [del browser|javascript]|console [del browser]"), "inconsole": rows("nella console [del browser]|in console"),
		"errors": rows("errori|errore|errori javascript"), "logged": rows("mostrati|mostrato|visualizzati|registrati|segnalati|presenti"), "clean": {{"pulita|senza errori|priva di errori", "clean"}}, "without": {{"senza", "not"}},
		"answers": rows("risponde con|restituisce|ritorna|risponde"), "status": rows("[lo|il|uno|un] (stato|codice di stato|codice|status|codice http)"),
		"method": {{"get", "GET"}, {"post", "POST"}, {"put", "PUT"}, {"patch", "PATCH"}, {"delete", "DELETE"}},
		"sent":   rows("inviata|effettuata|fatta|eseguita|mandata"),
		"dialog": {{"(alert|avviso) (del browser|javascript)", "alert"}, {"(dialogo|finestra) (del browser|javascript)", ""}},
	}
}
