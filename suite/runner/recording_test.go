package runner

import (
	"testing"

	"github.com/assay-qa/assay/suite/spec"
)

// A16: where the title alone says what is expected, another title is another
// spec: its recording no longer fits.
func TestKeysOfATitle(t *testing.T) {
	of := func(title string, byTitle bool) string {
		return stepKeys(spec.Spec{Title: title, ByTitle: byTitle, Steps: []spec.Step{{Text: "Open /"}}})[0]
	}
	if of("The cart is empty", true) == of("The cart is full", true) {
		t.Error("another title has the same key")
	}
	if of("A", false) != of("B", false) {
		t.Error("a title that is only a name counts")
	}
}
