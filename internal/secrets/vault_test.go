package secrets_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/assay-qa/assay/internal/secrets"
)

func fileOf(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestRevealFindsValues in variables, files and programs (A12: credentials
// from the environment or a secret store only).
func TestRevealFindsValues(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("runs POSIX programs")
	}
	for name, c := range map[string]struct{ reference, want string }{
		"variable":           {"env:SHOP_PIN", "from the environment"},
		"file":               {"file:" + fileOf(t, "from a file\n"), "from a file"},
		"file with CR LF":    {"file:" + fileOf(t, "from a file\r\n"), "from a file"},
		"one line end only":  {"file:" + fileOf(t, "from a file\n\n"), "from a file\n"},
		"program":            {`cmd:printf '%s-%s\n' "two words" three\ more`, "two words-three more"},
		"no shell":           {`cmd:echo $HOME;ls`, "$HOME;ls"},
		"quotes in quotes":   {`cmd:printf "%s" "a\"b\c"`, `a"b\c`},
		"an empty word":      {`cmd:printf '%s|%sxxx' '' ""`, "|xxx"},
		"stderr is no value": {`cmd:sh -c "echo warning >&2; echo value"`, "value"},
		"blanks about a ref": {"env: SHOP_PIN", "from the environment"},
	} {
		v := secrets.New(map[string]string{"S": c.reference}, func(name string) string {
			return map[string]string{"SHOP_PIN": "from the environment"}[name]
		})
		got, err := v.Reveal(context.Background(), "S")
		if err != nil || got != c.want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, c.want)
		}
	}
}

