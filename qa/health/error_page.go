package health

import (
	"fmt"
	"strings"

	"github.com/assay-qa/assay/pattern"
)

// Error pages are short. What is longer is about errors.
const (
	maxErrorWords    = 2500
	maxErrorControls = 6
	maxErrorTexts    = 80
)

// reason matches the phrases by which servers name a status, in the languages
// into which they are translated.
const reason = `(?:bad request(?: ?[-–—] ?invalid (?:hostname|url|header))?|unauthori[sz]ed(?: access)?|authori[sz]ation required|payment required|forbidden|access (?:is )?denied|not found|(?:object|file|page|resource|url|path) not found|method not allowed|not acceptable|` +
	`proxy authentication required|request time-?out|conflict|gone|length required|precondition failed|(?:request entity|payload|content) too large|(?:request-)?uri too (?:long|large)|unsupported media type|` +
	`unprocessable (?:entity|content)|misdirected request|locked|too early|upgrade required|too many requests|request header (?:or cookie |fields )?too large|unavailable for legal reasons|client closed request|page expired|` +
	`internal(?: server)? error|server error|not implemented|bad gateway|(?:service|backend)(?: temporarily)? unavailable|(?:proxy|gateway) time-?out|http version not supported|insufficient storage|` +
	`bandwidth limit exceeded|network authentication required|backend fetch failed|backend is unhealthy|first byte timeout|connection timed out|web server is down|web server is returning an unknown error|origin is unreachable|a timeout occurred|ssl handshake failed|` +
	`site not found|maintenance|file or directory not found|` +
	`(?:objekt |seite |datei )?nicht gefunden|interner (?:server-?)?fehler|server-?fehler|zugriff verweigert|verboten|nicht autorisiert|(?:dienst|service) (?:ist )?(?:vorübergehend )?nicht verfügbar|ungültige anfrage|` +
	`(?:objet |page |fichier )?(?:non trouvée?|introuvable)|erreur (?:interne )?(?:du )?serveur|interdit|accès (?:refusé|interdit)|service (?:temporairement )?(?:indisponible|non disponible)|mauvaise (?:requête|passerelle)|requête incorrecte|` +
	`(?:¡?objeto |página |archivo )?no (?:se ha )?(?:encontrad[oa]|localizado)|error (?:interno )?(?:del|de) servidor|prohibido|acceso (?:denegado|prohibido)|servicio (?:temporalmente )?no disponible|solicitud incorrecta|puerta de enlace incorrecta|` +
	`(?:oggetto |pagina )?non trovat[oa]|errore (?:interno )?del server|(?:accesso )?(?:vietato|negato)|servizio (?:temporaneamente )?non disponibile|(?:página |objeto )?não encontrad[oa]|erro (?:interno )?(?:do|no) servidor|proibido|acesso negado|serviço (?:temporariamente )?indisponível|` +
	`(?:pagina |object )?niet gevonden|interne serverfout|verboden(?: toegang)?|toegang geweigerd|nie znaleziono(?: strony)?|wewnętrzny błąd serwera|zabronione|sayfa bulunamadı|bulunamadı|sunucu hatası|hittades inte|internt serverfel|` +
	`(?:страница )?не найден[ао]?|внутренняя ошибка сервера|доступ запрещ[её]н|сервис (?:временно )?недоступен|未找到|找不到(?:页面|檔案)?|(?:服务器)?内部(?:服务器)?错误|服务器错误|禁止访问|服务不可用|(?:ページが)?見つかりません|内部サーバーエラー|サーバー ?エラー|찾을 수 없음|서버 오류)`

