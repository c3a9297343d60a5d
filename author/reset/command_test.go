//go:build unix

package reset_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/assay-qa/assay/author/reset"
)

func script(t *testing.T, text string) reset.Way {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "seed.sh"), []byte("#!/bin/sh\n"+text), 0o700); err != nil {
		t.Fatal(err)
	}
	return reset.Way{Command: []string{"./seed.sh", "shop"}, Folder: dir, Environ: []string{"PATH=" + os.Getenv("PATH"), "PIN=4711-secret"},
		Mask: func(_ context.Context, s string) string { return strings.ReplaceAll(s, "4711-secret", "${secret:PIN}") }}
}

// A command runs in its folder, with the person's variables, once for all sites.
func TestACommandSetsTheSiteBack(t *testing.T) {
	way := script(t, `echo "$1 $PIN" >> seeded`)
	once := reset.Once{Way: way}
	for _, at := range []string{"http://a.test/", "http://b.test/"} {
		if by, err := once.Site(t.Context(), at); err != nil || by != "./seed.sh shop" {
			t.Fatalf("%q, %v", by, err)
		}
	}
	if got, err := os.ReadFile(filepath.Join(way.Folder, "seeded")); err != nil || string(got) != "shop 4711-secret\n" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestACommandThatFails(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		want  []string
		never string
	}{
		"with words":     {"for i in 1 2 3 4 5 6 7 8 9; do echo line $i; done; echo no database for $PIN >&2; exit 3", []string{"./seed.sh shop: exit status 3", "line 9\nno database for ${secret:PIN}"}, "line 2"},
		"without":        {"exit 4", []string{"exit status 4", "run it by hand in "}, "last lines"},
		"without an end": {"echo waiting; sleep 600", []string{"it did not end within 700ms", "waiting"}, "killed"},
	} {
		way := script(t, c.text)
		way.Limit = 700 * time.Millisecond
		_, err := (&reset.Once{Way: way}).Site(t.Context(), "http://a.test/")
		for _, part := range c.want {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v lacks %q", name, err, part)
			}
		}
		if err != nil && (strings.Contains(err.Error(), c.never) || strings.Contains(err.Error(), "4711-secret")) {
			t.Errorf("%s: %v", name, err)
		}
	}
	missing := reset.Way{Command: []string{"no-such-program-of-ours"}, Folder: t.TempDir()}
	if _, err := (&reset.Once{Way: missing}).Site(t.Context(), ""); err == nil || !strings.Contains(err.Error(), "install it") {
		t.Error(err)
	}
}

// An interruption ends the command with all that it has started: nobody holds the pipe any more.
func TestAnInterruptedCommand(t *testing.T) {
	way := script(t, "exec 3> held; sleep 600 & echo begun >&3; wait")
	held := filepath.Join(way.Folder, "held")
	if err := syscall.Mkfifo(held, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() { _, err := (&reset.Once{Way: way}).Site(ctx, "http://a.test/"); ended <- err }()
	pipe, err := os.Open(held)
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	if _, err := io.ReadFull(pipe, make([]byte, len("begun\n"))); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := pipe.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(pipe); err != nil {
		t.Errorf("its child runs on: %q, %v", rest, err)
	}
}
