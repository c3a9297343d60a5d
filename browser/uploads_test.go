package browser

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/internal/pagetext"
)

// A file below a root arrives at the server, byte for byte, and the input's
// names are told.
func TestUpload(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	if err := os.CopyFS(root, fstest.MapFS{"a.txt": {Data: []byte("alpha")}, "sub/b.csv": {Data: []byte("1,2\n")}}); err != nil {
		t.Fatal(err)
	}
	p := poolWith(t, func(o *Options) { o.UploadRoots = []string{t.TempDir(), root} })
	web := newSite(t, map[string]string{"/{$}": `<title>T</title><form method=post enctype=multipart/form-data action=/take>
		<input type=file name=f multiple hidden><button>Send</button></form><input type=file id=one><input id=text><button id=plain>no</button>
		<button id=choose onclick="one.click()">Choose</button><input type=file id=eats onchange="this.value = ''">`})
	got := make(chan string, 10)
	web.handle("/take", func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseMultipartForm(1 << 20); err != nil {
			t.Error(err)
		}
		for _, h := range r.MultipartForm.File["f"] {
			f, err := h.Open()
			if err != nil {
				t.Error(err)
				continue
			}
			data, _ := io.ReadAll(f)
			got <- h.Filename + "=" + string(data)
		}
		_, _ = w.Write([]byte("<title>thanks</title>"))
	})
	s := launch(t, p, LaunchOptions{})
	visit(t, s, web.URL+"/")
	acted, err := s.Upload(within30s(t), "css=input[name=f]", []string{"a.txt", filepath.Join(root, "sub", "b.csv")}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if acted.Value != "a.txt, b.csv" {
		t.Errorf("the input holds %q", acted.Value)
	}
	if _, err := s.Click(within30s(t), `button "Send"`, 0); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a.txt=alpha", "b.csv=1,2\n"} {
		if sent := <-got; sent != want {
			t.Errorf("the server got %q, want %q", sent, want)
		}
	}
	visit(t, s, web.URL+"/")
	_, err = s.Upload(within30s(t), "css=#one", []string{"a.txt", "sub/b.csv"}, 0)
	wantCode(t, err, explain.NotActionable, "one file")
	for _, selector := range []string{"css=#text", "css=#plain"} {
		_, err = s.Upload(within30s(t), selector, []string{"a.txt"}, 0)
		wantCode(t, err, explain.NotActionable, "input[type=file]")
	}
	_, err = s.Upload(within30s(t), "css=input", []string{"a.txt"}, 0)
	wantCode(t, err, explain.SelectorAmbiguous)
	for selector, want := range map[string]struct {
		value   string
		emptied bool
	}{"css=#choose": {"a.txt", false}, "css=#eats": {"", true}} {
		acted, err := s.Upload(within30s(t), selector, []string{"a.txt"}, 0)
		emptied := strings.Contains(string(pagetext.Join(acted.Notes, "\n")), "has emptied its input")
		if err != nil || !acted.Value.Equal(want.value) || emptied != want.emptied {
			t.Errorf("%s: the input holds %q, emptied %v: %v", selector, acted.Value, emptied, err)
		}
	}
}
