package baseline_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/evidence/baseline"
)

// filesIn returns the files below a folder, by their paths.
func filesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		rel, relErr := filepath.Rel(dir, name)
		files[filepath.ToSlash(rel)] = string(data)
		return errors.Join(err, relErr)
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// awkward returns names that file systems disagree about.
func awkward() []string {
	return []string{"sales", "Sales", "SALES", "sales/overview", "sales-overview", "../../etc/passwd", `C:\x`, "con", "CON.png", "a.", "销售", "🙂", "ä", "A\u0308", strings.Repeat("x", 100)}
}

// What is exported reads well, is the same twice, and comes back as it was (B2, B9).
func TestExportImport(t *testing.T) {
	ctx, s, dir := t.Context(), open(t, t.TempDir()), filepath.Join(t.TempDir(), "git", "baselines")
	version, list := must[baseline.Version](t), must[[]baseline.Version](t)
	threshold := 0.02
	for i, name := range awkward() {
		n := shot(t, name, uint8(10+i))
		n.Options.Threshold = &threshold
		v := version(s.Capture(ctx, n))
		if i%2 == 0 {
			version(s.Approve(ctx, v.ID, "Ada L.", "looked at it"))
		}
	}
	version(s.Propose(ctx, differing(t, "sales", 200))) // is not in force
	wrote := list(s.Export(ctx, dir, nil))
	first := filesIn(t, dir)
	if len(wrote) != len(awkward()) || len(first) != 5*len(awkward()) {
		t.Fatalf("%d versions in %d files", len(wrote), len(first))
	}
	lower := map[string]bool{}
	for name, data := range first {
		if !regexp.MustCompile(`^[a-z0-9_-]+/chromium-1280x720-1x-en-us-linux-[0-9a-f]{12}/(baseline\.json|(page|element-[a-z0-9-]+)\.(png|layout\.json))$`).MatchString(name) {
			t.Errorf("%s is no name for every file system", name)
		}
		if strings.HasSuffix(name, ".json") && strings.Count(data, "\n") < 5 {
			t.Errorf("%s can't be read in a diff: %s", name, data)
		}
		lower[strings.ToLower(name)] = true
	}
	if len(lower) != len(first) {
		t.Error("names differ in case alone")
	}
	list(s.Export(ctx, dir, nil))
	if second := filesIn(t, dir); !maps.Equal(first, second) {
		t.Error("exported twice, the files differ")
	}

	other := open(t, t.TempDir())
	imported := list(other.Import(ctx, dir, "Bob", false))
	if again := list(other.Import(ctx, dir, "Bob", false)); !reflect.DeepEqual(again, imported) {
		t.Error("imported twice, the versions differ")
	}
	all := list(other.List(ctx))
	if len(all) != len(wrote) {
		t.Fatalf("%d versions of %d", len(all), len(wrote))
	}
	for i, v := range all {
		if v.Imported != dir {
			t.Errorf("%q: imported from %q", v.Name, v.Imported)
		}
		if v.Imported = ""; !reflect.DeepEqual(v, wrote[i]) {
			t.Errorf("imported\n%+v\nwant\n%+v", v, wrote[i])
		}
		for _, p := range v.Pictures {
			for _, digest := range []string{p.SHA256, p.Layout} {
				mine, theirs := must[[]byte](t)(s.Read(digest)), must[[]byte](t)(other.Read(digest))
				if !bytes.Equal(mine, theirs) {
					t.Errorf("%q: %s differs", v.Name, digest)
				}
			}
		}
	}
	back := filepath.Join(t.TempDir(), "back")
	list(other.Export(ctx, back, nil))
	if third := filesIn(t, back); !maps.Equal(first, third) {
		t.Error("exported from where it was imported, the files differ")
	}
}

// A new version takes the place of the old one's files; names that are not
// asked for stay, and a name that is not there is an error.
func TestExportAgain(t *testing.T) {
	ctx, s, dir := t.Context(), open(t, t.TempDir()), t.TempDir()
	version, list := must[baseline.Version](t), must[[]baseline.Version](t)
	for _, name := range []string{"a", "b"} {
		version(s.Capture(ctx, shot(t, name, 10)))
	}
	list(s.Export(ctx, dir, nil))
	before := filesIn(t, dir)
	n := shot(t, "a", 20)
	n.Pictures = n.Pictures[:1]
	version(s.Approve(ctx, version(s.Propose(ctx, n)).ID, "Ada", "x"))
	if wrote := list(s.Export(ctx, dir, []string{"a"})); len(wrote) != 1 || wrote[0].Number != 2 {
		t.Errorf("wrote %+v", wrote)
	}
	after := filesIn(t, dir)
	for name, data := range before {
		switch {
		case strings.HasPrefix(name, "b/") && after[name] != data:
			t.Errorf("%s changed", name)
		case strings.HasPrefix(name, "a/") && strings.Contains(name, "element") && after[name] != "":
			t.Errorf("%s is still there", name)
		case strings.HasSuffix(name, "a/page.png") && after[name] == data:
			t.Errorf("%s is the old one", name)
		}
	}
	if _, err := s.Export(ctx, dir, []string{"a", "bb"}); !errors.Is(err, baseline.ErrNotFound) || !strings.Contains(err.Error(), `did you mean "b"?`) {
		t.Errorf("export what is not there: %v", err)
	}
}

