package laws_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// observationRooms are those whose values with JSON names tell what a page is, shows and
// does.
func observationRooms() []string {
	return []string{"browser", "browser/eventlog", "browser/input", "browser/scan"}
}

// plainObservations names the fields of what is observed that are strings all the same,
// with the reason. A new field of a page's words is a pagetext.Text.
func plainObservations() map[string]string {
	why := map[string][]string{
		"one of a closed set, a token without a space, an id, a digest, or a sentence of ours": {
			"browser.Element.Role", "browser.Motion.What", "browser.PagePlace.Kind", "browser.PageText.Tag", "browser.PageWait.Kind", "browser/input.File.SHA256",
			"browser/eventlog.Blocked.Rule", "browser/eventlog.Effects.Next", "browser/eventlog.LogEntry.Level", "browser/eventlog.NetworkEvent.Blocked", "browser/eventlog.NetworkEvent.Failure",
			"browser/eventlog.NetworkEvent.Method", "browser/eventlog.NetworkEvent.RequestID", "browser/eventlog.NetworkEvent.Type",
		},
		"the caller said it": {
			"browser.InterceptRule.Pattern", "browser.MockResponse.Body", "browser.MockResponse.Headers", "browser/input.File.Name", "browser/eventlog.NetworkEvent.Mocked",
			"browser/scan.Options.Elements", "browser/scan.Options.Notable", "browser/scan.Options.Omit",
		},
		"an address, not typed yet: answers quote it, and reports escape whatever they are given": {
			"browser.Identity.URL", "browser.Navigation.URL", "browser.PageFacts.URL", "browser.PagePlace.URL", "browser.PageSheet.URL", "browser.TabInfo.URL", "browser/eventlog.Blocked.URLs",
			"browser/eventlog.Effects.URLFrom", "browser/eventlog.LogEntry.Page", "browser/eventlog.LogEntry.URL", "browser/eventlog.NetworkEvent.From", "browser/eventlog.NetworkEvent.URL",
			"browser/eventlog.PageState.URL", "browser/eventlog.Redirect.URL",
		},
		"it goes back into the engine as a selector, not typed yet: answers quote it": {
			"browser.Element.Selector", "browser.Identity.Fingerprint", "browser.Identity.Frame", "browser.Identity.Locators", "browser.Motion.Selector", "browser.PageCover.Selector",
			"browser.PagePlace.Selector", "browser.PageText.Selector", "browser.PageText.Where", "browser.PageWait.Selector",
		},
		"what the explorer reads and compares, not typed yet: author/site and its printers escape it": {
			"browser/scan.Element.AriaLabel", "browser/scan.Element.ClassName", "browser/scan.Element.Classes", "browser/scan.Element.Href", "browser/scan.Element.HrefSet",
			"browser/scan.Element.ID", "browser/scan.Element.Landmark", "browser/scan.Element.Locators", "browser/scan.Element.Name", "browser/scan.Element.Role", "browser/scan.Element.Selector",
			"browser/scan.Element.Tag", "browser/scan.Element.Target", "browser/scan.Element.Text", "browser/scan.Element.Type", "browser/scan.Element.XPath", "browser/scan.Field.Autocomplete",
			"browser/scan.Field.InputMode", "browser/scan.Field.Label", "browser/scan.Field.Max", "browser/scan.Field.Message", "browser/scan.Field.Min", "browser/scan.Field.Name",
			"browser/scan.Field.Pattern", "browser/scan.Field.Step", "browser/scan.Field.Value", "browser/scan.Form.Action", "browser/scan.Form.Method", "browser/scan.Form.Name",
			"browser/scan.Function.Name", "browser/scan.Link.Href", "browser/scan.Link.Text", "browser/scan.Node.CSS", "browser/scan.Node.Line",
			"browser/scan.Node.Name", "browser/scan.Node.Role", "browser/scan.Node.State", "browser/scan.Node.Tag", "browser/scan.Node.Value", "browser/scan.Option.Label",
			"browser/scan.Option.Value", "browser/scan.Page.Overlays", "browser/scan.Page.Title", "browser/scan.Page.URL", "browser/scan.Script.URL", "browser/scan.Tag.Text",
		},
		"it is the answer itself, as data: no sentence is made of it": {
			"browser.Element.Attributes", "browser.Element.InnerText", "browser.Element.Name", "browser.Exchange.Body", "browser.Exchange.RequestBody", "browser.Exchange.RequestHeaders",
			"browser.Exchange.ResponseHeaders",
		},
		"facts that rules compute with, not typed yet: what is observed of them is typed in qa": {
			"browser.PageFacts.ContentType", "browser.PageFacts.Fonts", "browser.PageFacts.Lang", "browser.PageFacts.Overlays", "browser.PageFacts.Title", "browser.PagePlace.Text", "browser.PageText.Own",
			"browser.PageText.Text", "browser.TabInfo.Title",
		},
	}
	out := map[string]string{}
	for reason, fields := range why {
		for _, field := range fields {
			out[field] = reason
		}
	}
	return out
}

