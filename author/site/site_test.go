package site_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/author/site"
)

func sample() site.Site {
	return site.Site{SchemaVersion: site.SchemaVersion, StartURL: "http://a.test/", States: []site.State{{ID: "s1"}, {ID: "s2"}},
		Edges: []site.Edge{{ID: "e1", From: "s1", To: "s2", Action: site.Action{Kind: site.Click, Element: &site.Element{Role: "link", Name: "Orders"}}}}}
}

func TestWriteAndRead(t *testing.T) { // C3
	dir := filepath.Join(t.TempDir(), "new", "folder")
	if err := site.Write(dir, sample()); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, filepath.Join(dir, site.FileName)} {
		got, err := site.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(sample(), got); diff != "" {
			t.Errorf("read again (-written +read):\n%s", diff)
		}
	}
}

func TestWhatDoesNotHoldTogether(t *testing.T) {
	for want, spoil := range map[string]func(*site.Site){
		"schemaVersion is 9":   func(s *site.Site) { s.SchemaVersion = 9 },
		"startUrl is missing":  func(s *site.Site) { s.StartURL = "" },
		"stands twice":         func(s *site.Site) { s.States[1].ID = "s1" },
		"one of them is no":    func(s *site.Site) { s.Edges[0].To = "s7" },
		"has no action.kind":   func(s *site.Site) { s.Edges[0].Action.Kind = "" },
		"click has no element": func(s *site.Site) { s.Edges[0].Action.Element = nil },
	} {
		s := sample()
		spoil(&s)
		dir := t.TempDir()
		if err := site.Write(dir, s); err != nil {
			t.Fatal(err)
		}
		if _, err := site.Read(dir); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "assay explore") {
			t.Errorf("%q is not what is said, with the command that helps: %v", want, err)
		}
	}
	dir := t.TempDir()
	if _, err := site.Read(dir); err == nil || !strings.Contains(err.Error(), "does not exist: make it with: assay explore") {
		t.Errorf("no file: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, site.FileName), []byte(`{"states": [`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := site.Read(dir); err == nil || !strings.Contains(err.Error(), "is no exploration") {
		t.Errorf("a file that is cut off: %v", err)
	}
}
