package heal

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/assay-qa/assay/internal/text"
)

// Text says what was healed, for a person.
func (r Report) Text(root string) string {
	var b strings.Builder
	for _, h := range r.Healed {
		fmt.Fprintf(&b, "healed    %s  %s\n    %s: %s\n    %*s  %s  (by %s, score %.2f, margin %.2f)\n", h.Test, h.at(root), h.Action, h.Old, len(h.Action), "→", h.New, h.By, h.Score, h.Margin)
	}
	for _, t := range r.Rerun {
		fmt.Fprintf(&b, "run again %s: green %d of %d", t.Test, t.Green, t.Runs)
		if t.Killed+t.Before > 0 { // it was proved
			fmt.Fprintf(&b, "; %d faults noticed, %d before", t.Killed, t.Before)
		}
		b.WriteString("\n")
	}
	for _, o := range r.Others {
		fmt.Fprintf(&b, "another control  %s\n", o.Text(root))
	}
	for _, u := range r.Unhealed {
		fmt.Fprintf(&b, "not healed (%s)  %s  %s\n    %s\n", u.Reason, u.Test, u.at(root), u.Detail)
	}
	for _, p := range r.Proposals {
		fmt.Fprintf(&b, "proposal %d  %s  %s\n    %s: %s\n    a person decides: %s\n", p.Number, p.Test, p.at(root), p.Action, p.Old, p.Why)
		for _, c := range p.Choices {
			fmt.Fprintf(&b, "    %d. %s  %s  (score %.2f)  %s\n", c.Number, c.New, c.Element, c.Score, c.Picture)
		}
	}
	for _, o := range r.Open {
		fmt.Fprintf(&b, "open      %s  %s\n    %s\n", o.Test, o.at(root), o.Why)
	}
	for _, e := range r.Errors {
		fmt.Fprintf(&b, "failed    %s\n", e)
	}
	if r.Diff != "" {
		fmt.Fprintf(&b, "\n%s\n", r.Diff)
	}
	fmt.Fprintf(&b, "%s green as they are, %s healed, %s, %s not healed\n", text.Count(r.Green, "test"),
		text.Count(len(r.Healed), "locator"), text.Count(len(r.Proposals), "proposal"), text.Count(len(r.Unhealed), "test"))
	if r.Diff != "" && len(r.Written) == 0 {
		b.WriteString("nothing is written: apply heal.patch of the run's folder with patch -p1, or run it again with --write\n")
	}
	if r.Interrupted {
		b.WriteString("it was stopped: what is open, and tests that are not named here, were not looked at; go on with --resume and the run's folder\n")
	}
	for _, path := range r.Written {
		fmt.Fprintf(&b, "written: %s\n", path)
	}
	return b.String()
}

func (p Place) at(root string) string {
	path := p.File
	if rel, err := filepath.Rel(root, path); err == nil && !strings.HasPrefix(rel, "..") {
		path = filepath.ToSlash(rel)
	}
	return fmt.Sprintf("%s:%d", path, p.Line)
}
