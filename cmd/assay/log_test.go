package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/assay-qa/assay/evidence/ledger"
)

// unzipped FILE NAME prints a file of a zip.
func unzipped(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: unzipped file name")
	}
	z, err := zip.OpenReader(ts.MkAbs(args[0]))
	ts.Check(err)
	defer z.Close()
	f, err := z.Open(args[1])
	ts.Check(err)
	_, err = io.Copy(ts.Stdout(), f)
	ts.Check(err)
}

// Of a long log that has lost entries, all others are printed, and the error
// names those that are lost (B8).
func TestDamagedLogIsPrinted(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	log := ledger.Open(dir, time.Now, ledger.Options{})
	err := log.Update(t.Context(), func(tx *ledger.Tx) error {
		for i := range 200 {
			if _, err := tx.Append(ledger.Event{Action: "run started", Record: fmt.Sprint("run ", i), Actor: ledger.Actor{Kind: "human", ID: "Ada"}}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	read := func(args ...string) (int, []string) {
		stdout.Reset()
		stderr.Reset()
		a := &app{stdin: bytes.NewReader(nil), stdout: &stdout, stderr: &stderr, getenv: func(string) string { return "" }, now: time.Now}
		code := a.run(t.Context(), append([]string{"log", "--data-dir", dir}, args...))
		return code, strings.Split(strings.TrimSuffix(stdout.String(), "\n"), "\n")
	}
	if code, lines := read("--json"); code != exitPassed || len(lines) != 200 {
		t.Fatalf("exit %d, %d lines: %s", code, len(lines), stderr.String())
	}
	blobs, err := filepath.Glob(filepath.Join(dir, "blobs", "sha256", "*", "*"))
	if err != nil || len(blobs) != 3 {
		t.Fatal(blobs, err)
	}
	for _, file := range blobs {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(data, []byte(`"seq":65,`)) {
			continue
		}
		if err := os.WriteFile(file, data[1:], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	code, lines := read()
	if code != exitFailed || len(lines) != 136 {
		t.Fatalf("exit %d, %d lines: %s", code, len(lines), stderr.String())
	}
	if !strings.HasPrefix(lines[63], "    64  ") || !strings.HasPrefix(lines[64], "   129  ") || !strings.HasPrefix(lines[135], "   200  ") {
		t.Errorf("%s\n%s\n%s", lines[63], lines[64], lines[135])
	}
	if said := stderr.String(); strings.Count(said, "entries 64 to 127 of the log, in blobs") != 1 || !strings.Contains(said, "assay verify --all") {
		t.Error(said)
	}
}
