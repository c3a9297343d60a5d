package trust_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/trust"
)

// rig is a folder with a configuration and a script, and a person's store.
type rig struct {
	t      *testing.T
	store  trust.Store
	folder string
	claims []config.Claim
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{t: t, store: trust.Store{Dir: filepath.Join(t.TempDir(), "assay", "trust")}, folder: t.TempDir()}
	r.write("mcp.toml", "schema_version = 1\n")
	r.write("key.sh", "#!/bin/sh\necho one\n")
	r.claims = []config.Claim{{Key: "auth.key", Where: "mcp.toml:3", Value: `"cmd:sh ./key.sh"`, Sum: "1", Starts: []string{"cmd:sh ./key.sh"}}}
	return r
}

func (r *rig) path(name string) string { return filepath.Join(r.folder, name) }

func (r *rig) write(name, text string) {
	r.t.Helper()
	if err := os.WriteFile(r.path(name), []byte(text), 0o700); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) keep(whole bool) {
	r.t.Helper()
	now, err := trust.Look(r.place(), r.claims)
	now.Whole = whole
	if err == nil {
		err = r.store.Keep(now)
	}
	if err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) place() trust.Place { return trust.Place{Work: r.folder, Config: r.path("mcp.toml")} }

func (r *rig) level(at trust.Place) (config.Trust, error) {
	kept, trusted, err := r.store.Trusts(at, r.claims)
	switch {
	case !trusted:
		return config.Untrusted, err
	case kept.Whole:
		return config.TrustedWhole, err
	}
	return config.TrustedSettings, err
}

func (r *rig) trusts(want config.Trust, when string) {
	r.t.Helper()
	if got, err := r.level(r.place()); err != nil || got != want {
		r.t.Errorf("%s: %v, %v, want %v", when, got, err, want)
	}
}

// B18: what a person trusted is the folder, its settings and what they start: a change there asks again, a change
// elsewhere asks nothing.
func TestWhatIsTrusted(t *testing.T) {
	r := newRig(t)
	r.trusts(config.Untrusted, "before")
	r.keep(true)
	r.trusts(config.TrustedWhole, "trusted")
	r.write("tests.spec.ts", "test()")
	r.write("mcp.toml", "schema_version = 1\n# another line\n")
	r.trusts(config.TrustedWhole, "another file is changed")

	r.write("key.sh", "#!/bin/sh\necho two\n")
	r.trusts(config.Untrusted, "the script is changed")
	r.keep(false)
	r.trusts(config.TrustedSettings, "trusted again, without its tests")
	r.claims[0].Sum = "2"
	r.trusts(config.Untrusted, "a value is changed")
	r.claims[0].Sum = "1"
	r.claims = append(r.claims, config.Claim{Key: "data_dir", Sum: "3"})
	r.trusts(config.Untrusted, "a value is added")
	r.claims = nil
	r.trusts(config.Untrusted, "all values are gone")
}

// A script that is removed, or that becomes a link to another, is another one.
func TestTheScriptIsAnotherOne(t *testing.T) {
	r := newRig(t)
	r.keep(true)
	r.write("other.sh", "#!/bin/sh\necho one\n")
	if err := os.Remove(r.path("key.sh")); err != nil {
		t.Fatal(err)
	}
	r.trusts(config.Untrusted, "it is gone")
	if err := os.Symlink("other.sh", r.path("key.sh")); err != nil {
		t.Skipf("no links here: %v", err)
	}
	r.trusts(config.Untrusted, "it leads to another file, with the same content")
	r.keep(true)
	r.write("other.sh", "#!/bin/sh\necho two\n")
	r.trusts(config.Untrusted, "what it leads to is changed")
}

