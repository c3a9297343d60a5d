package suite

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/pattern"
)

// Links say where a suite's documents are on the web: Template is an address in which
// {suite} and {run} stand for ids, and {path} for a file's path below Dir, the data
// folder. A template with none of them leads to one page for all. The zero value is
// no address.
type Links struct {
	Template string
	Dir      string
}

var placeholder = pattern.New(`\{[^{}]*\}`)

// Check refuses placeholders that nothing is known for.
func (l Links) Check() error {
	for _, p := range placeholder.FindAllString(l.Template, -1) {
		if p != "{suite}" && p != "{run}" && p != "{path}" {
			return fmt.Errorf("%s is unknown; known: {suite}, {run}, {path}", p)
		}
	}
	return nil
}

// Apply gives the view of s the addresses of its documents on the web.
func (l Links) Apply(s Suite, v View) View {
	if l.Template == "" {
		return v
	}
	v.Link = l.address(s.ID, "", filepath.Join(l.Dir, "suites", s.ID, "index.html"))
	for i, e := range s.Entries {
		if r := e.Result; r != nil {
			c := &v.Cases[i]
			if link := l.address(s.ID, r.RunID, r.Report); link != "" {
				c.Report = link
			}
			if len(r.Traces) > 0 && strings.Contains(l.Template, "{path}") {
				c.Trace = l.address(s.ID, r.RunID, r.Traces[0])
			}
		}
	}
	return v
}

// address fills the template in; it is empty where a value is missing.
func (l Links) address(suite, run, file string) string {
	path := ""
	if rel, inside := disk.Inside(l.Dir, file); inside && file != "" {
		parts := strings.Split(filepath.ToSlash(rel), "/")
		for i, p := range parts {
			parts[i] = url.PathEscape(p)
		}
		path = strings.Join(parts, "/")
	}
	out := l.Template
	for name, value := range map[string]string{"{suite}": suite, "{run}": run, "{path}": path} {
		if strings.Contains(l.Template, name) && value == "" {
			return ""
		}
		out = strings.ReplaceAll(out, name, value)
	}
	return out
}
