package claim

func italianElements() []form {
	return []form{
		{"text-visible", `la pagina mostra "Pagato"`, []string{
			"<page> [{do}] <show> [{no}] {things} [<in> {sub:around}] [<where>]", "<page> {non} <show> <agreed> {things} [<in> {sub:around}]",
			"<user> [{do}] <see> [{no}] {things} [<in> {sub:around}] [<where>]", "<user> {non} <see> <agreed> {things} [<in> {sub:around}]", "<user> {can} (vedere|visualizzare) {things} [<in> {sub:around}] [<where>]",
			"{there} {things} [<in> {sub:around}] [<where>]", "{non} (c' è|ci sono|esiste|esistono) <agreed> {things} [<in> {sub:around}] [<where>]", "<in> {sub:around} {there} {things}",
			"{things} [{do}] <appear> [<lately>] [<in> {sub:around}] [<where>]", "[{do}] <appear> {things} [<in> {sub:around}] [<where>]", "{things} {vanish} [<in> {sub:around}] [<where>]", "{no} {things} {be} <seen> [<in> {sub:around}] [<where>]", "{no} {things} <appear> [<where>]",
			"[{non}] (viene|vengono|è|sono) <seen> {things} [<in> {sub:around}] [<where>]", "{non} (viene|vengono|è|sono) <seen> <agreed> {things} [<in> {sub:around}] [<where>]", "{no} {things} (<where>|<in> {sub:around})",
			"{things} {be} <in> {sub:around}",
		}},
		{"element-state", `il pulsante "Salva" è disabilitato`, []string{"{things} {be} {states} [<in> {sub:around}] [<where>] [<default>]", "{things} [{non}] {opened}", "{things} [{do}] (ha|hanno|avere) il {focus:could}", "il {focus:could} {be} (su|sul|sulla|nel) {things}", "{things} {can} essere {could}"}},
		{"shown-with", `il messaggio di errore è "Non valido"`, []string{
			"[<art>] {noun} [<modal>] (è|dice|recita|essere|dire) [:] {quote}", "[<art>] {noun} : {quote}", "[<art>] {role} si chiama {quote}", "[<art>] {role} (ha|deve avere) (l'|il|la) {wording:link} {quote}",
			"il titolo (del|della|dell') {role} {be} {quote:title}",
		}},
		{"element-attached", `il pulsante "Salva" è presente nel DOM`, []string{"{things} {be} [presente|presenti] nel dom", "{things} [{do}] (esiste|esistono) nel dom"}},
		{"element-text", `la tabella "Ordini" contiene "Tè"`, []string{"{sub} [{do}] {starts} {quote}", "<art> {ordinal} riga [<in> {sub}] [{do}] {say} {things:inner}", "{sub} [{do}] {say} [{no}] {things:inner}", "{sub} {non} {say} <agreed> {things:inner}", "{sub} [{do}] {say} {amount}", "{sub} [{do}] (ha|avere) il testo {things:inner}", "il {textword:exact} <in> {sub} {be} [esattamente] {things:inner}", "{sub} [{do}] <say> {exact} {things:inner}"}},
		{"element-is", `il campo "E-mail" è compilato con "a@b.example"`, []string{"{sub} {be} [compilato con|impostato su|impostata su|valorizzato con|precompilato con] {value}"}},
		{"field-value", `il campo "E-mail" ha il valore "a@b.example"`, []string{"{sub} [{do}] (ha|avere|contiene|mostra|contenere) [il] valore {value}", "il valore <in> {sub} {be} {value}"}},
		{"selected-option", `nel menu a tendina "Paese" è selezionato "Italia"`, []string{"<in> {sub} {be} (selezionato|selezionata|scelto) [l' opzione] {quote}", "[l' opzione] {quote} {be} (selezionato|selezionata|scelto|scelta) <in> {sub}", "{sub} [{do}] ha {quote} (selezionato|selezionata)", "l' opzione selezionata <in> {sub} {be} {quote}"}},
		{"attribute", `il campo "E-mail" ha il segnaposto "Nome"`, []string{"{sub} [{do}] ha (il|la|l') {single:property} {value}", "{sub} [{do}] ha l' {property} {quote:attribute} con [il] valore {value}"}},
		{"link-target", `il link "Guida" porta a /guida`, []string{"{sub} [{do}] (porta|punta|conduce|rimanda) a {path}"}},
		{"field-error", `il campo "E-mail" mostra l'errore "Obbligatorio"`, []string{"{sub} [{do}] (mostra|ha) (l' errore|il messaggio di errore|il messaggio d' errore) {quote}"}},
		{"count", `la tabella "Ordini" ha 3 righe`, []string{
			"{sub} [{do}] (ha|avere|contiene|contenere|mostra|mostrare|elenca) {count} ({roles}|{role}) [[{link}] {quote}]",
			"[{non}] (ci sono|c' è|ci devono essere|ci deve essere|devono esserci) {count} ({roles}|{role}) [[{link}] {quote}] [<in> {sub:around}] [<where>]", "<page> [{do}] <show> {count} ({roles}|{role}) [[{link}] {quote}] [<in> {sub:around}]", "<user> [{do}] <see> {count} ({roles}|{role}) [[{link}] {quote}] [<in> {sub:around}]",
			"{count} ({roles}|{role}) [[{link}] {quote}] {be} <seen> [<in> {sub:around}] [<where>]", "<in> {sub:around} (ci sono|c' è) {count} ({roles}|{role}) [[{link}] {quote}]", "(vengono|sono) <seen> {count} ({roles}|{role}) [[{link}] {quote}] [<in> {sub:around}]", "il numero di {roles} [<in> {sub:around}] {be} {count}",
			"[il] [<noun>] {quote} (appare|compare) {times:count} [<in> {sub:around}] [<where>]", "[il] [<noun>] {quote} {be} <seen> {times:count} [<in> {sub:around}] [<where>]",
		}},
		{"order", `"Caffè" viene prima di "Tè"`, []string{"{sub:first} [{do}] <stands> prima (di|del|della|dell') {sub:second}", "{sub:first} [{do}] precede {sub:second}", "{sub:first} [{do}] <stands> {after} {sub:second}"}},
		{"sorted", `la tabella "Ordini" è ordinata per "Data" in ordine decrescente`, []string{"{sub} {be} (ordinata|ordinato|ordinati) per [colonna] {quote} {direction}", "{sub} {be} {direction}", "{sub} {be} (ordinata|ordinato|ordinati) {direction} [per [colonna] {quote}]"}},
		{"number", `il numero nella barra di stato è maggiore di 5`, []string{"il (numero|valore) <in> {sub} {be} {compare:op} {decimal}"}},
	}
}

