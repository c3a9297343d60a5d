package text_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	texts "github.com/assay-qa/assay/internal/text"
)

// Issue 15, class "parts of words and numbers": a text stands as whole words, a
// number as a whole number.
func TestWithin(t *testing.T) {
	data, err := os.ReadFile("testdata/whole.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(data)) {
		var text, wanted string
		var found bool
		if n, _ := fmt.Sscanf(line, "%q\t%q\t%t", &text, &wanted, &found); n != 3 {
			if !strings.HasPrefix(line, "#") {
				t.Errorf("not a row: %s", line)
			}
			continue
		}
		rows++
		if got := texts.WordsWithin(text, wanted); got != found {
			t.Errorf("%q in %q: %v", wanted, text, got)
		}
	}
	if rows < 100 {
		t.Errorf("only %d rows were read", rows)
	}
}

func FuzzWithin(f *testing.F) {
	f.Add("Unpaid 15 1.5", "5")
	f.Add("\u0301", "\u0301")
	f.Add("\xff5", "5")
	f.Fuzz(func(t *testing.T, text, wanted string) {
		if texts.WordsWithin(text, wanted) && !strings.Contains(text, wanted) {
			t.Fatalf("%q is found in %q, where it isn't", wanted, text)
		}
		if len(wanted) == 1 && (wanted[0] >= 'a' && wanted[0] <= 'z' || wanted[0] >= '0' && wanted[0] <= '9') && texts.WordsWithin("x"+wanted+"x", wanted) {
			t.Fatalf("%q is a word of x%sx", wanted, wanted)
		}
	})
}