// TestRevealSaysWhatIsMissing, on which secret, and never a value (E6).
func TestRevealSaysWhatIsMissing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("runs POSIX programs")
	}
	folder := t.TempDir()
	for name, c := range map[string]struct{ reference, want string }{
		"unset variable":    {"env:NOPE", "environment variable NOPE is not set"},
		"absent file":       {"file:/nope/nope", "file /nope/nope: no such file"},
		"a folder":          {"file:" + folder, "is no regular file"},
		"an endless file":   {"file:/dev/zero", "is no regular file"},
		"too long":          {"file:" + fileOf(t, strings.Repeat("x", 65<<10)), "longer than 64 KB"},
		"empty":             {"file:" + fileOf(t, "\n"), "empty"},
		"short":             {"env:SHORT", "3 characters"},
		"short with blanks": {"file:" + fileOf(t, "  xyz  "), "3 characters"},
		"no text":           {"file:" + fileOf(t, "abcdef\xff\xfe"), "no text"},
		"no program":        {"cmd:assay-nope --x", "assay-nope was not found"},
		"a failure":         {`cmd:sh -c "echo hunter2 >&2; echo hunter2; exit 3"`, "exit status 3"},
		"endless output":    {"cmd:yes hunter2", "more than 64 KB"},
		"open quote":        {`cmd:echo "hunter2`, "quote is not closed"},
		"backslash":         {`cmd:echo hunter2\`, "backslash"},
		"nothing":           {`cmd:''`, "no program"},
		"unknown kind":      {"vault:hunter2", "no known kind"},
	} {
		v := secrets.New(map[string]string{"SHOP_PIN": c.reference}, func(name string) string {
			return map[string]string{"SHORT": "xyz"}[name]
		})
		_, err := v.Reveal(context.Background(), "SHOP_PIN")
		var e *secrets.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !strings.HasPrefix(e.Error(), "secret SHOP_PIN: ") || !strings.Contains(e.Error(), c.want) || e.Hint() == "" {
			t.Errorf("%s: %q, hint %q; want %q", name, e, e.Hint(), c.want)
		}
		if text := e.Error() + e.Hint(); strings.Contains(text, "hunter2") || strings.Contains(text, "xyz") {
			t.Errorf("%s: the value is shown: %s", name, text)
		}
	}
}

// TestRevealEndsWithItsCaller: a program that hangs holds nobody.
func TestRevealEndsWithItsCaller(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("runs POSIX programs")
	}
	pipe := filepath.Join(t.TempDir(), "started")
	v := secrets.New(map[string]string{"S": `cmd:sh -c "touch ` + pipe + `; exec sleep 600"`}, os.Getenv)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 2)
	for range 2 { // the second waits for the first one's turn
		go func() { _, err := v.Reveal(ctx, "S"); done <- err }()
	}
	cancel()
	for range 2 {
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	}
}

// TestRevealOnce: a value is looked up once, however many want it at a time,
// and masked from then on. Run with -race.
func TestRevealOnce(t *testing.T) {
	var mu sync.Mutex
	asked := 0
	v := secrets.New(map[string]string{"S": "env:S"}, func(string) string {
		mu.Lock()
		defer mu.Unlock()
		asked++
		return "hunter2"
	})
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			v.Mask("hunter2")
			if got, err := v.Reveal(context.Background(), "S"); err != nil || got != "hunter2" || v.Mask(got) != "${secret:S}" {
				t.Errorf("%q, %v, masked %q", got, err, v.Mask(got))
			}
		})
	}
	wg.Wait()
	if asked != 1 {
		t.Errorf("looked up %d times", asked)
	}
	if got := v.Values(); len(got) != 1 || got[0] != "hunter2" {
		t.Errorf("%q", got)
	}
}

// TestCheckTellsWhatIsThere without values, and without running programs.
func TestCheckTellsWhatIsThere(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("names POSIX programs")
	}
	ran := filepath.Join(t.TempDir(), "ran")
	v := secrets.New(map[string]string{"A": "env:A", "B": "env:B", "C": "cmd:touch " + ran, "D": "cmd:assay-nope", "E": "file:/nope"},
		func(name string) string { return map[string]string{"A": "hunter2"}[name] })
	found := map[string]bool{}
	for _, s := range v.Check(context.Background()) {
		found[s.Name] = s.Found
		if s.Found != (s.Problem == "") || strings.Contains(s.Problem+s.Hint, "hunter2") {
			t.Errorf("%+v", s)
		}
	}
	if !found["A"] || found["B"] || !found["C"] || found["D"] || found["E"] {
		t.Errorf("%v", found)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("the command was run")
	}
	if v.Mask("hunter2") != "hunter2" {
		t.Error("looking for a value has revealed it")
	}
}

// Values that no name leads to, such as the tokens of a sign-in, are masked like
// named ones, and nobody can have them typed (E6).
func TestHide(t *testing.T) {
	v := secrets.New(map[string]string{"PIN": "env:PIN"}, func(string) string { return "hunter2-named" })
	v.Hide([]string{"Tk-9f8e7d6c5b", "abc", ""})
	for _, spelling := range []string{"Tk-9f8e7d6c5b", base64.StdEncoding.EncodeToString([]byte("Tk-9f8e7d6c5b"))} {
		if got := v.Mask("it is " + spelling + "!"); strings.Contains(got, spelling) || !strings.Contains(got, "${secret:sign-in}") {
			t.Errorf("%q became %q", spelling, got)
		}
	}
	if got := v.Mask("abc"); got != "abc" {
		t.Errorf("a value that is in every text was masked: %q", got)
	}
	if _, err := v.Reveal(t.Context(), "PIN"); err != nil {
		t.Fatal(err)
	}
	if got := v.Mask("hunter2-named Tk-9f8e7d6c5b"); got != "${secret:PIN} ${secret:sign-in}" {
		t.Errorf("both: %q", got)
	}
	if !slices.Contains(v.Values(), "Tk-9f8e7d6c5b") || !slices.Contains(v.Values(), "hunter2-named") {
		t.Errorf("values for pictures: %q", v.Values())
	}
	if _, err := v.Reveal(t.Context(), "sign-in"); err == nil || slices.Contains(v.Names(), "sign-in") {
		t.Error("a hidden value has a name")
	}
}

// Tokens of a thousand sign-ins do not stay for the server's life: those used
// last do.
func TestHiddenValuesAreBounded(t *testing.T) {
	v := secrets.New(nil, func(string) string { return "" })
	token := func(i int) string { return fmt.Sprintf("token-%06d-x", i) }
	v.Hide([]string{token(0), token(1)})
	var more []string
	for i := 2; i <= 2000; i++ {
		more = append(more, token(i))
	}
	v.Hide([]string{token(0)}) // it is used again
	v.Hide(more)
	if len(v.Values()) != 2000 || v.Mask(token(0)) == token(0) || v.Mask(token(2000)) == token(2000) || v.Mask(token(1)) != token(1) {
		t.Errorf("%d values, %s %s %s", len(v.Values()), v.Mask(token(0)), v.Mask(token(1)), v.Mask(token(2000)))
	}
}
