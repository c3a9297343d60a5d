package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestEvidenceKept has one server keep runs, while everything is done to its data folder
// that is told to whoever verifies, and to the next run (B8, B4, B6, A5).
func TestEvidenceKept(t *testing.T) {
	t.Parallel()
	k := keep(t)
	k.beforeItIsLost(t)
	t.Run("rolled back", k.rolledBack)
	t.Run("key rotated", k.keyRotated)
	k.afterwards(t)
}

// keeping is a server with a browser, and a page that it finds in order.
type keeping struct {
	*wire
	page string
}

func keep(t *testing.T) keeping {
	t.Helper()
	needsBrowser(t)
	k := keeping{alone(t, november25), badSite(t) + "/ok"}
	k.passes(k.page)
	return k
}

// path is a file of the data folder.
func (k keeping) path(name string) string { return filepath.Join(k.data, filepath.FromSlash(name)) }

// instead puts a copy of the whole data folder in its place.
func (k keeping) instead(t *testing.T, from string) {
	t.Helper()
	must(t, os.RemoveAll(k.data))
	if out, err := exec.CommandContext(t.Context(), "cp", "-Rp", from, k.data).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// repair puts the database and the log back as they were.
func (k keeping) repair(t *testing.T, from string) {
	t.Helper()
	must(t, os.RemoveAll(k.path("log")))
	must(t, os.RemoveAll(k.path("assay.db")))
	if out, err := exec.CommandContext(t.Context(), "cp", "-Rp", filepath.Join(from, "assay.db"), filepath.Join(from, "log"), k.data).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// B8, B4: a log that goes back in time, in part or as a whole, is noticed by
// whoever verifies and by the next run, which can't pass. Once all is back in
// its place, runs pass again.
func (k keeping) rolledBack(t *testing.T) {
	k.in(t)
	old := readFile(t, k.path("assay.db"))
	k.emptyRun()
	good, outer := copied(t, k.data), t
	for i, c := range []struct {
		name  string
		found string // code of a fault; "" where what is stored is in order
		do    func()
		words []string // of the answer of a run
	}{
		{"an older database", "log-rolled-back", func() { writeFile(t, k.path("assay.db"), old) }, []string{"assay.db", "log/checkpoint"}},
		{"no database", "log-missing", func() { must(t, os.Remove(k.path("assay.db"))) }, []string{"assay.db", "log/checkpoint"}},
		{"no key", "", func() { must(t, os.Remove(k.path("log/key"))) }, []string{"log/key", "assay key rotate"}},
		{"another key", "", func() {
			other := t.TempDir()
			w := serveOn(t, other, browserless(t)...)
			w.emptyRun()
			writeFile(t, k.path("log/key"), readFile(t, filepath.Join(other, "log/key")))
		}, []string{"log/key"}},
		{"a garbled key", "", func() { writeFile(t, k.path("log/key"), []byte("PRIVATE+KEY+x")) }, []string{"key"}},
		{"no log folder", "keys-missing", func() { must(t, os.RemoveAll(k.path("log"))) }, []string{"log/"}},
	} {
		if i != 0 && i != 2 && !soak() { // make test has a database and a key
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			w := k.in(t)
			c.do()
			v := examine(t, k.data, "--all")
			if c.found != "" && (v.Verdict == "verified" || !v.has(c.found)) {
				t.Errorf("%s, and not for %s: %s", v.Verdict, c.found, v)
			}
			said := w.refuses(k.page, c.words...)
			t.Logf("%s: %s", said.status, said.text)
			k.repair(t, good)
			w.settles(said)
			w.passes(k.page)
			verified(t, k.data, "--all")
			good = copied(outer, k.data)
		})
	}
	k.rolledBackAsAWhole(t)
}

// rolledBackAsAWhole puts an older copy of everything in its place. Whoever has
// a newer checkpoint sees it; nobody else can, and docs/threat-model.md says so.
func (k keeping) rolledBackAsAWhole(t *testing.T) {
	then := copied(t, k.data)
	k.emptyRun()
	kept := filepath.Join(t.TempDir(), "checkpoint")
	writeFile(t, kept, readFile(t, k.path("log/checkpoint")))
	verified(t, k.data, "--all", "--checkpoint", kept)
	k.instead(t, then)
	verified(t, k.data, "--all")
	v := examine(t, k.data, "--all", "--checkpoint", kept)
	if v.Verdict != "failed" || !v.has("log-rolled-back") {
		t.Errorf("%s with a newer checkpoint at hand: %s", v.Verdict, v)
	}
	k.emptyRun() // another history begins
	k.passes(k.page)
	v = examine(t, k.data, "--all", "--checkpoint", kept)
	if v.Verdict != "failed" || !v.has("log-forked") {
		t.Errorf("%s for a fork, with the other branch's checkpoint at hand: %s", v.Verdict, v)
	}
}

// B8: a key can be changed and lost. What it signed stays verified, also for
// who pinned the old one; a key that is lost is noted.
func (k keeping) keyRotated(t *testing.T) {
	k.in(t)
	old := strings.TrimSpace(string(readFile(t, k.path("log/keys"))))
	if out, said, code := command(t, k.data, "key", "rotate"); code != 2 {
		t.Errorf("rotated without name and reason: exit code %d: %s%s", code, out, said)
	}
	if out, said, code := command(t, k.data, "key", "rotate", "--name", "Ada L.", "--reason", "it was on a stick"); code != 0 {
		t.Fatalf("exit code %d: %s%s", code, out, said)
	}
	if strings.Contains(string(readFile(t, k.path("log/key"))), old) || strings.TrimSpace(string(readFile(t, k.path("log/keys")))) == old {
		t.Error("the key is the old one")
	}
	k.passes(k.page)
	verified(t, k.data, "--all")
	verified(t, k.data, "--all", "--key", old) // which signed the new one in
	must(t, os.Remove(k.path("log/key")))
	said := k.refuses(k.page, "log/key", "assay key rotate")
	if out, said, code := command(t, k.data, "key", "rotate", "--name", "Ada L.", "--reason", "the disk died"); code != 0 {
		t.Fatalf("exit code %d: %s%s", code, out, said)
	}
	k.settles(said)
	k.passes(k.page)
	if v := examine(t, k.data, "--all"); v.Verdict == "failed" || !v.has("key-replaced") {
		t.Errorf("%s after the key was lost: %s", v.Verdict, v)
	}
	other := t.TempDir()
	w := serveOn(t, other, browserless(t)...)
	w.emptyRun()
	stranger := strings.TrimSpace(string(readFile(t, filepath.Join(other, "log/keys"))))
	if v := examine(t, k.data, "--all", "--key", stranger); v.Verdict != "failed" {
		t.Errorf("%s for who trusts another key alone: %s", v.Verdict, v)
	}
}