// line matches a status as pages name it, with or without its number.
var (
	line   = pattern.New(`(?i)^[^\pL\d]*(?:(?:http|https)[ /\d.]*)?(?:(?:status(?: code)?|error|erreur|fehler|errore|erro|état(?: http)?|estado(?: http)?|codice|code|http)[ :#-]*)*(?:[45]\d\d(?:\.\d+)?)?[^\pL\d]*(?:error[: -]*)?(?:the )?` + reason + `(?:[^\pL\d]*[45]\d\d)?[^\pL\d]*\d?$`)
	number = pattern.New(`(?i)^[^\pL\d]*(?:http[ :]*)?(?:error|fehler|erreur|status|code)?[ :#-]*[45]\d\d[^\pL\d]*(?:error|fehler|erreur)?[^\pL\d]*$`)
	// Where a title names the site beside the status.
	brand = pattern.New(`\s+[|·•»–—-]\s+`)
)

// errorPage recognises an error page by its title and its heading, and
// describes it. One of them alone proves nothing: a dashboard may mention
// errors.
func errorPage(f Facts) (string, bool) {
	for _, o := range f.Overlays {
		if found := overlay(o, f); found != "" {
			return found, true
		}
	}
	heads, body := headings(f), bodyOf(f)
	for _, k := range knownPages {
		if k.match(f, heads, body) {
			return fmt.Sprintf("the error page of %s: %s", k.of, quoted(readFirst(f, heads))), true
		}
	}
	if f.Words > maxErrorWords || len(f.Texts) > maxErrorTexts || f.Controls > maxErrorControls || len(heads) == 0 {
		return "", false
	}
	titled := line.MatchString(f.Title)
	if !titled {
		for _, part := range brand.Split(f.Title, 3) {
			titled = titled || line.MatchString(part) && len(f.Texts) <= 12
		}
	}
	for _, h := range heads {
		if !line.MatchString(h) && (!number.MatchString(h) || !titled) {
			continue
		}
		if titled || f.Title == "" && len(f.Texts) <= 6 || number.MatchString(f.Title) {
			return fmt.Sprintf("an error page: %s", quoted(readFirst(f, heads))), true
		}
	}
	return "", false
}

// overlay returns what a development server shows over the page.
func overlay(element string, f Facts) string {
	if element == "vite-error-overlay" || element == "nuxt-error-overlay" {
		return "the error overlay of " + strings.TrimSuffix(element, "-error-overlay")
	}
	for _, t := range f.Texts {
		if overlayWords.MatchString(t.Text) {
			return "an error overlay: " + quoted(t.Text)
		}
	}
	return ""
}

var overlayWords = pattern.New(`^(?:Unhandled Runtime Error|Runtime \w*Error|Build Error|Failed to compile|Compiled with problems|Server Error|Console \w*Error|An error occurred\.?)`)

// headings returns what stands at the head of a page: its headings, its first
// texts, alone and in one.
func headings(f Facts) []string {
	var out []string
	for _, t := range f.Texts {
		if t.Level > 0 && len(out) < 8 {
			out = append(out, t.Text)
		}
	}
	for i := range min(3, len(f.Texts)) {
		joined := make([]string, i+1)
		for k := range joined {
			joined[k] = f.Texts[k].Text
		}
		out = append(out, strings.Join(joined, " "))
	}
	return out
}

// readFirst returns what a person reads first.
func readFirst(f Facts, heads []string) string {
	if f.Title != "" {
		return f.Title
	}
	return heads[0]
}

const maxBody = 20_000

func bodyOf(f Facts) string {
	var b strings.Builder
	for _, t := range f.Texts {
		if b.Len() > maxBody {
			break
		}
		b.WriteString(t.Text)
		b.WriteByte('\n')
	}
	return b.String()
}

// match reports whether all that is known of an error page is there.
func (k knownPage) match(f Facts, heads []string, body string) bool {
	if k.title != nil && !k.title.MatchString(f.Title) || k.body != nil && !k.body.MatchString(body) {
		return false
	}
	if k.bare && (f.Words > 600 || len(f.Texts) > 8 || f.Controls > 1) {
		return false
	}
	if k.title == nil && f.Controls > maxErrorControls { // an application that has such words in it
		return false
	}
	if k.heading == nil {
		return true
	}
	for _, h := range heads {
		if k.heading.MatchString(h) {
			return true
		}
	}
	return false
}