// What another store has in force is a proposal here where something else is,
// and replaces it only if a person says so (B9).
func TestImportBeside(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	version, list := must[baseline.Version](t), must[[]baseline.Version](t)
	there, here := open(t, t.TempDir()), open(t, t.TempDir())
	approved := version(there.Approve(ctx, version(there.Capture(ctx, shot(t, "Sales", 20))).ID, "Ada", "looked"))
	list(there.Export(ctx, dir, nil))
	mine := version(here.Capture(ctx, shot(t, "Sales", 10)))

	got := list(here.Import(ctx, dir, "Bob", false))[0]
	if got.Status != baseline.Proposed || got.Replaces != mine.ID || got.Number != 2 || got.Decision != nil {
		t.Errorf("imported beside another: %+v", got)
	}
	if again := list(here.Import(ctx, dir, "Bob", false)); again[0].ID != got.ID {
		t.Errorf("imported again: %+v", again)
	}
	replaced := list(here.Import(ctx, dir, "Bob", true))[0]
	if replaced.Status != baseline.Approved || !reflect.DeepEqual(replaced.Decision, approved.Decision) {
		t.Errorf("replaced: %+v", replaced)
	}
	if found := must[baseline.Version](t)(here.Find(ctx, "Sales", mine.Environment)); found.ID != replaced.ID {
		t.Errorf("in force: %+v", found)
	}
	if old := version(here.Get(ctx, mine.ID)); old.Status != baseline.Superseded {
		t.Errorf("the old one is %s", old.Status)
	}

	// The same picture, approved there and not here: the approval comes along.
	third := open(t, t.TempDir())
	version(third.Capture(ctx, shot(t, "Sales", 20)))
	if v := list(third.Import(ctx, dir, "Bob", false))[0]; v.Status != baseline.Approved || v.Decision.By != "Ada" {
		t.Errorf("the approval of the same picture: %+v", v)
	}
	// Unapproved there, another one here, and a person who replaces it: that is who decided.
	unseen := t.TempDir()
	fourth := open(t, t.TempDir())
	version(fourth.Capture(ctx, shot(t, "Sales", 30)))
	list(fourth.Export(ctx, unseen, nil))
	if v := list(third.Import(ctx, unseen, "Bob", true))[0]; v.Status != baseline.Approved || v.Decision.By != "Bob" || !slices.Equal(v.Decision.New, digests(v)) {
		t.Errorf("replaced by an unapproved one: %+v", v)
	}
	// Captured there, approved elsewhere, and back: it is the same version, approved.
	approvedAt, again := open(t, t.TempDir()), t.TempDir()
	seen := list(approvedAt.Import(ctx, unseen, "Bob", false))[0]
	version(approvedAt.Approve(ctx, seen.ID, "Eve", "looked"))
	list(approvedAt.Export(ctx, again, nil))
	if v := list(fourth.Import(ctx, again, "Bob", false))[0]; v.ID != seen.ID || v.Number != seen.Number || v.Status != baseline.Approved || v.Decision.By != "Eve" {
		t.Errorf("back with an approval: %+v", v)
	}
	if all := list(fourth.List(ctx)); len(all) != 1 {
		t.Errorf("it is there %d times", len(all))
	}
	if _, err := third.Import(ctx, unseen, "", true); err == nil {
		t.Error("imported by nobody")
	}
}

