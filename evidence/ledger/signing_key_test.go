package ledger_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
)

// folder is a data folder, as the tests of its keys see it.
type folder struct {
	t   *testing.T
	dir string
}

func newFolder(t *testing.T) folder { return folder{t, t.TempDir()} }

func (f folder) open() *ledger.Ledger { return ledger.Open(f.dir, time.Now, ledger.Options{}) }

func (f folder) add(l *ledger.Ledger) error {
	return l.Update(f.t.Context(), func(tx *ledger.Tx) error { return add(tx, "k") })
}

func (f folder) mustAdd(l *ledger.Ledger) {
	f.t.Helper()
	if err := f.add(l); err != nil {
		f.t.Fatal(err)
	}
}

func (f folder) path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

func (f folder) text(name string) string {
	f.t.Helper()
	text, err := os.ReadFile(f.path(name))
	if err != nil {
		f.t.Fatal(err)
	}
	return string(text)
}

func (f folder) write(name, text string) {
	f.t.Helper()
	if err := os.WriteFile(f.path(name), []byte(text), 0o600); err != nil {
		f.t.Fatal(err)
	}
}

func (f folder) remove(name string) {
	f.t.Helper()
	if err := os.Remove(f.path(name)); err != nil {
		f.t.Fatal(err)
	}
}

// size returns how many events there are, all of them under a checkpoint that the
// present key signed.
func (f folder) size() (n int64) {
	f.t.Helper()
	l := f.open()
	if err := l.View(f.t.Context(), func(tx *ledger.Tx) error {
		key, err := l.Key()
		if err != nil {
			return err
		}
		trust, err := attest.ParseTrust(key.Verifier())
		if err != nil {
			return err
		}
		point, _, err := trust.OpenCheckpoint(tx.Checkpoint())
		if err != nil {
			return err
		}
		if n = tx.Size(); point.Size != n {
			return fmt.Errorf("%d events, and %d signed", n, point.Size)
		}
		return nil
	}); err != nil {
		f.t.Error(err)
	}
	return n
}

// Processes that begin at once agree on one key, which only its owner can read.
func TestKeyIsMadeOnce(t *testing.T) {
	f := newFolder(t)
	const processes = 6
	children := make([]*process, processes)
	for i := range children {
		children[i] = start(t, f.path("assay.db"))
	}
	for i, p := range children {
		p.tell(fmt.Sprintf("first%d", i))
	}
	key, err := f.open().Key() // a reader is in time, or makes it
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range children {
		p.hear(fmt.Sprintf("first%d <nil>", i))
		p.end()
	}
	if f.size() != processes {
		t.Errorf("%d events", f.size())
	}
	if got := f.text("log/keys"); got != key.Verifier()+"\n" {
		t.Errorf("log/keys is %q, and the key %q", got, key.Verifier())
	}
	if info, err := os.Stat(f.path("log/key")); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	files, err := os.ReadDir(f.path("log"))
	if err != nil || len(files) != 3 {
		t.Errorf("log holds %v, %v", files, err)
	}
}

// So do all who ask for it before the first event.
func TestKeyIsAskedForAtOnce(t *testing.T) {
	f := newFolder(t)
	const askers = 12
	answers, begin := make(chan string, askers), make(chan struct{})
	for range askers {
		go func() {
			<-begin
			key, err := f.open().Key()
			if err != nil {
				answers <- err.Error()
				return
			}
			answers <- key.Verifier()
		}()
	}
	close(begin)
	first := <-answers
	for range askers - 1 {
		if next := <-answers; next != first {
			t.Errorf("%q, and %q", first, next)
		}
	}
	if got := f.text("log/keys"); got != first+"\n" {
		t.Errorf("log/keys is %q, and the key %q", got, first)
	}
}

