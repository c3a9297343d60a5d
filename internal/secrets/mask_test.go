package secrets_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"html/template"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"

	"github.com/assay-qa/assay/internal/secrets"
)

// reveal makes a vault of values by name, all revealed.
func reveal(tb testing.TB, values map[string]string) *secrets.Vault {
	tb.Helper()
	references := map[string]string{}
	for name := range values {
		references[name] = "env:" + name
	}
	v := secrets.New(references, func(name string) string { return values[name] })
	for name := range values {
		if _, err := v.Reveal(context.Background(), name); err != nil {
			tb.Fatal(err)
		}
	}
	return v
}

// encoding is a way in which a page, a log or a report writes a text.
type encoding struct {
	name  string
	write func(string) string
	apart bool // what stands around the value becomes a part of its code
}

func encodings() []encoding {
	asJSON := func(s string) string {
		b, _ := json.Marshal(s)
		return string(b[1 : len(b)-1])
	}
	plainJSON := func(s string) string {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		_ = e.Encode(s)
		text := strings.TrimSpace(b.String())
		return text[1 : len(text)-1]
	}
	everyByte := func(format string) func(string) string {
		return func(s string) string {
			var b strings.Builder
			for _, c := range []byte(s) {
				fmt.Fprintf(&b, format, c)
			}
			return b.String()
		}
	}
	everyRune := func(format string) func(string) string {
		return func(s string) string {
			var b strings.Builder
			for _, unit := range utf16.Encode([]rune(s)) {
				fmt.Fprintf(&b, format, unit)
			}
			return b.String()
		}
	}
	all := []encoding{
		{"raw", func(s string) string { return s }, false},
		{"JSON", asJSON, false},
		{"JSON without HTML escapes", plainJSON, false},
		{"JSON with slashes escaped", func(s string) string { return strings.ReplaceAll(plainJSON(s), "/", `\/`) }, false},
		{"JSON in JSON", func(s string) string { return asJSON(asJSON(s)) }, false},
		{"JSON in JSON in JSON", func(s string) string { return plainJSON(plainJSON(plainJSON(s))) }, false},
		{"query", url.QueryEscape, false},
		{"path", url.PathEscape, false},
		{"query with lower-case digits", func(s string) string { return lowerPercent(url.QueryEscape(s)) }, false},
		{"query in query", func(s string) string { return url.QueryEscape(url.QueryEscape(s)) }, false},
		{"every byte in percent", everyByte("%%%02X"), false},
		{"JSON in query", func(s string) string { return url.QueryEscape(asJSON(s)) }, false},
		{"HTML", html.EscapeString, false},
		{"HTML template", template.HTMLEscapeString, false},
		{"HTML in JSON", func(s string) string { return asJSON(html.EscapeString(s)) }, false},
		{"JSON in HTML", func(s string) string { return html.EscapeString(asJSON(s)) }, false},
		{"query in HTML", func(s string) string { return html.EscapeString(url.QueryEscape(s)) }, false},
		{"Go", func(s string) string { q := strconv.Quote(s); return q[1 : len(q)-1] }, false},
		{"ASCII", func(s string) string { q := strconv.QuoteToASCII(s); return q[1 : len(q)-1] }, false},
		{"escaped for JavaScript", everyRune(`\u%04x`), false},
		{"escaped for JavaScript, in JSON", func(s string) string { return asJSON(everyRune(`\u%04X`)(s)) }, false},
		{"escaped for JavaScript, in JSON in JSON", func(s string) string { return asJSON(asJSON(everyRune(`\u%04x`)(s))) }, false},
		{"hexadecimal", func(s string) string { return hex.EncodeToString([]byte(s)) }, false},
		{"base64", func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }, true},
		{"base64url", func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }, true},
		{"base64 in JSON", func(s string) string { return asJSON(base64.StdEncoding.EncodeToString([]byte(s))) }, true},
		{"base64 in query", func(s string) string { return url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(s))) }, true},
		{"basic auth", func(s string) string { return base64.StdEncoding.EncodeToString([]byte("user:" + s)) }, true},
	}
	return all
}

func lowerPercent(s string) string {
	out := []byte(s)
	for i := range out {
		if out[i] == '%' {
			copy(out[i+1:i+3], bytes.ToLower(out[i+1:i+3]))
		}
	}
	return string(out)
}

