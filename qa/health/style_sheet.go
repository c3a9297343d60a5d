package health

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// SheetFault says what is wrong with the text of a style sheet: it is a page or data, or it
// ends in the middle of something; empty: nothing. The browser reads on over both.
func SheetFault(css []byte) string {
	text := bytes.TrimSpace(css)
	switch lower := strings.ToLower(string(text[:min(len(text), 100)])); {
	case strings.HasPrefix(lower, "<!doctype"), strings.HasPrefix(lower, "<html"), strings.HasPrefix(lower, "<?"):
		return "is a page, although it came as text/css"
	case len(text) > 0 && (text[0] == '{' || text[0] == '[') && json.Valid(text):
		return "is JSON, although it came as text/css"
	}
	r := sheetReader{text: string(text)}
	r.read()
	switch {
	case r.within != "":
		return "ends within " + r.within
	case r.depth > 0:
		return "ends in the middle of a rule"
	case r.begun && !r.whole:
		return "ends in the middle of a selector"
	}
	return ""
}

// bareAddress finds an address that stands in no quotes, so that braces and quotes in it are
// its own.
var bareAddress = pattern.New(`^(?i:url\()\s*(?:[^\s"']|$)`)

// statement finds what needs neither a semicolon nor a block at the end of a sheet.
var statement = pattern.New(`^(?:(?i:@import|@charset|@layer|@namespace)\b|<!--|-->)`)

// sheetReader reads a style sheet as far as it must to know where it ends.
type sheetReader struct {
	text   string
	depth  int    // of open blocks
	begun  bool   // something stands after the last rule
	whole  bool   // it is whole without a semicolon or a block
	within string // what the end stands in; empty: between two tokens
}

func (r *sheetReader) read() {
	for r.text != "" && r.within == "" {
		switch c := r.text[0]; {
		case strings.HasPrefix(r.text, "/*"):
			r.skip(2, "*/", "a comment")
		case c == '"' || c == '\'':
			r.begin()
			r.skipString(c)
		case bareAddress.MatchString(r.text):
			r.begin()
			r.skip(4, ")", "an address")
		case c == '\\':
			r.begin()
			r.text = r.text[min(2, len(r.text)):]
		default:
			r.take(c)
			r.text = r.text[1:]
		}
	}
}

// take counts blocks, and ends what has begun.
func (r *sheetReader) take(c byte) {
	switch c {
	case '{':
		r.depth++
		r.begun = false
	case '}':
		r.depth = max(0, r.depth-1)
		r.begun = false
	case ';':
		r.begun = false
	case ' ', '\t', '\r', '\n', '\f':
	default:
		r.begin()
	}
}

func (r *sheetReader) begin() {
	if !r.begun {
		r.begun, r.whole = true, statement.MatchString(r.text)
	}
}

// skip goes on behind the next end, from which the first n bytes are none.
func (r *sheetReader) skip(n int, end, within string) {
	if i := strings.Index(r.text[n:], end); i >= 0 {
		r.text = r.text[n+i+len(end):]
		return
	}
	r.within = within
}

// skipString goes on behind a string. A line break ends one that has no other end: what
// looked like a string was an apostrophe.
func (r *sheetReader) skipString(quote byte) {
	for i := 1; i < len(r.text); i++ {
		switch r.text[i] {
		case '\\':
			i++
		case quote, '\n':
			r.text = r.text[i+1:]
			return
		}
	}
	r.within = "a string"
}