// A folder that is moved, copied or replaced by a link is another one; a link to the folder is the folder.
func TestTheFolderIsAnotherOne(t *testing.T) {
	r := newRig(t)
	r.keep(true)
	elsewhere := filepath.Join(t.TempDir(), "moved")
	if err := os.Symlink(r.folder, elsewhere); err != nil {
		t.Skipf("no links here: %v", err)
	}
	if got, err := r.level(trust.Place{Work: elsewhere, Config: filepath.Join(elsewhere, "mcp.toml")}); err != nil || got != config.TrustedWhole {
		t.Errorf("by a link: %v, %v", got, err)
	}
	if err := os.Remove(elsewhere); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(r.folder, elsewhere); err != nil {
		t.Fatal(err)
	}
	if got, err := r.level(trust.Place{Work: elsewhere, Config: filepath.Join(elsewhere, "mcp.toml")}); err != nil || got != config.Untrusted {
		t.Errorf("moved: %v, %v", got, err)
	}
	if err := os.Symlink(elsewhere, r.folder); err != nil {
		t.Fatal(err)
	}
	r.trusts(config.Untrusted, "a link in its place")
}

// What a configuration starts by a relative path is another file where it is read from another folder.
func TestAConfigurationElsewhere(t *testing.T) {
	r := newRig(t)
	r.keep(true)
	if got, err := r.level(trust.Place{Work: t.TempDir(), Config: r.path("mcp.toml")}); err != nil || got != config.Untrusted {
		t.Errorf("in another folder: %v, %v", got, err)
	}
	r.claims = nil
	r.keep(true)
	if got, err := r.level(trust.Place{Work: t.TempDir(), Config: r.path("mcp.toml")}); err != nil || got != config.TrustedWhole {
		t.Errorf("in another folder, where it starts nothing: %v, %v", got, err)
	}
	if got, err := r.level(trust.Place{Work: r.folder}); err != nil || got != config.Untrusted {
		t.Errorf("without the configuration: %v, %v", got, err)
	}
}

