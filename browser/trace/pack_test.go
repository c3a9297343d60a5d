package trace

import (
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func unmasked(_ string, data []byte) []byte { return data }

// unzipped returns one inflated entry of a zip.
func unzipped(tb testing.TB, data []byte, name string) string {
	tb.Helper()
	in, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		tb.Fatal(err)
	}
	file, err := in.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := out.ReadFrom(file); err != nil {
		tb.Fatal(err)
	}
	return out.String()
}

// writtenTrace returns a part as a driver would have left it.
func writtenTrace(tb testing.TB, files map[string]string) *Part {
	tb.Helper()
	dir := tb.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "resources"), 0o700); err != nil {
		tb.Fatal(err)
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	folder := NewFolder("", "assay")
	folder.Dir = dir
	return folder.Part("s-1")
}

const traceHead = `{"version":8,"type":"context-options","wallTime":1000,"monotonicTime":1,"options":{"locale":"en-US"}}` + "\n"

// TestPackIsBoundedAndRepeatable: the same trace makes the same zip; a broken end
// is left out; what leads out of the folder is not followed; a trace beyond the
// limit is given up, with an error that says so.
func TestPackIsBoundedAndRepeatable(t *testing.T) {
	part := writtenTrace(t, map[string]string{
		"secret.txt": "outside",
		"s-1.trace": traceHead + `{"type":"event","class":"BrowserContext","params":{"a":{"sha1":"../secret.txt"},"b":{"sha1":"b.txt"},"c":{"sha1":"gone.txt"}}}` + "\n" +
			`{"type":"unheard-of","text":"x"}` + "\n" + `{"type":"event","cut o`,
		"s-1.network":     "",
		"resources/b.txt": "B", "resources/other.txt": "of another session",
	})
	var first, second bytes.Buffer
	for _, out := range []*bytes.Buffer{&first, &second} {
		if err := part.Pack(out, unmasked); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("the same trace makes two zips")
	}
	in, err := zip.NewReader(bytes.NewReader(first.Bytes()), int64(first.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range in.File {
		names = append(names, f.Name)
	}
	if want := "trace.trace trace.network resources/b.txt"; strings.Join(names, " ") != want {
		t.Errorf("entries %v, want %s", names, want)
	}
	if lines := unzipped(t, first.Bytes(), "trace.trace"); strings.Count(lines, "\n") != 2 || strings.Contains(lines, "unheard-of") {
		t.Errorf("events:\n%s", lines)
	}
	k := &capped{w: &second, left: int64(first.Len()) - 1}
	if _, err := k.Write(first.Bytes()); !errors.Is(err, ErrTooLarge) {
		t.Errorf("beyond the limit: %v", err)
	}
	big := writtenTrace(t, map[string]string{"s-1.trace": traceHead + `{"type":"event","text":"` + strings.Repeat("x", maxLine) + `"}` + "\n", "s-1.network": ""})
	if err := big.Pack(&second, unmasked); !errors.Is(err, ErrTooLarge) {
		t.Errorf("an event without end: %v", err)
	}
}