func italianPage() []form {
	return []form{
		{"title", `il titolo della pagina è "Ordini"`, []string{"[il] titolo (della pagina|del documento|della scheda|del browser) {be} {quote}", "[il] titolo {be} {quote}", "<page> [{do}] (ha|avere) [come|il] titolo {quote}", "<page> {be} (intitolata|intitolato) {quote}"}},
		{"address", `l'URL è /ordini`, []string{"<address> {be} {path}", "<address> [{do}] {how} ({path}|{quote})", "<user> {be} <moved> <at> {path}", "<page> [{do}] (reindirizza|porta) a {path}", "<user> {be} (su|sulla pagina|a) {path}", "<user> [{do}] (arriva|resta|rimane|finisce) (su|sulla pagina|a) {path}"}},
		{"response", `GET /api/orders risponde con 200`, []string{"<page> {loads:outcome}", "[la] [richiesta|chiamata] [a] [{method}] {path} [{do}] <answers> [<status>] {number}", "[il|lo] (codice di stato|stato|codice) (della risposta [di [{method}] {path}]|di [{method}] {path}|http) {be} {number}", "[il|lo] (codice di stato|stato http|codice http) {be} {number}", "(la pagina|il server|la risposta) [{do}] <answers> [<status>] {number}"}},
		{"request", `viene inviata una richiesta POST a /api/orders`, []string{"[{non}] (viene|è stata) <sent> [una|<agreed>] [richiesta|chiamata] [{method}] a {path}", "[una|la|{no}] (richiesta|chiamata) [{method}] a {path} [{non}] (viene|è|è stata) <sent>", "<page> [{do}] (invia|effettua|fa) una (richiesta|chiamata) [{method}] a {path}"}},
		{"console", `la console non mostra errori`, []string{"<console> {be} {clean}", "<console> [{do}] (mostra|contiene|ha|presenta|riporta) <errors>", "<console> {non} (mostra|contiene|ha|presenta|riporta) <agreed> <errors>", "{no} <errors> <inconsole>", "{there} <errors> <inconsole>", "{non} (c' è|ci sono) <agreed> <errors> <inconsole>", "<inconsole> {there} <errors>", "<inconsole> {non} (appare|appaiono|compare|compaiono) [<agreed>] <errors>", "{without} <errors> <inconsole>"}},
		{"dialog", `un alert del browser "Salvato" appare`, []string{"[un|l'|{no}] {dialog} [con [il] testo] [{quote}] (appare|si apre)", "[un|l'|{no}] {dialog} [con [il] testo] [{quote}] {be} (mostrato|mostrata|aperto)"}},
		{"popup", `si apre una nuova scheda`, []string{"[{non}] si apre (una nuova (scheda|finestra)|{no} nuova (scheda|finestra)) [(con|su) {path}]", "una nuova (scheda|finestra) [{non}] si apre [(con|su) {path}]", "[{non}] viene aperta una nuova (scheda|finestra)", "{path} si apre in una nuova (scheda|finestra)"}},
		{"download", `il file "rapporto.csv" viene scaricato`, []string{"[un|il|{no}] file [{quotes}] {be} scaricato", "{quotes} {be} (scaricato|scaricati)", "[{non}] (viene|vengono) (scaricato|scaricati) (il|i|un) file {quotes}", "<page> [{do}] scarica il file {quotes}", "il download (del file|di) {quotes} (inizia|parte)"}},
		{"figure", `l'indicatore "Ricavi" è 1.234`, []string{"[il|la|l'] <metric> {quote:label} {be} {amount}", "[il|la|l'] <metric> {quote:label} [{do}] (mostra|segna|vale) {amount}", "{quote:label} {be} {amount}", "[il|lo|l'] {total:label} {be} {amount}", "il {price} <in> {quote:label} {be} {amount}"}},
	}
}
