package testfile

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// C4: statements are laid out as Prettier 3.10.1 does it. statements_prettier.txt is
// what Prettier made of statements.txt, three levels deep.
func TestLayoutIsPrettiers(t *testing.T) {
	var got strings.Builder
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		return strings.ReplaceAll(string(text), "\r\n", "\n")
	}
	for line := range strings.Lines(read("statements.txt")) {
		text, err := layout(3, strings.TrimSuffix(line, "\n"))
		if err != nil {
			t.Fatal(err)
		}
		got.WriteString(text + "\n")
	}
	if diff := cmp.Diff(read("statements_prettier.txt"), got.String()); diff != "" {
		t.Error(diff)
	}
	for _, other := range []string{"await page.on('x', (e) => e);", "await page.goto(`x`);", "await page.a(\"x\"", "await page..a();", "await f({ 1: 2 });", "await a() b;", "await f(/x/);"} {
		if text, err := layout(0, other); err == nil {
			t.Errorf("%s is laid out as %s", other, text)
		}
	}
}

// Req 0032/2: a glyph of a font of icons shows in no editor, so a test has its code.
func TestGlyphsAreWrittenByTheirCodes(t *testing.T) {
	for text, want := range map[string]string{
		"\ue9a1 Download": `"\ue9a1 Download"`, "\U000F0001 Save": `"\udb80\udc01 Save"`, "Zürich 👩‍💻": `"Zürich 👩‍💻"`,
	} {
		got := quote(text)
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
		var back string
		if err := json.Unmarshal([]byte(got), &back); err != nil || back != text {
			t.Errorf("%s is read back as %q, %v", got, back, err)
		}
	}
}
