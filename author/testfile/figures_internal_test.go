package testfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/assay-qa/assay/qa/kpi"
	"github.com/assay-qa/assay/qa/kpi/kpitest"
)

// shownFigure is a text in a language.
type shownFigure struct {
	Text, Lang string
}

// inNode runs helpers of generated tests in node, without their types. The program finds what
// is asked as asked, and its answer, an expression, is read into out.
func inNode(t *testing.T, helpers, answer string, asked, out any) {
	t.Helper()
	in, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	var failure bytes.Buffer
	run := exec.CommandContext(t.Context(), "node", "-e", withoutTypes(helpers)+"\nconst asked = JSON.parse(require('fs').readFileSync(0, 'utf8'));\nconsole.log(JSON.stringify("+answer+"));")
	run.Stdin, run.Stderr = bytes.NewReader(in), &failure
	raw, err := run.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, failure.Bytes())
	}
	if err := json.Unmarshal(raw, out); err != nil {
		t.Fatal(err)
	}
}

// readByTest reads texts as a generated test does, in node: NaN is undecided.
func readByTest(t *testing.T, all []shownFigure) []float64 {
	t.Helper()
	var texts []string
	inNode(t, figures(), `asked.map(({ Text, Lang }) => {
  const ways = [...new Set(figures([Text], Lang).map(([n]) => n))];
  return ways.length === 1 && !Number.isNaN(ways[0]) ? String(ways[0]) : '';
})`, all, &texts)
	out := make([]float64, len(texts))
	for i, text := range texts {
		out[i] = math.NaN()
		if text != "" {
			if _, err := fmt.Sscan(text, &out[i]); err != nil {
				t.Fatal(err)
			}
		}
	}
	return out
}

// withoutTypes returns helpers of TypeScript as JavaScript.
func withoutTypes(source string) string {
	types := regexp.MustCompile(`(?:\)|\b[A-Za-z]+)(: (?:any|string|number|boolean|\(string \| undefined\)|\{ value: number; whole: boolean \}|\{ head: string; marks: string\[\]; value: string \})(?:\[\])*)`)
	for range 2 {
		source = types.ReplaceAllStringFunc(source, func(m string) string {
			at := types.FindStringSubmatchIndex(m)
			return m[:at[2]]
		})
	}
	source = regexp.MustCompile(` as (?:any|const|string\[\]|string)`).ReplaceAllString(source, "")
	return regexp.MustCompile(`: Promise<string>|: Locator|\)!|\]!|\.index!`).ReplaceAllStringFunc(source, func(m string) string {
		if m[0] == ':' {
			return ""
		}
		return m[:len(m)-1]
	})
}

// readByProduct reads a text as we do; NaN is undecided.
func readByProduct(f shownFigure, w kpi.Writing) float64 {
	ways, doubt := kpi.ReadList([]string{f.Text}, w)
	if doubt != "" || len(ways) != 1 || ways[0][0] == nil {
		return math.NaN()
	}
	v, _ := ways[0][0].Float64()
	return v
}

// A generated test reads no figure as another number than we do, and what we read it
// reads, up to a few.
func TestOneReaderOfFigures(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("node"); err != nil && os.Getenv("CI") == "" {
		t.Skip(err)
	}
	langs, err := kpitest.Ask(t.Context(), kpitest.Languages(), []float64{7, 999, 1_234, 12_345, 1_234_567, 5_000_000, 98_765_432, 1_234_567_890, 2_500_000_000_000, -1_234_567})
	if err != nil {
		t.Fatal(err)
	}
	var all []shownFigure
	for _, lang := range kpitest.Languages() {
		for _, f := range langs[lang].Shown {
			all = append(all, shownFigure{f.Text, lang})
		}
	}
	for _, text := range spellings() {
		for _, lang := range []string{"", "en-US", "de-DE", "fr", "hi", "ar", "sv", "ja", "de-CH", "sw"} {
			all = append(all, shownFigure{text, lang})
		}
	}
	all = append(all, besideTimes(langs)...)
	read := readByTest(t, all)
	decided, missed := 0, map[string]int{}
	for i, f := range all {
		ours, theirs := readByProduct(f, langs[f.Lang].Writing), read[i]
		switch {
		case math.IsNaN(ours) && !math.IsNaN(theirs):
			t.Errorf("%q in %q: a generated test reads %v, and we leave it open", f.Text, f.Lang, theirs)
		case math.IsNaN(ours):
		case math.IsNaN(theirs):
			missed[f.Text]++
		default:
			decided++
			if math.Abs(ours-theirs) > 1e-9*math.Abs(ours) {
				t.Errorf("%q in %q: a generated test reads %v, and we %v", f.Text, f.Lang, theirs, ours)
			}
		}
	}
	total := 0
	var texts []string
	for text, n := range missed {
		total += n
		texts = append(texts, text)
	}
	slices.Sort(texts)
	t.Logf("%d read by both, %d by us alone: %q", decided, total, texts[:min(len(texts), 60)])
	if total*50 > decided {
		t.Errorf("%d figures are read by us and by no generated test, of %d", total, decided)
	}
}

