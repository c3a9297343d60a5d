package driver

import (
	"slices"
	"testing"

	"github.com/mxschmitt/playwright-go"
)

// What a page logs comes as its text, as ever, and without an object for each value: the
// binding and the driver would keep 100,000 of these.
func TestConsoleWithoutValues(t *testing.T) {
	pw, b := chromiumForTest(t)
	page, err := b.NewPage()
	if err != nil {
		t.Fatal(err)
	}
	said := make(chan playwright.ConsoleMessage, 100)
	page.OnConsole(func(m playwright.ConsoleMessage) { said <- m })
	if _, err := page.Evaluate(`() => {
		console.log('plain', 7, true, null, undefined);
		console.warn({a: 1, b: {c: 2}}, [1, 'x']);
		console.error(new Error('broken').message, document.body);
		console.log('%s of %d', 'one', 2);
	}`); err != nil {
		t.Fatal(err)
	}
	if err := pw.Stop(); err != nil { // by then all has been said
		t.Error(err)
	}
	close(said)
	var got []string
	for m := range said {
		if got = append(got, m.Text()); len(m.Args()) != 0 {
			t.Errorf("%q comes with %d values", m.Text(), len(m.Args()))
		}
	}
	if want := []string{"plain 7 true null undefined", "{a: 1, b: Object} [1, x]", "broken JSHandle@node", "%s of %d one 2"}; !slices.Equal(got, want) {
		t.Errorf("the console says %q, want %q", got, want)
	}
}
