package document_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/document"
)

// writer writes documents in which each number is the line that it stands on.
type writer struct {
	random *rand.Rand
	out    strings.Builder
	line   int
	keys   int
}

func (w *writer) end()                    { w.out.WriteString("\n"); w.line++ }
func (w *writer) put(text string)         { w.out.WriteString(text); w.line += strings.Count(text, "\n") }
func (w *writer) one(n int) bool          { return w.random.IntN(n) == 0 }
func (w *writer) pick(s ...string) string { return s[w.random.IntN(len(s))] }

// key returns a key that no other is equal to.
func (w *writer) key() string {
	w.keys++
	name := fmt.Sprintf(w.pick("k%d", "K-%d_", "\"q.%d\"", "'[l%d]'", "\"ü\\\"%d\"", "%d"), w.keys)
	if w.one(4) {
		w.keys++
		name += w.pick(".", " . ") + fmt.Sprintf("d%d", w.keys)
	}
	return name
}

func (w *writer) scalar() {
	if w.one(3) {
		w.put(w.pick(`"x = 1 # [a]"`, `'''
k = 1
[t]
'''`, `"""
{ a = 3 }\
  "" """`, `''`, "true", "1979-05-27T07:32:00Z", "1.5e3", "nan"))
		return
	}
	w.put(fmt.Sprint(w.line))
}

func (w *writer) value(depth int) {
	switch {
	case depth > 0 && w.one(4):
		w.put("[")
		for i := range w.random.IntN(4) {
			if w.put(w.pick("", "\n", " # ] note\n\n  ")); i > 0 {
				w.put(",")
			}
			w.put(w.pick(" ", "\n"))
			w.value(depth - 1)
		}
		w.put(w.pick("", ",\n", "\n") + "]")
	case depth > 0 && w.one(3):
		w.put("{")
		for i := range w.random.IntN(4) {
			if i > 0 {
				w.put(", ")
			}
			w.put(w.key() + " = ")
			w.value(depth - 1)
		}
		w.put(" }")
	default:
		w.scalar()
	}
}

// document writes tables and lists of tables with pairs in them.
func (w *writer) document() string {
	w.line = 1
	if w.one(3) {
		w.out.WriteString("\ufeff")
	}
	list := ""
	for range 12 {
		switch w.random.IntN(6) {
		case 0:
			w.put("[" + w.key() + "]")
			list = ""
		case 1:
			if list == "" || w.one(2) {
				list = w.key()
			}
			w.put("[[" + list + "]]")
		case 2:
			if list != "" {
				w.put("[" + list + "." + w.key() + "] # note")
			}
		case 3:
			w.put(w.pick("# k = 1", "", "\t"))
		default:
			w.put(w.key() + w.pick(" = ", "=", "\t=\t"))
			w.value(3)
		}
		w.end()
	}
	text := w.out.String()
	if w.one(3) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

// check compares each number with its line, and returns how many there were.
func check(t *testing.T, n document.Node, text string) int {
	t.Helper()
	count := 0
	if line, ok := n.Value.(int64); ok {
		if count++; int(line) != n.Line {
			t.Fatalf("the number of line %d is told to stand on line %d:\n%s", line, n.Line, text)
		}
	}
	for _, f := range n.Fields {
		if f.Line == 0 {
			t.Fatalf("the key %q has no line:\n%s", f.Name, text)
		}
		count += check(t, f.Node, text)
	}
	for _, item := range n.Items {
		count += check(t, item, text)
	}
	return count
}

// Issue 31, point 4: whatever way keys and values are written, the document knows where
// they stand.
func TestPlacesOfTOML(t *testing.T) {
	read, numbers := 0, 0
	for seed := range uint64(3000) {
		w := writer{random: rand.New(rand.NewPCG(31, seed))}
		text := w.document()
		n, err := document.Parse(document.TOML, []byte(text))
		if err != nil {
			if document.LineOf(err) == 0 {
				t.Fatalf("seed %d: %v, and no line, in:\n%s", seed, err, text)
			}
			continue
		}
		read++
		numbers += check(t, n, text)
	}
	if read < 1500 || numbers < 5000 {
		t.Errorf("only %d documents could be read, with %d numbers", read, numbers)
	}
}

// What cannot be read is told with its line, and nothing takes the parser's memory or
// its stack.
func TestBrokenDocuments(t *testing.T) {
	deep := fmt.Sprintf("deeper than %d levels", document.MaxDepth)
	for _, c := range []struct {
		name   string
		format document.Format
		text   string
		line   int
		want   string
	}{
		{"a key twice", document.TOML, "a = 1\n\na = 2", 3, "already been defined"},
		{"a table twice", document.TOML, "[a]\n[b]\n[a]", 3, "already been defined"},
		{"a table that is a value", document.TOML, "a = 1\n[a.b]", 2, ""},
		{"no value", document.TOML, "a = 1\r\nb =\r\nc = 2", 2, ""},
		{"no key", document.TOML, "\ufeff\n= 1", 2, ""},
		{"an open text", document.TOML, "a = 1\nb = \"x\nc = 2", 2, ""},
		{"an open long text", document.TOML, "a = '''\nx\n", 0, ""},
		{"an open list", document.TOML, "a = [1,\n2", 2, ""},
		{"a tab in a key", document.TOML, "a = 1\na\tb = 2", 2, ""},
		{"bytes that are no text", document.TOML, "a = 1\nb = \"\xff\"", 2, ""},
		{"a control character", document.TOML, "a = \"\x01\"", 1, ""},
		{"a deep key", document.TOML, "x = 1\n" + strings.Repeat("a.", 100_000) + "a = 1", 2, deep},
		{"a deep header", document.TOML, "[" + strings.Repeat("a.", 100_000) + "a]", 1, deep},
		{"a deep list", document.TOML, "\na = " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000), 2, deep},
		{"a deep list without an end", document.TOML, "a = " + strings.Repeat("[", 500_000), 1, deep},
		{"deep tables", document.TOML, "a = " + strings.Repeat("{a=", 100_000), 1, deep},
		{"deep behind a mistake", document.TOML, "a == 1\n" + strings.Repeat("a.", 100_000) + "a = 1", 1, ""},
		{"JSON twice", document.JSON, "{}\n{}", 2, "something follows"},
		{"JSON without an end", document.JSON, "{\n\"a\": [1,\n", 2, "the file ends too early"},
		{"deep JSON", document.JSON, strings.Repeat("[", 500_000), 1, deep},
		{"YAML with a key twice", document.YAML, "a: 1\nb:\n  c: 1\n  c: 2\n", 4, "already defined"},
		{"YAML without an end", document.YAML, "a: 1\nb: [1,\n", 2, ""},
		{"YAML with a tab", document.YAML, "a:\n\tb: 1\n", 2, ""},
		{"YAML with a tag", document.YAML, "a: 1\nb: !x 00\n", 2, "are not accepted"},
		{"YAML with a tag alone", document.YAML, "a: 1\nb:\n  - !tag\n", 3, "are not accepted"},
		{"YAML with an anchor", document.YAML, "a: &x 1\nb: *x\n", 1, "are not accepted"},
		{"YAML with a merge", document.YAML, "a: 1\n<<: {b: 1}\n", 2, "are not accepted"},
		{"YAML with a table as key", document.YAML, "a: 1\n? [b]\n: c\n", 3, "invalid key"},
		{"deep YAML", document.YAML, "a: 1\nb: " + strings.Repeat("[", 100) + strings.Repeat("]", 100), 2, deep},
		{"JSON with a tail", document.JSON, "{\n\"a\": 1,\n}", 3, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, err := document.Parse(c.format, []byte(c.text))
			if err == nil {
				t.Fatalf("it was read, with %d keys", len(n.Fields))
			}
			if line := document.LineOf(err); c.line > 0 && line != c.line || line == 0 || !strings.Contains(err.Error(), c.want) {
				t.Errorf("line %d: %v; want line %d and %q", line, err, c.line, c.want)
			}
		})
	}
}