// TestMaskHidesEveryEncoding is a property: whatever stands around it, a value
// doesn't survive in any of its encodings (E6).
func TestMaskHidesEveryEncoding(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11)) //nolint:gosec // a property needs the same cases each time
	for n := range 300 {
		value := randomValue(random)
		v := reveal(t, map[string]string{"PIN": value})
		for _, e := range encodings() {
			leak := e.write(value)
			text := around(random) + leak + around(random)
			masked := v.Mask(text)
			if strings.Contains(masked, leak) || !strings.Contains(masked, "${secret:PIN}") {
				t.Fatalf("case %d, %s: %q as %q in\n%q\nbecame\n%q", n, e.name, value, leak, text, masked)
			}
			if again := v.Mask(masked); again != masked {
				t.Fatalf("case %d: masking twice is not masking once: %q, %q", n, masked, again)
			}
			if e.apart {
				continue
			}
			if want := "<" + "${secret:PIN}" + ">"; v.Mask("<"+leak+">") != want {
				t.Fatalf("case %d, %s: %q became %q: more or less than the value is gone", n, e.name, leak, v.Mask("<"+leak+">"))
			}
		}
	}
}

// randomValue returns 6 to 30 characters that people and generators put into
// passwords. The first and last are no blanks.
func randomValue(random *rand.Rand) string {
	const alphabet = `abcxyzABCXYZ0189!"#$%&'()*+,-./:;<=>?@[\]^_{|}~` + "`" + ` äß€日🔑`
	runes := []rune(alphabet)
	for {
		var b strings.Builder
		for range 6 + random.IntN(25) {
			b.WriteRune(runes[random.IntN(len(runes))])
		}
		if s := b.String(); strings.TrimSpace(s) == s {
			return s
		}
	}
}

func around(random *rand.Rand) string {
	return strings.Repeat("lorem ", random.IntN(5)) + string(" ,;:{}[]\"\n<>"[random.IntN(12)])
}