// TestObservationsHaveThePagesWordsTyped: a field that is fed from the page has the type
// of its words, or stands in the table with a reason.
func TestObservationsHaveThePagesWordsTyped(t *testing.T) {
	t.Parallel()
	unused, found := maps.Clone(plainObservations()), 0
	for _, room := range observationRooms() {
		names, err := filepath.Glob(filepath.Join(filepath.FromSlash(room), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			source, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			plain, all, err := plainFields(name, source)
			if err != nil {
				t.Fatal(err)
			}
			found += all
			for _, field := range plain {
				key := room + "." + field
				if _, ok := unused[key]; ok {
					delete(unused, key)
					continue
				}
				t.Errorf("%s is a string: make it a pagetext.Text, as the page may have had a hand in it, or name it with the reason why not", key)
			}
		}
	}
	if found < 40 {
		t.Errorf("%d fields are observed: the law would pass on nothing", found)
	}
	for _, key := range slices.Sorted(maps.Keys(unused)) {
		t.Errorf("%s is no plain field any more: take it out of the table", key)
	}
}

// plainFields returns the fields with JSON names, of a file's exported types, that hold
// strings; all counts those with JSON names.
func plainFields(name string, source []byte) (plain []string, all int, err error) {
	file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, 0, err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok || !spec.Name.IsExported() {
			return true
		}
		fields, ok := spec.Type.(*ast.StructType)
		if !ok {
			return true
		}
		for _, f := range fields.Fields.List {
			if f.Tag == nil || !inJSON(f.Tag.Value) {
				continue
			}
			all++
			for _, id := range f.Names {
				if holdsStrings(f.Type) {
					plain = append(plain, fmt.Sprintf("%s.%s", spec.Name, id))
				}
			}
		}
		return true
	})
	return plain, all, nil
}

// inJSON reports whether a tag gives a field a JSON name.
func inJSON(tag string) bool {
	tag, err := strconv.Unquote(tag)
	name, ok := reflect.StructTag(tag).Lookup("json")
	return err == nil && ok && name != "-"
}

// holdsStrings reports whether a type is string, or made of it.
func holdsStrings(t ast.Expr) bool {
	switch t := t.(type) {
	case *ast.Ident:
		return t.Name == "string"
	case *ast.StarExpr:
		return holdsStrings(t.X)
	case *ast.ArrayType:
		return holdsStrings(t.Elt)
	case *ast.MapType:
		return holdsStrings(t.Value)
	}
	return false
}

// The law can fail.
func TestObservationsCanFail(t *testing.T) {
	t.Parallel()
	plain, all, err := plainFields("x.go", []byte("package x\ntype A struct {\n\tB string `json:\"b\"`\n\tC []string `json:\"c\"`\n\tD map[string]*string `json:\"d\"`\n\tE pagetext.Text `json:\"e\"`\n\tF string `json:\"-\"`\n\tG string\n}\ntype own struct {\n\tB string `json:\"b\"`\n}\n"))
	if want := []string{"A.B", "A.C", "A.D"}; err != nil || all != 4 || !slices.Equal(plain, want) {
		t.Errorf("found %v of %d, want %v: %v", plain, all, want, err)
	}
}
