package health

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

var (
	// The titles that generators, servers and editors leave behind.
	placeholder = leftovers.Pattern("placeholder")
	braced      = pattern.New(`\{\{[^{}]*\}\}|\$\{\w[^{}]*\}|<%.*%>`)

	key      = pattern.New(`^[A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)*(?:[.:][A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)*){1,6}$`)
	keyEnd   = leftovers.Pattern("key-end")
	keyBegin = leftovers.Pattern("key-begin")
	keyFile  = leftovers.Pattern("key-file")
	missing  = leftovers.Pattern("missing")

	loading      = leftovers.Pattern("loading")
	failing      = leftovers.Pattern("failing")
	demonstrates = leftovers.Pattern("demonstrates")
	signing      = leftovers.Pattern("signing")
)

// checkLikely looks for what is broken on most pages, and meant on some.
func (j *judge) checkLikely() {
	f := j.facts
	if title := strings.TrimSpace(f.Title); placeholder.MatchString(title) || braced.MatchString(title) {
		j.add(PlaceholderTitle, false, "", "%s", quoted(title))
	}
	j.checkWaiting()
	j.checkTranslationKeys()
	j.checkSources()
	j.checkResponses()
	j.checkStyles()
	j.checkTraffic()
	j.checkUsability()
	if d := f.Dialog; d != nil {
		j.add(DialogOver, false, d.Selector, "%s", quoted(d.Text))
	}
	if f.Asked != "" && f.Passwords > f.New && isOtherPage(f.Asked, f.URL) && !asksToSignIn(f.Asked) {
		j.add(SignIn, false, "", "asked for %s, came to %s, which asks for a password: if that is the sign-in, use assay login ROLE, and check in a run of that role", pathOf(f.Asked), pathOf(f.URL))
	}
	for i, t := range f.Texts {
		if (t.Level > 0 || i < 2) && !isLiteralContext(t) && failing.MatchString(t.Text) && len(f.Texts) < 60 {
			j.add(SaysError, false, t.Selector, "%s", quoted(t.Text))
			break
		}
	}
}

func asksToSignIn(address string) bool {
	u, err := url.Parse(address)
	return err == nil && signing.MatchString(u.Path)
}

// isOtherPage reports whether two addresses lead to different pages.
func isOtherPage(asked, came string) bool {
	a, errA := url.Parse(asked)
	b, errB := url.Parse(came)
	if errA != nil || errB != nil {
		return false
	}
	return a.Host != b.Host || samePath(a.Path) != samePath(b.Path) || a.Fragment != b.Fragment
}

// samePath strips from a path what servers add or take away.
func samePath(path string) string {
	return strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(path, "index.html"), "index.htm"), "/")
}

func pathOf(address string) string {
	if u, err := url.Parse(address); err == nil {
		return u.Redacted()
	}
	return address
}

// waitingShare sets how much of the viewport has to wait for a finding.
const waitingShare = 0.04

// checkWaiting looks for what still waits although the page is at rest. A page that
// shows many kinds of spinners, or says that it does, shows them on purpose.
func (j *judge) checkWaiting() {
	f := j.facts
	if demonstrates.MatchString(f.Title) {
		return
	}
	for _, t := range f.Texts {
		if t.Level > 0 && demonstrates.MatchString(t.Text) && !loading.MatchString(t.Text) {
			return
		}
	}
	spinners, bones, area := 0, 0, 0.0
	var spinner, bone Waiting
	for _, w := range f.Waiting {
		switch {
		case w.Skeleton:
			bones++
			area += w.Share
			bone = w
		case w.Share >= waitingShare:
			spinners++
			spinner = w
		}
	}
	if spinners > 0 && spinners < 5 {
		j.add(EndlessSpinner, false, spinner.Selector, "a spinner, and nothing else on %.0f %% of the viewport", 100*spinner.Share)
	}
	if bones > 0 && area >= waitingShare/4 {
		j.add(EndlessBones, false, bone.Selector, "%d bars of a skeleton", bones)
	}
	for _, t := range f.Texts {
		if !isLiteralContext(t) && !t.Button && !t.Link && loading.MatchString(t.Text) {
			j.add(EndlessSpinner, false, t.Selector, "%s", quoted(t.Text))
		}
	}
}