// FuzzMask: no surroundings protect a value.
func FuzzMask(f *testing.F) {
	f.Add("pa$$w0rd", "before ", " after")
	f.Add(`\\\\\\\\`, `\\\`, `\`)
	f.Add("aaaaaaab", "aaaa", "aaab")
	f.Add("2026-11", "2026-11-21T12:00:00", "Z")
	f.Fuzz(func(t *testing.T, value, before, after string) {
		v := secrets.New(map[string]string{"A": "env:A"}, func(string) string { return value })
		if _, err := v.Reveal(context.Background(), "A"); err != nil {
			t.Skip("not a value that can be masked")
		}
		if strings.TrimFunc(value, unicode.IsSpace) != value || len([]rune(value)) < 12 && strings.ContainsAny(value, "0123456789") {
			t.Skip("blanks around it are not looked for; a short one may stand in a time")
		}
		masked := v.Mask(before + value + after)
		if strings.Contains(masked, value) && !slices.Contains([]string{"secret", "{secret:", "secret:A", "${secret:A}"}, value) {
			t.Errorf("%q survives in %q", value, masked)
		}
		if raw := v.MaskFile("application/json", mustJSON(before+value+after)); !json.Valid(raw) {
			t.Errorf("no JSON any more: %s", raw)
		}
	})
}

func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// A page can't show a value by writing it backwards, spaced or in full width (E6).
func TestMaskRespelled(t *testing.T) {
	v := reveal(t, map[string]string{"TOKEN": "correct-Horse 7"})
	for _, text := range []string{"7 esroH-tcerroc", "c o r r e c t - H o r s e   7", "c o r r e c t - H o r s e 7", "ｃｏｒｒｅｃｔ－Ｈｏｒｓｅ　７", "ｃｏｒｒｅｃｔ－Ｈｏｒｓｅ ７"} {
		if got := v.Mask("<" + text + ">"); got != "<${secret:TOKEN}>" {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// TestMaskLongestFirst: a value inside another one does not save it.
func TestMaskLongestFirst(t *testing.T) {
	v := reveal(t, map[string]string{"SHORT": "hunter", "LONG": "hunter2-and-more"})
	if got := v.Mask("a hunter2-and-more b hunter c"); got != "a ${secret:LONG} b ${secret:SHORT} c" {
		t.Error(got)
	}
}

// TestMaskShortenedText: a text that was cut in the middle of a value doesn't
// show its beginning.
func TestMaskShortenedText(t *testing.T) {
	v := reveal(t, map[string]string{"TOKEN": "correct-horse-battery"})
	for _, text := range []string{"token: correct-hor…", "token: corr… (80 bytes more)", `{"t":"correct-horse-batter\u2026"}`} {
		if got := v.Mask(text); strings.Contains(got, "corr") || !strings.Contains(got, "${secret:TOKEN}") {
			t.Errorf("%q became %q", text, got)
		}
	}
	if got := v.Mask("correct… is a word… cor…"); strings.Contains(got, "correct") || !strings.Contains(got, "is a word… cor…") {
		t.Errorf("%q: three characters tell nothing", got)
	}
}

// TestMaskBlanks: pages run blanks together and trim them.
func TestMaskBlanks(t *testing.T) {
	v := reveal(t, map[string]string{"PHRASE": " two  words\tand\nlines "})
	for _, text := range []string{"two words and lines", "two\u00a0words and lines", `two  words\tand\nlines`, "two++words%09and%0D%0Alines"} {
		if got := v.Mask("<" + text + ">"); got != "<${secret:PHRASE}>" {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// TestMaskLeavesOurOwnTexts: a PIN stands in a digest, a time or a run id by
// chance, and a report without them could not be read.
func TestMaskLeavesOurOwnTexts(t *testing.T) {
	v := reveal(t, map[string]string{"PIN": "2026", "KEY": strings.Repeat("ab12", 16)})
	kept := `{"time":"2026-11-21T12:00:00.5Z","runId":"20261121T120000.000Z-abcdef","path":"/runs/20261121T120000.000Z-abcdef/x.png","sha256":"` + strings.Repeat("2026", 16) + `"}`
	if got := string(v.MaskFile("application/json", []byte(kept))); got != kept {
		t.Errorf("became %s", got)
	}
	for _, leak := range []string{"the PIN is 2026.", "?pin=2026&x=1", "x2026x", strings.Repeat("ab12", 16)} {
		if got := v.Mask(leak); !strings.Contains(got, "${secret:") {
			t.Errorf("%q was left", leak)
		}
	}
}

// TestMaskFileKeepsJSON: what was JSON is JSON, whatever the value is.
func TestMaskFileKeepsJSON(t *testing.T) {
	v := reveal(t, map[string]string{"A": `","b":"`, "B": "true", "C": "1234", "D": "data"})
	in := "{\"data\": true, \"n\": 1234, \"text\": \"is true, 1234 \\\",\\\"b\\\":\\\"\", \"pin1234\": [\"data\"]}\n{\"n\":12345}\n"
	want := "{\"data\": true, \"n\": 1234, \"text\": \"is ${secret:B}, ${secret:C} ${secret:A}\", \"pin${secret:C}\": [\"${secret:D}\"]}\n{\"n\":12345}\n"
	if got := string(v.MaskFile("application/jsonl", []byte(in))); got != want {
		t.Errorf("became\n%swant\n%s", got, want)
	}
	if got, want := string(v.MaskData([]byte(`{"data":1234,"x":[1234.5,12,"true",true]}`))), `{"${secret:D}":"${secret:C}","x":["${secret:C}.5",12,"${secret:B}",true]}`; got != want {
		t.Errorf("a page's data became\n%s want\n%s", got, want)
	}
	picture := []byte("\x89PNG true 1234")
	if got := v.MaskFile("image/png", picture); !bytes.Equal(got, picture) {
		t.Errorf("a picture became %q", got)
	}
	if got := v.MaskFile("application/json", []byte(`"is 1234`)); string(got) != `"is ${secret:C}` {
		t.Errorf("broken JSON became %q", got)
	}
}

// TestNothingRevealedNothingMasked: a vault costs nothing before its first use.
func TestNothingRevealedNothingMasked(t *testing.T) {
	v := secrets.New(map[string]string{"A": "env:A"}, func(string) string { return "hunter2" })
	data := []byte("hunter2")
	if v.Mask("hunter2") != "hunter2" || &v.MaskFile("text/plain", data)[0] != &data[0] || &v.MaskData(data)[0] != &data[0] {
		t.Error("masked before it was revealed")
	}
	if n := testing.AllocsPerRun(100, func() { v.Mask("hunter2") }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkMask: 100 KB of an outline's kind of text with 10 secrets.
func BenchmarkMask(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // no secret
	const alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!$%&/=+-_#"
	values := map[string]string{}
	for n := range 10 {
		value := make([]byte, 20)
		for i := range value {
			value[i] = alphabet[random.IntN(len(alphabet))]
		}
		values["S"+strconv.Itoa(n)] = string(value)
	}
	v := reveal(b, values)
	text := strings.Repeat("button \"Save changes\" [2]\n  cell \"Order 4711, 12.50 € \\\"paid\\\" &amp; sent\" /url: https://shop.test/a%20b?x=1&y=2\n", 1000)[:100<<10]
	b.Run("text", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			v.Mask(text)
		}
	})
	b.Run("JSON", func(b *testing.B) {
		data := mustJSON([]string{text})
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			v.MaskFile("application/json", data)
		}
	})
}