// What the lines of numbers.txt say is what a generated test reads, too.
func TestNumbersOfGeneratedTests(t *testing.T) {
	t.Parallel()
	vectors, err := kpitest.Vectors()
	if err != nil {
		t.Fatal(err)
	}
	all := make([]shownFigure, len(vectors))
	for i, v := range vectors {
		all[i] = shownFigure{v.Text, v.Lang}
	}
	for i, value := range readByTest(t, all) {
		got := kpitest.NotANumber
		if !math.IsNaN(value) {
			got = strconv.FormatFloat(value, 'f', -1, 64)
		}
		if v := vectors[i]; got != v.Value {
			t.Errorf("%q in %q: a generated test reads %s, want %s", v.Text, v.Lang, got, v.Value)
		}
	}
}

// besideTimes are figures beside words for months and other times.
func besideTimes(langs map[string]kpitest.Language) []shownFigure {
	var out []shownFigure
	for _, lang := range kpitest.Languages() {
		w := langs[lang].Writing
		for i, word := range slices.Concat(w.Months, w.Periods, w.Spans) {
			shown := []string{word + " 5", "5 " + word}[i%2]
			out = append(out, shownFigure{shown, lang})
		}
	}
	return out
}

// spellings are figures as people write them beside what Intl writes.
func spellings() []string {
	return []string{"12 Mio. €", "€1.2bn", "3 lakh", "1234-", "1,234", "1.234", "1 234", "1'234.50", "1’234’567", "12,34,567", "1,23,4", "$1,234", "$1,234.50", "1.234,50 €", "(1,200)", "($1,200.00)", "$(5)", "−5 %", "-$5", "$-5", "- $5", "+12",
		"3.4pp", "5 ‰", "125 bps", "12%", "% 12", "1.2e6", "1.2×10⁶", "10⁶", "2.0G", "4.2µ", "3.2s", "45 min", "5m", "12h", "3x", "5/h", "1–2", "1-2", "3:1", "12:30", "2026-11-21", "21.11.2026", "Nov 21", "21 Nov", "1. März", "v1.2.3", "Q3", "#17",
		"١٬٢٣٤٫٥٦", "۱۲٬۳۴۵", "१२,३४,५६७", "１２３４", "1٢3", "1,234¹", "1,234*", "<1", "~5", "≈ 1,200", "5+", "1.2k–1.5k", "1.2k", "250 T€", "TEUR 250", "250 TEUR", "CHF 1'200.50", "1200 kr", "kr 1200", "USD 12", "EUR12", "R$ 5,00", "CA$5", "US$5", "5 zł",
		"Total: 9,000 orders", "over 9,000", "more than 9,000", "minus 5", "5 CR", "1O0", "3l", "5S", "12S4", "0,75", "0.123", ".5", "1234,567", "1,234,567", "1.234.567", "KWD 1.234", "€1.859/l", "$1.234M", "$1.5M", "₹1.2 crore", "1.2万", "3億円", "5 k", "5 K€", "7 t", "elfu 5", "", "none", "5 - 3", "1 2", "12 345 678", "1234 567",
		"½", "2½", "2 ½", "-2½", "$2½", "2½M", "¾ %", "1⁄2", "2 1⁄2", "40/h", "40 per hour", "40 pro Stunde", "12 km/h", "12 pp", "12 pts", "12pts", "12 points", "12 per cent", "12 por ciento", "21 novembre", "21 de noviembre", "21. listopada", "21. November", "1.5½", "thousands", "3 thousands", "12 345 ce mois-ci", "▼ 3 %", "1,234 (000s)"}
}
