package prove

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"

	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/element"
)

// Pages are the elements that could be worked on pages, by a digest of them.
type Pages map[string][]element.Element

func nameOfPage(elements []element.Element) string {
	text, err := json.Marshal(elements)
	if err != nil {
		return "" // texts and numbers only: it does not happen
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

func (p Pages) add(all [][]element.Element) {
	for _, elements := range all {
		if len(elements) > 0 {
			p[nameOfPage(elements)] = elements
		}
	}
}

func (p Pages) with(o Pages) Pages {
	out := Pages{}
	maps.Copy(out, p)
	maps.Copy(out, o)
	return out
}

// Other is an act of a green test on another control than the one that it was proved on.
type Other struct {
	Test   string            `json:"test"`
	File   string            `json:"file"`
	At     *testrun.Location `json:"at,omitempty"`
	Action string            `json:"action"`
	Was    string            `json:"was"` // in words: role, name and part of the page
	Is     string            `json:"is"`
	By     string            `json:"by"` // by what it is another: its role, its name, its region
}

// Text says it in a line.
func (o Other) Text(root string) string {
	at := short(root, o.File)
	if o.At != nil {
		at = fmt.Sprintf("%s:%d", at, o.At.Line)
	}
	return fmt.Sprintf("%s (%s): %s met %s; when it was proved it met %s", o.Test, at, o.Action, o.Is, o.Was)
}

// FileOthers files a failed check for each act that met another control.
func FileOthers(run *evidence.Run, others []Other, root string) error {
	for _, o := range others {
		if _, err := run.AddCheck(qa.Check{Kind: "same_control", Subject: o.Text(root), Expected: o.Was, Observed: pagetext.Text(o.Is), Source: qa.SourceRule}); err != nil {
			return err
		}
	}
	return nil
}

// Known returns what earlier proofs, the newest first, know of the element of a call, with
// what else was worked on its page; nil: nothing. File is the test's, or its flow's.
func Known(before []Report, file, title string, c Call) (*element.Element, []element.Element) {
	for _, sameLine := range []bool{true, false} {
		for _, r := range before {
			for _, t := range r.Tests {
				if (t.File != file && t.Source != file) || t.Title != title {
					continue
				}
				for _, o := range t.Calls {
					if o.Method == c.Method && o.Selector == c.Selector && o.Element != nil && (!sameLine || o.N == c.N && o.At != nil && c.At != nil && o.At.Line == c.At.Line) {
						return o.Element, r.Pages[o.Page]
					}
				}
			}
		}
	}
	return nil, nil
}

// Others lists the acts of a green test that met another control than before. Pages are
// those that its calls name.
func Others(before []Report, file, title string, calls []Call, pages Pages) (out []Other) {
	for _, c := range calls {
		if !c.Act || c.Element == nil {
			continue
		}
		old, known := Known(before, file, title, c)
		if old == nil {
			continue
		}
		if by := element.Another(*old, known, *c.Element, pages[c.Page]); by != "" {
			out = append(out, Other{Test: title, File: file, At: c.At, Action: c.Method, Was: old.String(), Is: c.Element.String(), By: by})
		}
	}
	return out
}

// compare returns the pages of tests, and the acts of the green ones that met another
// control than before.
func compare(flows Flows, tests []*planned, before []Report) (Pages, []Other) {
	pages := Pages{}
	var others []Other
	for _, t := range tests {
		pages.add(t.record.Pages)
		if !t.control.Passed() {
			continue
		}
		file := t.control.Location.File
		if source := flows.Sources[file]; source != "" {
			file = source
		}
		others = append(others, Others(before, file, t.control.Title(), t.record.calls(), pages)...)
	}
	return pages, others
}

// asIs is the slot in which tests run as they are, and what their acts meet is kept.
const asIs = "as-is"

// Compare runs the tests once as they are. The calls are those of each test by [Key].
func (p Prover) Compare(ctx context.Context) (testrun.Result, map[string][]Call, Pages, error) {
	result, records, err := p.pass(ctx, map[string]any{"compare": asIs}, testrun.Request{Slots: []testrun.Slot{{Name: asIs, Tests: p.Only}}})
	calls, pages := map[string][]Call{}, Pages{}
	for key, r := range records[asIs] {
		calls[key] = r.calls()
		pages.add(r.Pages)
	}
	return result, calls, pages, err
}
