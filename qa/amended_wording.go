package qa

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/qa/claim"
)

// Amended returns the task with another wording of one of its expectations, which keeps the
// first one beside it. Only a sentence that no form reads, and that has no assertion, can be
// worded anew, once, as one that is read and names all that the first one quotes or counts.
func (t TaskSpec) Amended(id, text string) (TaskSpec, error) {
	at := slices.IndexFunc(t.Expectations, func(e Expectation) bool { return e.ID == id })
	if at < 0 {
		return t, fmt.Errorf("the run has no expectation %q", id)
	}
	amended, err := t.Expectations[at].amended(text)
	if err != nil {
		return t, fmt.Errorf("%s: %w", id, err)
	}
	t.Expectations = slices.Clone(t.Expectations)
	t.Expectations[at] = amended
	return t, nil
}

func (e Expectation) amended(text string) (Expectation, error) {
	switch _, err := Demands(e.Text); {
	case e.AmendedFrom != "":
		return e, fmt.Errorf("it was worded anew already, from %q", e.AmendedFrom)
	case e.Assertion != nil:
		return e, errors.New("its assertion says what it means")
	case err == nil:
		return e, errors.New("it is understood as it stands")
	}
	e.AmendedFrom, e.Text = e.Text, text
	if _, err := e.Demands(); err != nil {
		return e, fmt.Errorf("the new wording proves nothing: %w", err)
	}
	return e, e.keepsItsWords()
}

// keepsItsWords reports a quoted text or a number of the first wording that the new one leaves
// out: that would be another expectation.
func (e Expectation) keepsItsWords() error {
	now := claim.Quotes(e.Text)
	for _, quote := range claim.Quotes(e.AmendedFrom) {
		if want := foldText(quote); want != "" && !slices.ContainsFunc(now, func(q string) bool { return strings.Contains(foldText(q), want) }) {
			return fmt.Errorf("the new wording does not name %q, which the first one quotes", quote)
		}
	}
	for _, n := range claim.Numbers(e.AmendedFrom) {
		if !hasNumber(e.Text, n) {
			return fmt.Errorf("the new wording does not name the number %s of the first one", n.Text)
		}
	}
	return nil
}
