package health

import (
	"fmt"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// Error pages are short. What is longer is about errors.
const (
	maxErrorWords    = 2500
	maxErrorControls = 6
	maxErrorTexts    = 80
)

// line matches a status as pages name it, with or without its number.
var (
	line   = statusLines.Pattern("line")
	number = statusLines.Pattern("number")
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
	for _, k := range knownPages() {
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

var overlayWords = statusLines.Pattern("overlay-words")

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
