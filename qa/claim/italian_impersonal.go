package claim

// italianUnnamed returns the patterns without a subject in front: the verb says who
// sees ("vedo"), or what is seen stands behind it ("viene mostrato").
func italianUnnamed() map[string][]string {
	return map[string][]string{
		"text-visible": {
			"(mostra|visualizza|contiene) {things} [<where>]", "{non} (mostra|visualizza|contiene) [<agreed>] {things} [<where>]", "[{non}] (deve|dovrebbe) (mostrare|visualizzare|contenere) {things} [<where>]", "<pair> {things} {neither} {things:more} {be} <seen> [<where>]",
			"[io|noi] <seeing1> [<where>] [{no}] {things} [<in> {sub:around}] [<where>]", "[io|noi] {non} <seeing1> [più] [<where>] {things} [più] [<in> {sub:around}] [<where>]", "[io|noi] {non} <seeing1> <agreed> {things} [<in> {sub:around}] [<where>]",
			"[io|noi] <must> <seeing> [<where>] {things} [<in> {sub:around}] [<where>]", "[io|noi] {non} <must> [più] <seeing> [più] [<where>] {things} [più] [<in> {sub:around}] [<where>]", "[io|noi] {non} <must> <seeing> <agreed> {things} [<in> {sub:around}] [<where>]",
			"[<where>] [{do}] <appear> [<lately>] [<where>] {things}", "{non} [<modal>] <appear> <agreed> {things} [<in> {sub:around}] [<where>]", "<where> [{do}] <appear> {things}", "<where> {there} {things}", "<where> {non} (c' è|ci sono) <agreed> {things}",
			"<where> {be} <seen> {things}", "{be} <seen> [<where>] {things} [<in> {sub:around}] [<where>]", "{non} <modal> <is> <seen> <agreed> {things} [<in> {sub:around}] [<where>]", "<where> [<modal>] <is> <seen> [{no}] {things}",
			"[{do}] (si vede|si vedono|vedersi|leggersi|si legge) {things} [<in> {sub:around}] [<where>]", "<page> [{do}] <show> [<where>] [<lately>] {things}", "{things} {non} [<modal>] <appear> più [<in> {sub:around}] [<where>]", "{no} {things} [<modal>] <appear> [<in> {sub:around}] [<where>]", "{no} {things} <modal> <is> <seen> [<in> {sub:around}] [<where>]",
			"<in> {sub:around} [{do}] <appear> {things}", "<in> {sub:around} {be} <seen> {things}", "<in> {sub:around} [{do}] (si legge|si vede) {things}",
		},
		"element-state": {"{box:things} {be} {boxstate:could} [<where>]", "{be} {states} {things}", "[{non}] {opened} {things}", "{things} {non} <modal> <is> [più] {states} [<in> {sub:around}] [<where>]"},
		"count": {
			"<in> {sub:around} (vengono|sono) <seen> {count} ({roles}|{role}) [[{link}] {quote}]",
			"[io|noi] (<seeing1>|<must> <seeing>) {count} ({roles}|{role}) [[{link}] {quote}] [<in> {sub:around}] [<where>]", "(appaiono|compaiono|dovrebbero apparire|devono apparire) {count} ({roles}|{role}) [[{link}] {quote}] [<in> {sub:around}] [<where>]", "(devono|dovrebbero|deve|dovrebbe) essere <seen> {count} ({roles}|{role}) [[{link}] {quote}] [<in> {sub:around}]", "dovrebbero esserci {count} ({roles}|{role}) [[{link}] {quote}] [<in> {sub:around}] [<where>]",
			"{count} ({roles}|{role}) [[{link}] {quote}] [{do}] <appear> [<in> {sub:around}] [<where>]",
		},
		"selected-option": {"{sub} [{do}] (ha|avere|mostra) [come] (opzione selezionata|selezionata l' opzione|selezionato|selezionata) {quote}", "(in|nel|nella|nell'|per) {sub} {be} (selezionato|selezionata|scelto|scelta) [l' opzione|il valore] {quote}"},
		"title":           {"titolo della pagina (:|=) {quote}", "il titolo (della pagina|del documento|della scheda|del browser) {non} <modal> <is> {quote}", "[il] titolo (della pagina|del documento) [{do}] essere {quote}"},
		"address": {
			"[{non}] (reindirizza|deve reindirizzare) a {path}",
			"<address> (:|=) {path}",
			"[io|noi] [{non}] (sono|siamo|mi trovo|resto|rimango|arrivo|dovrei essere|dovrei trovarmi|devo essere|devo trovarmi) (su|sulla pagina|sull' url|a|in|alla pagina) {path}", "[io] [{non}] (vengo|sono|dovrei essere|devo essere) [stato|stata] <moved> <at> {path}", "<user> {non} <modal> <is> <moved> <at> {path}", "<user> (si trova|deve trovarsi|dovrebbe trovarsi) (su|sulla pagina|a|in|all' indirizzo) {path}", "<address> {non} <modal> (contenere|essere) {path}", "<address> <modal> essere {path}", "[{non}] (si viene|viene) <moved> <at> {path}"},
		"response": {"(la risposta|la pagina|il server) [{do}] (ha|avere) [lo|il] (stato|codice di stato|codice) {number}", "[il|lo] (codice di stato|stato) della risposta [{do}] essere {number}"},
		"console":  {"<inconsole> {non} (c' è|ci sono|compaiono|appaiono) <agreed> <errors>", "{non} (compaiono|appaiono|compare|appare|vedo) [<agreed>] <errors> <inconsole>", "{non} <modal> (esserci|apparire|comparire) [<agreed>] <errors> <inconsole>", "{non} (vengono|sono|viene) <logged> [<agreed>] <errors> <inconsole>", "{non} ci (devono|dovrebbero) essere [<agreed>] <errors> <inconsole>", "<console> {non} [<modal>] (mostrare|contenere|avere) [<agreed>] <errors>", "<console> [<modal>] (essere|rimanere|resta|rimane) {clean}"},
		"dialog":   {"(appare|si apre|compare) [un|l'] {dialog} [con [il] testo] [{quote}]", "{non} (appare|si apre|compare) <agreed> {dialog}"},
		"download": {"[{non}] (viene|vengono|deve essere|dovrebbe essere) (scaricato|scaricati) [il|i|un] file [{quotes}]", "{non} (viene|deve essere|dovrebbe essere) scaricato <agreed> file [{quotes}]", "[il|un] file {quotes} {non} <modal> <is> scaricato"},
		"figure":   {"[il|lo|l'] {total:label} [{do}] (ammonta a|vale|è pari a|essere|mostra) {amount}", "{quote:label} [{do}] (ammonta a|vale|è pari a|essere) {amount}", "[il|la|l'] <metric> {quote:label} [{do}] (essere|è pari a) {amount}"},
	}
}