// A record is for its owner, and one that is damaged is an error and no trust.
func TestTheRecord(t *testing.T) {
	r := newRig(t)
	r.keep(true)
	files, err := filepath.Glob(filepath.Join(r.store.Dir, "*"))
	if err != nil || len(files) != 2 {
		t.Fatalf("%v, %v", files, err)
	}
	info, err := os.Stat(files[0])
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if _, whole, err := r.store.TrustsFolder(r.folder); err != nil || !whole {
		t.Errorf("the folder whole: %v, %v", whole, err)
	}
	for _, file := range files {
		if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := r.level(r.place()); err == nil || got != config.Untrusted {
		t.Errorf("damaged: %v, %v", got, err)
	}
	now, err := trust.Look(r.place(), r.claims)
	if err != nil {
		t.Fatal(err)
	}
	if there, err := r.store.Forget(now); err != nil || !there {
		t.Errorf("forget: %v, %v", there, err)
	}
	r.trusts(config.Untrusted, "forgotten")
	if _, whole, err := r.store.TrustsFolder(r.folder); err != nil || whole {
		t.Errorf("the folder whole, forgotten: %v, %v", whole, err)
	}
}

// Without a folder for the person's configuration nothing is trusted, and nothing kept.
func TestNoStore(t *testing.T) {
	r := newRig(t)
	r.store = trust.Store{}
	r.trusts(config.Untrusted, "no store")
	if err := r.store.Keep(trust.Record{}); err == nil {
		t.Error("kept nowhere")
	}
}

// What a person's own file starts does not depend on the folder that is worked in.
func TestRelativePrograms(t *testing.T) {
	for starts, want := range map[string]bool{"cmd:pass show x": false, "cmd:./get.sh": true, "cmd:'a b/c' d": true, "cmd:/usr/bin/pass x": false, "cmd:\"": false} {
		claims := []config.Claim{{Key: "auth.key", Starts: []string{starts}}}
		if _, program, got := trust.Relative(claims); got != want && runtime.GOOS != "windows" {
			t.Errorf("%s: %v (%s), want %v", starts, got, program, want)
		}
	}
	if _, _, got := trust.Relative([]config.Claim{{Key: "browser.executable_path", Starts: []string{"chrome"}}}); !got {
		t.Error("a browser's name alone leads into the working folder")
	}
	if _, _, got := trust.Relative([]config.Claim{{Key: "author.test_command", Starts: []string{"npm", "./x"}}}); got {
		t.Error("a program that is looked up in the PATH is none of the folder")
	}
}

// B18: the tests of a trusted folder are run while what decides about them is as a person saw it, in the project and in
// the folders above it; a file that is new, changed or gone asks again, and a test is changed as it is.
func TestTestsOfATrustedFolder(t *testing.T) {
	r := newRig(t)
	web := r.path("apps/web")
	for _, dir := range []string{web, r.path("other"), r.path("node_modules/x"), r.path("a/b/c/d/e/f/g")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"package.json", "apps/web/playwright.config.ts", "apps/web/package-lock.json", "other/package.json"} {
		r.write(name, "{}")
	}
	r.keep(true)
	check := func(project, want, when string) {
		t.Helper()
		own, trusted, err := r.store.TrustsFolder(r.folder)
		if err != nil || !trusted {
			t.Fatalf("%s: %v %v", when, trusted, err)
		}
		runs, changed, err := trust.CheckTests(project, []trust.Folder{{Path: r.folder + "-other"}, own})
		if want != "" {
			want = r.path(want)
		}
		if err != nil || runs != (want == "") || changed != want {
			t.Errorf("%s: runs: %v, changed: %q, want %q; %v", when, runs, changed, want, err)
		}
	}
	whole, err := trust.RealPath(r.folder)
	if err != nil {
		t.Fatal(err)
	}
	r.folder, web = whole, filepath.Join(whole, "apps/web")
	check(web, "", "as it was")
	for _, name := range []string{"apps/web/a.spec.ts", "other/package.json", "node_modules/x/package.json", "apps/web/helper.js"} {
		r.write(name, "x")
	}
	check(web, "", "tests, modules and another project are changed")
	for _, name := range []string{"package.json", "apps/web/playwright.config.ts", "apps/web/package-lock.json", "apps/web/package.json", "apps/yarn.lock", "apps/web/playwright.config.mjs"} {
		before, err := os.ReadFile(r.path(name))
		r.write(name, "x")
		check(web, name, name+" is changed or new")
		if err != nil {
			_ = os.Remove(r.path(name)) // the test's own folder
		} else {
			r.write(name, string(before))
		}
		check(web, "", name+" is as before")
	}
	if err := os.Remove(r.path("apps/web/package-lock.json")); err != nil {
		t.Fatal(err)
	}
	check(web, "apps/web/package-lock.json", "a file is gone")
	r.write("a/b/c/d/e/f/g/package.json", "{}")
	r.keep(true)
	check(r.path("a/b/c/d/e/f/g"), "a/b/c/d/e/f/g/package.json", "deeper than was looked")
	if runs, _, err := trust.CheckTests(web, []trust.Folder{{Path: whole, Any: true}}); err != nil || !runs {
		t.Errorf("in a job: %v, %v", runs, err)
	}
}

// What sets a site back runs beside the configuration, wherever that is read from.
func TestTheScriptBesideTheConfiguration(t *testing.T) {
	r := newRig(t)
	r.write("seed.sh", "#!/bin/sh\necho one\n")
	r.claims = []config.Claim{{Key: "explore.reset_command", Where: "mcp.toml:3", Value: `"./seed.sh"`, Sum: "1", Starts: []string{"cmd:./seed.sh"}}}
	at := trust.Place{Work: t.TempDir(), Config: r.path("mcp.toml")}
	now, err := trust.Look(at, r.claims)
	if err != nil || len(now.Files) != 1 || now.Files[0].Sum == "" {
		t.Fatalf("%+v, %v", now.Files, err)
	}
	if err := r.store.Keep(now); err != nil {
		t.Fatal(err)
	}
	if got, err := r.level(at); err != nil || got != config.TrustedSettings {
		t.Errorf("trusted: %v, %v", got, err)
	}
	r.write("seed.sh", "#!/bin/sh\necho two\n")
	if got, err := r.level(at); err != nil || got != config.Untrusted {
		t.Errorf("the script is changed: %v, %v", got, err)
	}
}
