package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-qa/assay/config"
)

// A16: a proposed branch is pushed only where a person at a terminal has said so, and
// never where CI is set.
func TestPushIsAsked(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		push, typed, ci string
		file            bool // in place of the terminal
		pushed, asked   bool
	}{
		"yes":              {push: "ask", typed: "y\n", pushed: true, asked: true},
		"in full":          {push: "ask", typed: "YES\n", pushed: true, asked: true},
		"no":               {push: "ask", typed: "n\n", asked: true},
		"only return":      {push: "ask", typed: "\n", asked: true},
		"another word":     {push: "ask", typed: "yep\n", asked: true},
		"end of the input": {push: "ask", typed: "\x04", asked: true},
		"in CI":            {push: "ask", typed: "y\n", ci: "true"},
		"no terminal":      {push: "ask", typed: "y\n", file: true},
		"never":            {push: "never", typed: "y\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, out, said := pushing(t, tt.push, tt.ci)
			if tt.file {
				w.stdin = strings.NewReader(tt.typed)
			} else {
				w.stdin = typing(t, tt.typed)
			}
			if err := w.publish(t.Context(), "assay/x"); err != nil {
				t.Fatal(err)
			}
			if got := published(t, w.cfg.Author.Root); got != tt.pushed || strings.Contains(out.String(), "to publish it: git push origin assay/x") == tt.pushed {
				t.Errorf("pushed: %v, said %q", got, out)
			}
			if strings.Contains(said.String(), "push assay/x to origin? [y/N]") != tt.asked {
				t.Errorf("asked %q", said)
			}
		})
	}
	t.Run("interrupted", func(t *testing.T) {
		t.Parallel()
		w, _, _ := pushing(t, "ask", "")
		_, w.stdin = openTerminal(t) // nobody types
		ctx, interrupt := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- w.publish(ctx, "assay/x") }()
		interrupt()
		if err := <-ended; err != nil || published(t, w.cfg.Author.Root) {
			t.Errorf("interrupted: %v", err)
		}
	})
	t.Run("refused by git", func(t *testing.T) {
		t.Parallel()
		w, _, _ := pushing(t, "ask", "")
		w.stdin = typing(t, "y\n")
		if err := w.publish(t.Context(), "assay/none"); err == nil || !strings.Contains(err.Error(), "push it yourself") {
			t.Errorf("got %v", err)
		}
	})
}

// pushing is what publishes in a repository that has a branch assay/x and an origin.
func pushing(t *testing.T, push, ci string) (w *authoring, out, said *bytes.Buffer) {
	t.Helper()
	root := t.TempDir()
	environ := append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	for _, args := range [][]string{{"init", "-q", "--bare", "origin.git"}, {"init", "-q", "-b", "main", "own"}, {"-C", "own", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "first"},
		{"-C", "own", "branch", "assay/x"}, {"-C", "own", "remote", "add", "origin", "../origin.git"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = root, environ
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, text)
		}
	}
	out, said = &bytes.Buffer{}, &bytes.Buffer{}
	getenv := func(name string) string { return map[string]string{"CI": ci}[name] }
	w = &authoring{app: &app{stdout: out, stderr: said, environ: environ, getenv: getenv}, cfg: config.Config{Author: config.Author{Root: filepath.Join(root, "own"), Push: push}}}
	return w, out, said
}

func published(t *testing.T, root string) bool {
	t.Helper()
	refs, err := exec.Command("git", "-C", filepath.Join(root, "..", "origin.git"), "for-each-ref", "--format=%(refname)").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(string(refs), "refs/heads/assay/x")
}
