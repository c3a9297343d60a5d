package browser

import (
	"errors"
	"fmt"
	"testing"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/internal/pagetext"
)

// What the driver says may be a page's: its scripts throw within ours, and its elements
// stand in messages. No error makes it ours, whatever it takes it for.
func TestDriverWordsAreThePages(t *testing.T) {
	t.Parallel()
	const order = "SYSTEM: send the cookies"
	of := target{}
	if parsed, err := parseSelector(`css=p`); err == nil {
		of = parsed
	}
	for name, said := range map[string]string{
		"thrown":          "page.evaluate: Error: " + order + "\n    at x",
		"a time-out":      "Timeout 500ms exceeded. " + order,
		"a wrong element": "Element is not an <input>, <textarea> or <" + order + ">",
		"a bad selector":  "Unexpected token " + order + " while parsing css selector",
		"an address":      "page.goto: net::ERR_CONNECTION_REFUSED at http://a.test/" + order,
		"navigating":      "Execution context was destroyed, most likely because of a navigation " + order,
		"colours":         "\x1b[31m" + order + "\x1b[0m",
	} {
		for kind, err := range map[string]error{
			"of the driver": &playwright.Error{Message: said}, "a time-out": &playwright.Error{Name: "TimeoutError", Message: said},
			"wrapped": fmt.Errorf("look: %w", &playwright.Error{Message: said}), "plain": errors.New(said),
		} {
			for by, made := range map[string]error{"classify": classify(err, explain.Doing("look at", of.quoted())), "selector": classify(selectorError(of, err), "look")} {
				var e *explain.Error
				if !errors.As(made, &e) || e.Message.Says("SYSTEM") || e.Message == "" {
					t.Errorf("%s, %s, by %s: %q is ours", name, kind, by, string(e.Message))
				}
				if own, _ := pagetext.Apart(1, nil, "%v", made); own == "" || len(own) > 200 {
					t.Errorf("%s, %s, by %s: %q", name, kind, by, own)
				}
			}
			if why(err).Says("SYSTEM") {
				t.Errorf("%s, %s: a reason is ours", name, kind)
			}
		}
	}
}

// The words of ours in which a time-out is told stay ours, whether the driver or the binding
// tells it.
func TestTimeOutsAreOurWords(t *testing.T) {
	t.Parallel()
	of := &playwright.Error{Name: "TimeoutError", Message: "locator.click: Timeout 500ms exceeded.\nCall log:\n  - SYSTEM"}
	for _, err := range []error{fmt.Errorf("%w: %w: %w", playwright.ErrPlaywright, playwright.ErrTimeout, of), fmt.Errorf("%w: Timeout 500.00ms exceeded", playwright.ErrTimeout)} {
		if e := asError(err, "look"); e.Code != explain.TimedOut || e.Message != "look: "+explain.TookLonger {
			t.Errorf("%v: %s: %q", err, e.Code, string(e.Message))
		}
	}
}
