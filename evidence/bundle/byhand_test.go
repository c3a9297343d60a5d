package bundle_test

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
)

var (
	keyLine    = regexp.MustCompile(`(?m)^KEY='.*'$`)
	newestLine = regexp.MustCompile(`(?m)^NEWEST='.*'$`)
)

var block = regexp.MustCompile("(?s)\n```sh(\n.*?)\n```\n")

// byHand runs the commands of a bundle's instructions, as somebody would who
// pastes them, and stops at the first that fails.
func byHand(t *testing.T, dir string) (string, error) {
	t.Helper()
	var script strings.Builder
	for _, found := range block.FindAllStringSubmatch(read(t, dir, "README.md"), -1) {
		script.WriteString(found[1])
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-eu")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(script.String())
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(python())+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// python is the interpreter itself: on some machines python3 is a script that
// looks for it, and takes longer than it does.
var python = sync.OnceValue(func() string {
	out, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		return "python3" // the commands that need it will tell
	}
	return strings.TrimSpace(string(out))
})

func read(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// unpack opens a bundle with a program that is not ours.
func unpack(t *testing.T, path string) string {
	t.Helper()
	dir := t.TempDir()
	const program = `import sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None, z.testzip()
z.extractall(sys.argv[2])`
	if out, err := exec.CommandContext(t.Context(), python(), "-c", program, path, dir).CombinedOutput(); err != nil {
		t.Fatalf("zipfile %s: %v\n%s", path, err, out)
	}
	return dir
}

// B8, E5: who has never seen the program checks a bundle with openssl,
// sha256sum and python3 alone.
func TestByHand(t *testing.T) {
	dir := unpack(t, newFixture(t).write().Path)
	out, err := byHand(t, dir)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for want, times := range map[string]int{"Signature Verified Successfully": 3, "run/report.json: OK": 1, "OK     ": 9, "baseline approved": 1, "run held": 1} {
		if got := strings.Count(out, want); got != times {
			t.Errorf("%q %d times, want %d", want, got, times)
		}
	}
	if t.Failed() {
		t.Log(out)
	}
	sums := exec.CommandContext(t.Context(), "sha256sum", "--quiet", "--strict", "-c", "SHA256SUMS")
	sums.Dir = dir
	if out, err := sums.CombinedOutput(); err != nil {
		t.Errorf("SHA256SUMS: %v\n%s", err, out)
	}
}

// A run whose settings leave pictures out of the list has their digests in its
// event log, which is in the list.
func TestByHandWithoutPictures(t *testing.T) {
	b := sealed(t, true, nil).write()
	dir := unpack(t, b.Path)
	if out, err := byHand(t, dir); err != nil || !strings.Contains(out, "run/screenshots/001-login.png: OK") || len(b.Left) > 0 {
		t.Errorf("%v, left out: %q\n%s", err, b.Left, out)
	}
	if err := os.WriteFile(filepath.Join(dir, "run", "screenshots", "001-login.png"), []byte("another"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := byHand(t, dir); err == nil || !strings.Contains(out, "run/screenshots/001-login.png: FAILED") {
		t.Errorf("%v\n%s", err, out)
	}
}

// B8, A14: each step finds what it is there for, and says so; no other one would.
func TestByHandFindsDamage(t *testing.T) {
	whole := os.DirFS(unpack(t, newFixture(t).write().Path))
	other, err := attest.NewKey(rand.Reader, "assay/other")
	if err != nil {
		t.Fatal(err)
	}
	swap := func(from, to string) func(string) string {
		return func(text string) string { return strings.Replace(text, from, to, 1) }
	}
	payload := func(text string) string { // another result in the signed list
		start := strings.Index(text, `"payload": "`) + len(`"payload": "`)
		end := start + strings.IndexByte(text[start:], '"')
		data, err := base64.StdEncoding.DecodeString(text[start:end])
		if err != nil {
			t.Fatal(err)
		}
		return text[:start] + base64.StdEncoding.EncodeToString([]byte(strings.Replace(string(data), "PASSED", "FAILED", 1))) + text[end:]
	}
	gone := func(string) string { return "" }
	// after changes something in the signature below a checkpoint.
	after := func(text string) string {
		at := strings.LastIndex(text, "\u2014") + 40
		flipped := map[bool]string{true: "B", false: "A"}[text[at] == 'A']
		return text[:at] + flipped + text[at+1:]
	}
	for name, c := range map[string]struct {
		file   string
		damage func(string) string
		want   string
	}{
		"a file of the run":             {"run/report.json", swap("all checks held", "all checks helD"), "run/report.json: FAILED"},
		"a file is gone":                {"run/screenshots/001-login.png", gone, "run/screenshots/001-login.png: FAILED"},
		"a file was added":              {"run/extra.txt", swap("", "more"), "not in the list: ['extra.txt']"},
		"the list":                      {"run/evidence.json", payload, "Verification Failure"},
		"another key":                   {"README.md", func(text string) string { return keyLine.ReplaceAllString(text, "KEY='"+other.Verifier()+"'") }, "the list is not signed with this key"},
		"the log tells of another list": {"run/evidence.json", swap(`subject\":[\"`, `subject\":[\"0`), "the log tells of another list"},
		"the log tells another result":  {"run/evidence.json", swap(`reason\":\"passed`, `reason\":\"failed`), "another result"},
		"the entry of the end":          {"run/evidence.json", swap(`\"seq\":5`, `\"seq\":6`), "WRONG  run finished"},
		"the entry of the begin":        {"run/evidence.json", swap(`\"seq\":2`, `\"seq\":3`), "WRONG  run started"},
		"an entry of the log":           {"log/entries.jsonl", swap("Ada", "Eve"), "WRONG  entry 2, baseline approved"},
		"an entry is gone":              {"log/entries.jsonl", func(text string) string { _, rest, _ := strings.Cut(text, "\n"); return rest }, "WRONG  there is a proof"},
		"the newest root":               {"log/checkpoint", func(text string) string { return text[:len(text)-len(rest(text, 2))] + flip(rest(text, 2)) }, "WRONG  entry 1, run started"},
		"the newest signature":          {"log/checkpoint", after, "Verification Failure"},
		"the run's signature":           {"run/evidence.json", after, "Verification Failure"},
		"the log was rewritten":         {"log/proofs.json", swap("run/report.json", "run/report"), "WRONG  the newest checkpoint's log begins"},
	} {
		if again := []string{"a file is gone", "the run's signature", "the entry of the begin", "the newest root", "the log was rewritten"}; slices.Contains(again, name) && os.Getenv("SOAK") == "" {
			continue // a step that another case has fail
		}
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, whole); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, filepath.FromSlash(c.file))
			before, err := os.ReadFile(path)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
			damaged := c.damage(string(before))
			if damaged == string(before) {
				t.Fatalf("nothing was changed in\n%s", before)
			}
			if err := os.WriteFile(path, []byte(damaged), 0o600); err != nil {
				t.Fatal(err)
			}
			if damaged == "" {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			}
			out, err := byHand(t, dir)
			if err == nil || !strings.Contains(out, c.want) {
				t.Errorf("%v; want an error and %q in\n%s", err, c.want, out)
			}
		})
	}
}

