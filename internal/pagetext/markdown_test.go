package pagetext_test

import (
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/assay-qa/assay/internal/pagetext"
)

// kinds counts the nodes of a Markdown document by their kind, but for texts.
func kinds(document string) map[ast.NodeKind]int {
	root := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote)).Parser().Parse(text.NewReader([]byte(document)))
	count := map[ast.NodeKind]int{}
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering && n.Kind() != ast.KindText && n.Kind() != ast.KindString {
			count[n.Kind()]++
		}
		return ast.WalkContinue, nil
	})
	return count
}

// lifeless reports what a document has of Markdown beyond the same one with plain words
// in the text's place. Code spans are no more than another type of print.
func lifeless(with, plain string) (ast.NodeKind, bool) {
	want := kinds(plain)
	for kind, n := range kinds(with) {
		if kind != ast.KindCodeSpan && n != want[kind] {
			return kind, false
		}
	}
	return 0, true
}

// document returns a text where our files have one: in a paragraph, a list, a heading and
// a table.
func document(written string) string {
	return "# Why: " + written + "\n\n**Why:** " + written + " · more " + written + "\n\n- **a** (b): " + written + " - " + written + "\n  - " + "x " + written + "\n\n| | A | B |\n|---|---|---|\n| x " + written + " | " + written + " y | z |\n\nend\n"
}

// line returns a text where a plan has one.
func line(written string) string {
	return "## Steps to Reproduce: " + written + "\n\n- **Text**: " + written + "\n- **Notable Elements**:\n  - x " + written + " - " + written + "\n\nend\n"
}

// Whatever words a page has, written as Markdown they are words: no link, picture, HTML,
// heading, table, emphasis, or line of their own.
func FuzzMarkdown(f *testing.F) {
	for _, words := range hostile() {
		f.Add(string(words))
	}
	f.Fuzz(func(t *testing.T, s string) {
		words := pagetext.Text(s)
		for name, w := range map[string]string{
			document(pagetext.Markdown(words, 200)):     document("x"),
			document(pagetext.MarkdownCode(words, 200)): document("x"),
			line(pagetext.MarkdownExact(words)):         line("x"),
			line(pagetext.MarkdownQuoted(words)):        line("x"),
			line(pagetext.MarkdownSpan(words)):          line("x"),
		} {
			if kind, ok := lifeless(name, w); !ok {
				t.Errorf("%q lives as %s:\n%s", s, kind, name)
			}
			if r, found := acting(strings.ReplaceAll(name, "\n", "")); found {
				t.Errorf("%q is written with %U", s, r)
			}
		}
	})
}

// An address may become a link, as it leads where it says, and nothing else.
func TestMarkdownAddress(t *testing.T) {
	t.Parallel()
	for _, words := range hostile() {
		written := line(pagetext.MarkdownAddress(words))
		if kind, ok := lifeless(written, line("x")); !ok && kind != ast.KindAutoLink {
			t.Errorf("%q lives as %s:\n%s", string(words), kind, written)
		}
	}
	if got := pagetext.MarkdownAddress("https://a.test/b_c?d=1&e=2#f"); got != "https://a.test/b_c?d=1&e=2#f" {
		t.Errorf("an ordinary address is written %s", got)
	}
}

// The law itself can fail.
func TestLifelessCanFail(t *testing.T) {
	t.Parallel()
	for _, words := range []string{"![x](https://e.test/p.png)", "[x](y)", "<img src=x>", "*a*", "https://e.test", "a\n\n# b", "~~a~~", "a\n\n| a |\n|---|\n", "<https://e.test>"} {
		if _, ok := lifeless(document(words), document("x")); ok {
			t.Errorf("%q lives, and the law does not see it", words)
		}
	}
	if n := kinds(document("x"))[east.KindTable]; n != 1 {
		t.Errorf("%d tables in the document", n)
	}
}