// checkTranslationKeys looks for keys of translations where words should be.
func (j *judge) checkTranslationKeys() {
	if j.technical {
		return
	}
	var plain []Text
	for _, t := range j.facts.Texts {
		if isLiteralContext(t) {
			continue
		}
		if missing.MatchString(t.Text) {
			j.add(I18nKey, false, t.Selector, "%s", quoted(t.Text))
			continue
		}
		if key.MatchString(t.Text) && !keyBegin.MatchString(t.Text) && !keyFile.MatchString(t.Text) && (keyEnd.MatchString(t.Text) || strings.Count(t.Text, ".") > 1 && !t.Cell) {
			plain = append(plain, t)
		}
	}
	for _, t := range plain {
		if len(plain) > 1 || t.Level > 0 || t.Button || t.Link || strings.Count(t.Text, ".") > 1 || keyEnd.MatchString(t.Text) {
			j.add(I18nKey, false, t.Selector, "%s", quoted(t.Text))
		}
	}
}

func (j *judge) checkSources() {
	for _, p := range j.facts.Images {
		if p.Kind == "empty" {
			j.add(EmptySource, false, p.Selector, "an image without an address")
		} else {
			j.add(BrokenImage, false, p.Selector, "%s", short(p.Text, 200))
		}
	}
	for _, p := range j.facts.Frames {
		j.add(EmptySource, false, p.Selector, "a frame without an address")
	}
}

// checkResponses looks at what came for the page's requests.
func (j *judge) checkResponses() {
	f := j.facts
	if f.Status == 206 || f.Arrived == 206 {
		j.add(PartialContent, false, "", "the document came with status 206")
	}
	if data := rawData(f); data != "" {
		j.add(RawData, false, "", "%s", data)
	}
	for _, r := range f.Requests {
		of, _, _ := strings.Cut(strings.ToLower(r.ContentType), ";")
		of = strings.TrimSpace(of)
		switch {
		case r.Blocked || r.Main:
		case r.Type == "document" && (r.Failure != "" && !r.Aborted || r.Status >= 400):
			j.add(BrokenFrame, false, "", "%s %s", short(r.URL, 200), outcome(r))
		case makesThePage(r.Type) && (r.Failure != "" && !r.Aborted || r.Status >= 400):
			j.add(MissingFile, false, "", "%s %s, %s", r.Type, short(r.URL, 200), outcome(r))
		case r.Status/100 != 2 || of == "":
		case r.Type == "script" && !strings.Contains(of, "script") && !strings.Contains(of, "json") && !strings.Contains(of, "wasm"),
			r.Type == "stylesheet" && of != "text/css",
			r.Type == "image" && !strings.HasPrefix(of, "image/") && of != "application/octet-stream" && of != "binary/octet-stream",
			r.Type == "font" && strings.HasPrefix(of, "text/html"):
			j.add(WrongType, false, "", "%s came as %s, and is used as a %s", short(r.URL, 200), of, r.Type)
			if r.Type == "stylesheet" && isPage(of) {
				j.add(PageUnstyled, true, "", "the style sheet %s came as a page (%s)", short(r.URL, 200), of)
			}
		}
	}
}

// makesThePage reports whether a page looks or works otherwise without a file of that type.
func makesThePage(typ string) bool { return typ == "stylesheet" || typ == "script" || typ == "font" }

func outcome(r Request) string {
	if r.Failure != "" {
		return r.Failure
	}
	return fmt.Sprintf("status %d", r.Status)
}

// rawData recognises a page that consists of data instead of markup.
func rawData(f Facts) string {
	of, _, _ := strings.Cut(f.ContentType, ";")
	switch {
	case strings.HasSuffix(of, "json"), strings.HasSuffix(of, "xml") && of != "application/xhtml+xml" && f.Title == "" && !f.ParseError && of != "image/svg+xml":
		return "the page is " + of
	}
	if len(f.Texts) == 0 || len(f.Texts) > 400 || f.Controls > 0 && of != "text/plain" {
		return ""
	}
	body := strings.TrimSpace(bodyOf(f))
	lower := strings.ToLower(body[:min(len(body), 200)])
	if of == "text/plain" && (strings.HasPrefix(lower, "<!doctype") || strings.HasPrefix(lower, "<html")) {
		return "the source of a page is shown as text (text/plain)"
	}
	if (strings.HasPrefix(body, "{") || strings.HasPrefix(body, "[{")) && jsonLike.MatchString(body) {
		return "the page shows JSON"
	}
	return ""
}

var jsonLike = pattern.New(`^(?:\[\s*)?\{\s*"[\w $@-]+"\s*:`)
