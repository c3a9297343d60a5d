package verify

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/internal/text"
)

// Text returns what was found for a person: the verdict in one line, then the
// findings. What came from a page or a person is quoted.
func (r Report) Text() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s: %s", r.Verdict, r.Subject)
	if r.Status != "" {
		fmt.Fprintf(&out, " (its report says %s)", r.Status)
	}
	fmt.Fprintf(&out, ": %s\n", r.Line())
	for _, f := range r.Findings {
		fmt.Fprint(&out, f.Text())
	}
	return out.String()
}

// Line says what was checked, and whose signatures it rests on.
func (r Report) Line() string {
	var parts []string
	if r.Runs != 1 {
		parts = append(parts, fmt.Sprintf("%d runs", r.Runs))
	}
	parts = append(parts, text.Count(r.Files, "file"), entries(r.Entries, "log "))
	if c, err := attest.ReadCheckpoint([]byte(r.Checkpoint)); err == nil {
		parts = append(parts, "checkpoint of "+entries(c.Size, ""))
	}
	for _, k := range r.Keys {
		pinned := "not pinned"
		if k.Pinned {
			pinned = "pinned"
		}
		parts = append(parts, fmt.Sprintf("key %s (%s)", attest.KeyID(k.Verifier), pinned))
	}
	for _, at := range r.Timestamps {
		parts = append(parts, "time-stamp of "+at)
	}
	return strings.Join(parts, ", ")
}

func entries(n int64, kind string) string {
	if n == 1 {
		return "1 " + kind + "entry"
	}
	return fmt.Sprintf("%d %sentries", n, kind)
}

// Text returns a finding as lines for a person.
func (f Finding) Text() string {
	var out strings.Builder
	place := f.File
	if strconv.Quote(place) != `"`+place+`"` { // a name that could move the cursor
		place = strconv.Quote(place)
	}
	if f.Run != "" {
		place = strings.TrimSpace("run " + f.Run + " " + place)
	}
	if f.Line > 0 {
		place += fmt.Sprintf(" line %d", f.Line)
	}
	if f.Entry != nil {
		place += fmt.Sprintf(" entry %d", *f.Entry)
	}
	fmt.Fprintf(&out, "%s %s: %s: %s\n", f.Severity, f.Code, strings.TrimSpace(place), text.Printable(f.Problem))
	if f.Expected != "" {
		fmt.Fprintf(&out, "    expected %q\n", f.Expected)
	}
	if f.Found != "" {
		fmt.Fprintf(&out, "    found    %q\n", f.Found)
	}
	if f.Next != "" {
		fmt.Fprintf(&out, "    next: %s\n", text.Printable(f.Next))
	}
	return out.String()
}
