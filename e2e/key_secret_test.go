package e2e_test

import (
	"archive/zip"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// B8, A12: what signs the log is in log/key and nowhere else: not in what
// commands and servers print, whatever is wrong with the key, not in the data
// folder, and not in a bundle.
func TestSigningKeyStaysSecret(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts processes")
	}
	data, zipped := t.TempDir(), filepath.Join(t.TempDir(), "run.zip")
	var said strings.Builder
	server := serveOn(t, data, browserless(t)...)
	said.WriteString(server.emptyRun().text)
	keyFile := filepath.Join(data, "log", "key")
	first := slurp(t, keyFile)
	// run is a command that must come out so.
	run := func(want int, args ...string) {
		t.Helper()
		out, problems, code := command(t, data, append(args, "--verbose")...)
		if code != want {
			t.Errorf("%v: exit code %d, want %d: %s%s", args, code, want, out, problems)
		}
		said.WriteString(out + problems)
	}
	run(0, "key", "show")
	run(0, "key", "show", "--json")
	run(0, "export", "latest", "--out", zipped)
	run(0, "key", "rotate", "--name", "Ada Lovelace", "--reason", "yearly")
	run(0, "verify", "--all")
	run(0, "verify", zipped)
	second := slurp(t, keyFile)
	if first == second {
		t.Fatal("the key is the one before")
	}
	for name, spoilt := range map[string]string{
		"the one before": first, "cut": second[:len(second)/2], "with a letter more": strings.TrimSpace(second) + "A", "in two lines": second[:40] + "\n" + second[40:], "twice": second + second,
	} {
		writeFile(t, keyFile, []byte(spoilt))
		run(1, "key", "show")
		run(1, "key", "rotate", "--name", "Ada Lovelace", "--reason", name)
		if f := server.emptyRun(); !f.open {
			t.Errorf("%s: a run ended with %q", name, f.status)
		} else {
			said.WriteString(f.text)
		}
		writeFile(t, keyFile, []byte(second))
		if f := server.finishes(); f.open {
			t.Errorf("%s, and back: %s", name, f.text)
		}
	}
	server.finish()
	said.WriteString(slurp(t, server.stderr))
	places := map[string]string{"what was said": said.String()}
	for name := range hashed(t, data, "log/key") {
		places[name] = slurp(t, filepath.Join(data, filepath.FromSlash(name)))
	}
	for name, text := range unzipped(t, zipped) {
		places["bundle: "+name] = text
	}
	if len(places) < 20 || len(places["what was said"]) < 2000 {
		t.Fatalf("only %d places were looked at: %s", len(places), places["what was said"])
	}
	for _, key := range []string{first, second} {
		for what, secret := range keySpellings(t, key) {
			for place, text := range places {
				if strings.Contains(text, secret) {
					t.Errorf("%s holds the key in %s", place, what)
				}
			}
		}
	}
}

// keySpellings are the ways in which a key's seed could show.
func keySpellings(t *testing.T, key string) map[string]string {
	t.Helper()
	parts := strings.SplitN(strings.TrimSpace(key), "+", 5) // PRIVATE+KEY+name+hash+data
	raw, err := base64.StdEncoding.DecodeString(parts[len(parts)-1])
	if err != nil || len(raw) != 33 {
		t.Fatalf("%d parts, %v", len(parts), err)
	}
	return map[string]string{
		"base64": parts[4][4:24], "bytes": string(raw[1:17]), "hexadecimal": hex.EncodeToString(raw[1:13]), "base64 of the seed": base64.StdEncoding.EncodeToString(raw[1:])[:20],
		"decimals": fmt.Sprintf("%d %d %d %d %d %d", raw[1], raw[2], raw[3], raw[4], raw[5], raw[6]),
	}
}

func slurp(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func unzipped(t *testing.T, path string) map[string]string {
	t.Helper()
	archive, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	all := map[string]string{}
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		all[f.Name] = string(text)
	}
	return all
}