// rest returns a text from a line on, counted from 0.
func rest(text string, line int) string {
	for range line {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text
}

// flip changes the first letter of base64.
func flip(text string) string {
	return map[bool]string{true: "B", false: "A"}[text[0] == 'A'] + text[1:]
}

// A run that was sealed before the log got another key is checked with both:
// the entry that tells of the change is in the bundle.
func TestByHandAfterRotation(t *testing.T) {
	f := newFixture(t)
	if _, err := f.ledger.Rotate(t.Context(), "Ada Lovelace", "yearly"); err != nil {
		t.Fatal(err)
	}
	f.log(ledger.Event{Action: "run started", Record: "20260102T030405.000Z-xxxxxx"}) // signed by the new key alone
	b := f.write()
	dir := unpack(t, b.Path)
	out, err := byHand(t, dir)
	if err != nil || strings.Count(out, "Signature Verified Successfully") != 3 || !strings.Contains(out, "key rotated, is one of") || len(b.Left) > 0 {
		t.Errorf("%v, left out: %q\n%s", err, b.Left, out)
	}
	readme := read(t, dir, "README.md")
	old := strings.TrimPrefix(keyLine.FindString(readme), "KEY=")
	if err := os.WriteFile(filepath.Join(dir, "README.md"), []byte(newestLine.ReplaceAllString(readme, "NEWEST="+old)), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := byHand(t, dir); err == nil || !strings.Contains(out, "log/checkpoint is not signed with this key") {
		t.Errorf("the old key for the newest checkpoint: %v\n%s", err, out)
	}
}