// A folder that was changed is refused with the file and the reason, and
// nothing of it is taken.
func TestImportRefuses(t *testing.T) {
	ctx, s, source := t.Context(), open(t, t.TempDir()), t.TempDir()
	for _, name := range []string{"a", "z"} {
		must[baseline.Version](t)(s.Approve(ctx, must[baseline.Version](t)(s.Capture(ctx, shot(t, name, 10))).ID, "Ada", "x"))
	}
	must[[]baseline.Version](t)(s.Export(ctx, source, nil))
	environments, err := os.ReadDir(filepath.Join(source, "z"))
	if err != nil || len(environments) != 1 {
		t.Fatal(environments, err)
	}
	folder := filepath.Join("z", environments[0].Name())
	for what, c := range map[string]struct {
		file, why string
		spoil     func(t *testing.T, dir string) error
	}{
		"picture changed": {"page.png", "changed", func(_ *testing.T, dir string) error {
			return os.WriteFile(filepath.Join(dir, "page.png"), append(pixels(t, 10), 0), 0o600)
		}},
		"picture missing": {"page.png", "no such file", func(_ *testing.T, dir string) error { return os.Remove(filepath.Join(dir, "page.png")) }},
		"link to a file": {"page.png", "link", func(t *testing.T, dir string) error {
			outside := filepath.Join(t.TempDir(), "x.png")
			return errors.Join(os.Rename(filepath.Join(dir, "page.png"), outside), os.Symlink(outside, filepath.Join(dir, "page.png")))
		}},
		"link to a folder": {"z", "link", func(t *testing.T, dir string) error {
			outside := filepath.Join(t.TempDir(), "z")
			return errors.Join(os.Rename(filepath.Dir(dir), outside), os.Symlink(outside, filepath.Dir(dir)))
		}},
		"another record": {"baseline.json", "another record", func(_ *testing.T, dir string) error { return os.CopyFS(dir+"-copy", os.DirFS(dir)) }},
		"path":           {"baseline.json", "../page.png", edit(`"file": "page.png"`, `"file": "../page.png"`)},
		"approval":       {"baseline.json", "other pictures", edit(`"new": [`, `"new": ["00",`)},
		"nobody":         {"baseline.json", "empty", edit(`"by": "Ada"`, `"by": ""`)},
		"status":         {"baseline.json", "status", edit(`"status": "approved"`, `"status": "proposed"`)},
		"name":           {"baseline.json", "printed", edit(`"name": "z"`, `"name": "z\u0007"`)},
		"size":           {"baseline.json", "4×2", edit(`"width": 4`, `"width": 5`)},
		"id":             {"baseline.json", "id", edit(`"id": "b-`, `"id": "c-`)},
		"unknown field":  {"baseline.json", "unknown field", edit(`"format": 1,`, `"format": 1, "x": 1,`)},
		"newer format":   {"baseline.json", "has format 2, and this program reads 1", edit(`"format": 1,`, `"format": 2, "x": 1,`)},
		"older format":   {"baseline.json", "has format 0", edit(`"format": 1,`, `"format": 0,`)},
		"no JSON":        {"baseline.json", "not what export writes", edit(`"format"`, `format`)},
	} {
		t.Run(what, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "export")
			if err := errors.Join(os.CopyFS(dir, os.DirFS(source)), c.spoil(t, filepath.Join(dir, folder))); err != nil {
				t.Fatal(err)
			}
			other := open(t, t.TempDir())
			_, err := other.Import(ctx, dir, "Bob", true)
			if err == nil || !strings.Contains(err.Error(), c.file) || !strings.Contains(err.Error(), c.why) {
				t.Errorf("Import: %v, want an error about %s: %s", err, c.file, c.why)
			}
			if all := must[[]baseline.Version](t)(other.List(ctx)); len(all) != 0 {
				t.Errorf("taken all the same: %v", all)
			}
		})
	}
	if _, err := s.Import(ctx, t.TempDir(), "Bob", false); err == nil {
		t.Error("an empty folder is imported")
	}
	// git may change the ends of lines: JSON still says the same.
	for name, data := range filesIn(t, source) {
		if strings.HasSuffix(name, ".json") {
			if !json.Valid([]byte(data)) {
				t.Errorf("%s is no JSON", name)
			}
			if err := os.WriteFile(filepath.Join(source, name), []byte(strings.ReplaceAll(data, "\n", "\r\n")), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got, err := open(t, t.TempDir()).Import(ctx, source, "Bob", false); err != nil || len(got) != 2 {
		t.Errorf("with other ends of lines: %v", err)
	}
}

// edit changes words of the record.
func edit(from, to string) func(*testing.T, string) error {
	return func(t *testing.T, dir string) error {
		file := filepath.Join(dir, "baseline.json")
		data, err := os.ReadFile(file)
		if err == nil && !bytes.Contains(data, []byte(from)) {
			t.Fatalf("%s is not in %s", from, data)
		}
		return errors.Join(err, os.WriteFile(file, bytes.ReplaceAll(data, []byte(from), []byte(to)), 0o600))
	}
}