type target struct {
	Name  string            `json:"name"`
	Count int               `json:"count"`
	Limit float64           `json:"limit"`
	Steps []step            `json:"steps"`
	Texts map[string]string `json:"texts"`
	On    *bool             `json:"on"`
}

type step struct {
	Selector string `json:"selector"`
	Value    string `json:"value"`
}

// Both formats tell the same mistakes, each with its line and the key that was meant.
func TestDecode(t *testing.T) {
	toml := `naem = "x"
count = 1.5
limit = "many"
on = 1
texts = { a = "x", b = [1] }

[[steps]]
selector = "a"

[[steps]]
value = 7
selectro = "b"
selector = ["c"]
`
	json := `{"naem": "x",
"count": 1.5,
"limit": "many",
"on": 1,
"texts": {"a": "x", "b": [1]},

"steps": [
{"selector": "a"},

{
"value": 7,
"selectro": "b",
"selector": ["c"]}]}`
	yaml := `naem: x
count: 1.5
limit: many
on: 1
texts: {a: "x", b: [1]}

steps:
- selector: a

-
  value: 7
  selectro: b
  selector: [c]
`
	want := []string{
		`1 naem: unknown key "naem"; did you mean "name"?; accepted here: name, count, limit, steps, texts, on`,
		`2 count: count is a number; expected a whole number`,
		`3 limit: limit is a text; expected a number`,
		`4 on: on is a number; expected true or false`,
		`5 texts.b: texts.b is a list; expected a text`,
		`12 steps[1].selectro: unknown key "selectro"; did you mean "selector"?; accepted here: selector, value`,
		`13 steps[1].selector: steps[1].selector is a list; expected a text`,
	}
	for name, text := range map[string]string{"a.toml": toml, "a.json": json, "a.yaml": yaml, "crlf.toml": "\ufeff" + strings.ReplaceAll(toml, "\n", "\r\n")} {
		n, err := document.Parse(document.FormatOf(name), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var out target
		d := document.Decoder{Tag: "json"}
		d.Decode(n, &out, "")
		got := map[string]bool{}
		for _, p := range d.Problems {
			got[fmt.Sprintf("%d %s: %s", p.Line, p.Field, p.Message)] = true
		}
		for _, w := range want {
			if !got[w] {
				t.Errorf("%s: nothing says %s", name, w)
			}
		}
		if len(got) != len(want) || out.Steps[1].Value != "7" || out.Steps[0].Selector != "a" {
			t.Errorf("%s: %+v, and %v", name, out, d.Problems)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("a = [1, { b.c = 'x' }]\n[[t]]\n", uint(0))
	f.Add("{\"a\": [1, {\"b\": null}]}", uint(1))
	f.Add("a: [1, {b: x}]\nc: |\n  d\n", uint(2))
	f.Fuzz(func(t *testing.T, text string, format uint) {
		n, err := document.Parse(document.Format(format%3), []byte(text))
		if err != nil && document.LineOf(err) > strings.Count(text, "\n")+strings.Count(text, "\r")+1 {
			t.Errorf("line %d of %q: %v", document.LineOf(err), text, err)
		}
		var out target
		d := document.Decoder{Tag: "json"}
		d.Decode(n, &out, "")
	})
}