// A key that is not the log's, or that others could have copied, signs nothing,
// and the error tells what to do (B8). The secret is in no error.
func TestWrongKey(t *testing.T) {
	strange := newFolder(t)
	strange.mustAdd(strange.open())
	for name, c := range map[string]struct {
		spoil func(folder)
		want  error
		text  string
	}{
		"missing":        {func(f folder) { f.remove("log/key") }, ledger.ErrKeyLost, "assay key rotate"},
		"empty":          {func(f folder) { f.write("log/key", "") }, ledger.ErrKey, "assay key rotate"},
		"cut":            {func(f folder) { f.write("log/key", f.text("log/key")[:70]) }, ledger.ErrKey, "put it back"},
		"flipped":        {func(f folder) { f.write("log/key", strings.ToUpper(f.text("log/key"))) }, ledger.ErrKey, "put it back"},
		"of another log": {func(f folder) { f.write("log/key", strange.text("log/key")) }, ledger.ErrKey, "log/keys names"},
		"another, with keys": {func(f folder) {
			f.write("log/key", strange.text("log/key"))
			f.write("log/keys", f.text("log/keys")+strange.text("log/keys"))
		}, ledger.ErrKey, "did not sign this log"},
		"open to others":       {func(f folder) { f.mode("log/key", 0o640) }, ledger.ErrKey, "chmod 600"},
		"a folder":             {func(f folder) { f.remove("log/key"); f.mkdir("log/key") }, nil, "is no regular file"},
		"a link":               {func(f folder) { f.link("log/key") }, nil, "is no regular file"},
		"no list of keys":      {func(f folder) { f.remove("log/keys") }, nil, "log/keys"},
		"an empty list":        {func(f folder) { f.write("log/keys", "") }, nil, "log/keys"},
		"a garbled list":       {func(f folder) { f.write("log/keys", "garbled\n") }, nil, "verifier key"},
		"all of the log's":     {func(f folder) { f.removeAll("log") }, nil, "log/keys"},
		"a key under its name": {func(f folder) { f.write("log/keys", strange.text("log/keys")) }, nil, "signed"},
	} {
		f := newFolder(t)
		l := f.open()
		f.mustAdd(l)
		secret := strings.TrimSpace(f.text("log/key"))
		seed := strings.SplitN(secret, "+", 5)[4] // base64 can hold a plus
		before := f.text("assay.db")
		c.spoil(f)
		if runtime.GOOS == "windows" && (name == "open to others" || name == "a link") {
			continue // it has no such bits, and links are not for everybody
		}
		err := f.add(l)
		if err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		_, keyErr := l.Key()
		for _, err := range []error{err, keyErr} {
			if err != nil && (strings.Contains(err.Error(), seed) || strings.Contains(err.Error(), secret[:20])) {
				t.Errorf("%s: the secret is in %v", name, err)
			}
		}
		if f.text("assay.db") != before {
			t.Errorf("%s: it was written to", name)
		}
	}
}

func (f folder) mode(name string, mode os.FileMode) {
	if err := os.Chmod(f.path(name), mode); err != nil {
		f.t.Fatal(err)
	}
}

func (f folder) mkdir(name string) {
	if err := os.Mkdir(f.path(name), 0o700); err != nil {
		f.t.Fatal(err)
	}
}

func (f folder) link(name string) {
	if err := os.Rename(f.path(name), f.path("elsewhere")); err != nil {
		f.t.Fatal(err)
	}
	if err := os.Symlink(f.path("elsewhere"), f.path(name)); err != nil && runtime.GOOS != "windows" {
		f.t.Fatal(err)
	}
}

func (f folder) removeAll(name string) {
	if err := os.RemoveAll(f.path(name)); err != nil {
		f.t.Fatal(err)
	}
}

// A key from a store of secrets signs, and never lies in the folder.
func TestOutsideKey(t *testing.T) {
	maker := newFolder(t)
	maker.mustAdd(maker.open())
	secret := maker.text("log/key")
	f := newFolder(t)
	l := ledger.Open(f.dir, time.Now, ledger.Options{Key: func() (string, error) { return secret, nil }})
	f.mustAdd(l)
	f.mustAdd(l)
	if _, err := os.Stat(f.path("log/key")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("log/key: %v", err)
	}
	if f.text("log/keys") != maker.text("log/keys") {
		t.Error(f.text("log/keys"))
	}
	if _, err := l.Rotate(t.Context(), "Ada", "routine"); err == nil || !strings.Contains(err.Error(), "signing_key") {
		t.Errorf("rotated: %v", err)
	}
	closed := errors.New("the vault is closed")
	if err := f.add(ledger.Open(f.dir, time.Now, ledger.Options{Key: func() (string, error) { return "", closed }})); !errors.Is(err, closed) {
		t.Error(err)
	}
	if err := f.add(ledger.Open(f.dir, time.Now, ledger.Options{Key: func() (string, error) { return "PRIVATE+KEY+" + secret[30:], nil }})); err == nil || strings.Contains(err.Error(), secret[40:60]) {
		t.Error(err)
	}
	if err := f.add(f.open()); !errors.Is(err, ledger.ErrKeyLost) { // as a server without that setting
		t.Error(err)
	}
}

// rotate changes the key until the process is killed.
func rotate(l *ledger.Ledger) {
	for i := 0; ; i++ {
		e, err := l.Rotate(context.Background(), "Ada", "routine")
		fmt.Println(e.Action, err)
	}
}

// While a store of secrets makes up its mind, others write to the log (A14).
func TestSlowKey(t *testing.T) {
	dir := t.TempDir()
	key, err := attest.NewKey(rand.Reader, "assay/elsewhere")
	if err != nil {
		t.Fatal(err)
	}
	secret := key.Secret()
	other := ledger.Open(dir, time.Now, ledger.Options{Wait: time.Second, Key: func() (string, error) { return secret, nil }})
	if err := other.Update(t.Context(), func(tx *ledger.Tx) error { return add(tx, "a") }); err != nil {
		t.Fatal(err)
	}
	slow := ledger.Open(dir, time.Now, ledger.Options{Key: func() (string, error) {
		return secret, other.Update(t.Context(), func(tx *ledger.Tx) error { return add(tx, "b") })
	}})
	if err := slow.Update(t.Context(), func(tx *ledger.Tx) error { return add(tx, "c") }); err != nil {
		t.Error(err)
	}
}
