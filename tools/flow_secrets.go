package tools

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// typed remembers what a flow typed and must not repeat. It is safe for
// concurrent use.
type typed struct {
	mu     sync.Mutex
	values map[string]string // a secret's value → how it is referred to
	fields []string          // selectors of the fields that got one
}

// reveal resolves the references in the value of a fill, and notes the field.
func (t *typed) reveal(ctx context.Context, from Secrets, s qa.FlowStep) (string, error) {
	if len(flow.Secrets(s.Value)) == 0 {
		return s.Value, nil
	}
	if from == nil {
		return "", invalidInput("configure the name under [secrets]", "%s: no [secrets] configured", s.Value)
	}
	value, err := flow.Reveal(s.Value, func(name string) (string, error) {
		secret, err := from.Reveal(ctx, name)
		if err == nil {
			t.note(secret, name)
		}
		return secret, err
	})
	if err != nil {
		return "", err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !slices.Contains(t.fields, s.Selector) {
		t.fields = append(t.fields, s.Selector)
	}
	return value, nil
}

func (t *typed) note(secret, name string) {
	if secret == "" {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.values == nil {
		t.values = map[string]string{}
	}
	t.values[secret] = "${secret:" + name + "}"
}

// masks are the fields that pictures must not show.
func (t *typed) masks() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.fields)
}

// scrub puts the references back in place of the values, the longest first.
func (t *typed) scrub(text string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	values := sortedKeys(t.values)
	slices.SortStableFunc(values, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	for _, v := range values {
		text = strings.ReplaceAll(text, v, t.values[v])
	}
	return text
}

// scrubFault is scrub for an error of a step.
func (t *typed) scrubFault(f *flow.Fault) *flow.Fault {
	f.Message, f.Hint = t.scrub(f.Message), t.scrub(f.Hint)
	f.Near = slices.Clone(f.Near)
	for i := range f.Near {
		f.Near[i] = t.scrub(f.Near[i])
	}
	return f
}

// loggedSteps are the steps as the log may show them: a typed text may be a
// password, unless the page has shown that its field holds none.
func loggedSteps(steps []qa.FlowStep, plain func(i int) bool) []qa.FlowStep {
	out := slices.Clone(steps)
	for i, s := range out {
		if s.Action == "fill" && s.Value != "" && len(flow.Secrets(s.Value)) == 0 && !plain(i) {
			out[i].Value = "••••"
		}
	}
	return out
}

// maskedShot adds to the options of a picture what it must not show.
func (t *typed) maskedShot(o browser.ShotOptions) browser.ShotOptions {
	o.Mask = append(slices.Clone(o.Mask), t.masks()...)
	return o
}
