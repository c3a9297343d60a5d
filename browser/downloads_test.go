package browser

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/assay-qa/assay/browser/eventlog"
	"github.com/assay-qa/assay/internal/pagetext"
)

// attachment answers with a file to save.
func attachment(name, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
		fmt.Fprint(w, body)
	}
}

// endless sends a file that never ends, as fast as it is taken.
func endless(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Disposition", `attachment; filename="endless.bin"`)
	chunk := make([]byte, 64<<10)
	for r.Context().Err() == nil {
		if _, err := w.Write(chunk); err != nil {
			return
		}
	}
}

// A download is saved where it belongs, and the action that caused it names
// the file, its size and its digest.
func TestDownloads(t *testing.T) {
	t.Parallel()
	const body = "a,b\n1,2\n"
	sum := sha256.Sum256([]byte(body))
	digest := hex.EncodeToString(sum[:])
	for _, configured := range []bool{false, true} {
		t.Run(fmt.Sprint(configured), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "downloads") // made when it is needed
			p := poolWith(t, func(o *Options) {
				if configured {
					o.DownloadDir = dir
				}
			})
			web := newSite(t, map[string]string{"/{$}": `<title>T</title><a href=/file>File</a>`})
			web.handle("/file", attachment("report.csv", body))
			s := launch(t, p, LaunchOptions{})
			visit(t, s, web.URL+"/")
			for _, name := range []string{"report.csv", "report-2.csv"} {
				acted, err := s.Click(within30s(t), `link "File"`, 0)
				if err != nil {
					t.Fatal(err)
				}
				if notes := string(pagetext.Join(acted.Notes, "\n")); !strings.Contains(notes, "saved as "+name+", 8 bytes, sha256 "+digest) {
					t.Errorf("notes: %s", notes)
				}
			}
			got := s.TakeDownloads()
			if len(got) != 2 || len(s.TakeDownloads()) != 0 {
				t.Fatalf("downloads: %+v", got)
			}
			for _, d := range got {
				text, err := os.ReadFile(d.Path)
				if err != nil || string(text) != body || d.SHA256 != digest || d.Size != 8 || d.Failed != "" || d.URL != web.URL+"/file" {
					t.Errorf("%+v: %q, %v", d, text, err)
				}
				if configured != (filepath.Dir(d.Path) == dir) {
					t.Errorf("saved at %s", d.Path)
				}
			}
			if err := s.Close(within30s(t)); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(got[0].Path); (err == nil) != configured {
				t.Errorf("after the session's end: %v", err)
			}
		})
	}
}

// B6: a download without end, with an announced size or without, fills no disk
// and keeps nobody waiting; what is over the session's sum is refused; one that
// runs when the session is closed is cancelled, and that is said.
func TestDownloadsAreBounded(t *testing.T) {
	t.Parallel()
	p := poolWith(t, func(o *Options) { o.MaxDownload, o.MaxSaved = 1<<20, 3<<19 })
	web := newSite(t, map[string]string{"/{$}": `<title>T</title><a href=/endless>Endless</a><a href=/mega>Mega</a><a href=/waits>Waits</a>`})
	web.handle("/endless", endless)
	web.handle("/mega", attachment("mega.bin", strings.Repeat("x", 1<<20)))
	web.handle("/waits", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="waits.bin"`)
		fmt.Fprint(w, strings.Repeat("x", 64<<10)) // enough for the browser to begin
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	s := launch(t, p, LaunchOptions{})
	visit(t, s, web.URL+"/")
	click := func(link string) string {
		t.Helper()
		acted, err := s.Click(within30s(t), `link "`+link+`"`, 0)
		if err != nil {
			t.Fatal(err)
		}
		return string(pagetext.Join(acted.Notes, "\n"))
	}
	click("Endless")
	becomes(t, "the endless one is given up", func() error {
		if got := s.TakeDownloads(); len(got) != 1 || !got[0].Failed.Contains("larger") || got[0].Path != "" {
			return fmt.Errorf("downloads: %+v", got)
		}
		return nil
	})
	becomes(t, "its bytes are gone", func() error {
		if n := largest(s.current().context.temp); n > 0 {
			return fmt.Errorf("%d bytes", n)
		}
		return nil
	})
	for _, want := range []string{"saved as mega.bin, 1048576 bytes", "not saved: it is larger"} { // the session's sum is kept
		click("Mega") // whose answer may come before the download's end
		becomes(t, want, func() error {
			notes := s.log.NotesSince(eventlog.Mark{})
			if !slices.ContainsFunc(notes, func(note pagetext.Text) bool { return note.Contains("mega.bin") && note.Contains(pagetext.Text(want)) }) {
				return fmt.Errorf("notes: %s", notes)
			}
			return nil
		})
	}
	if err := soon(t, 10*time.Second, func() error {
		if notes := click("Waits"); !strings.Contains(notes, "still running") {
			return fmt.Errorf("notes: %s", notes)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
	if running := s.CancelDownloads(); len(running) != 1 || !running[0].Contains("waits.bin") {
		t.Errorf("running: %q", running)
	}
	becomes(t, "its end is noted", func() error {
		if all := pagetext.Join(s.log.NotesSince(eventlog.Mark{}), "\n"); all.Contains("still running") {
			return fmt.Errorf("notes: %s", all)
		}
		return nil
	})
	click("Waits")
	if err := soon(t, 3*time.Second, func() error { return s.Close(context.Background()) }); err != nil {
		t.Error(err)
	}
	becomes(t, "the closed session's download is said", func() error {
		got := s.TakeDownloads()
		if len(got) == 0 || !strings.Contains(string(got[len(got)-1].Failed), "closed") {
			return fmt.Errorf("downloads: %+v", got)
		}
		return nil
	})
}

// B7: whatever a page suggests, the file lies in the folder under a plain
// name.
func TestDownloadNames(t *testing.T) {
	t.Parallel()
	for suggested, want := range map[string]string{
		"report.csv": "report.csv", "../../etc/passwd": "_._etc_passwd", `..\..\boot.ini`: "_.._boot.ini", "/abs": "_abs", `C:\x.txt`: "C__x.txt",
		"": "download", ".": "download", "..": "download", "...": "download", ".bashrc": "bashrc", "a.txt. .": "a.txt",
		"CON": "_CON", "nul.txt": "_nul.txt", "com1.tar.gz": "_com1.tar.gz", "console.txt": "console.txt", "a\x00b\nc": "a_b_c",
		"exe\u202egpj.exe": "exegpj.exe", "Bericht März.pdf": "Bericht März.pdf", "報告.csv": "報告.csv", "bad\xffname": "bad_name", "file.txt:stream": "file.txt_stream",
		strings.Repeat("ü", 200) + ".csv": strings.Repeat("ü", 48) + ".csv", "a." + strings.Repeat("b", 300): "a." + strings.Repeat("b", 98),
	} {
		got := safeName(suggested)
		if got != want {
			t.Errorf("%q becomes %q, want %q", suggested, got, want)
		}
		if !filepath.IsLocal(got) || filepath.Base(got) != got || len(got) > maxFileName+1 || !utf8.ValidString(got) {
			t.Errorf("%q is no plain name", got)
		}
	}
}
