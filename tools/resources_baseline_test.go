package tools_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools"
)

// onePixel is a PNG, followed by a mark that tells two of them apart.
func onePixel(mark string) ([]byte, string) {
	data := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00:~\x9bU\x00\x00\x00\nIDATx\x9cc`\x00\x00\x00\x02\x00\x01H\xaf\xa4q\x00\x00\x00\x00IEND\xaeB`\x82" + mark)
	sum := sha256.Sum256(data)
	return data, hex.EncodeToString(sum[:])
}

// TestBaselineResource: a version and its pictures can be read by who compares,
// each picture under the version that it belongs to only, and never a damaged
// one (B2, B8).
func TestBaselineResource(t *testing.T) {
	t.Parallel()
	d := offline(t)
	store, err := baseline.Open(d.dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	read := func(uri string) ([]byte, string, error) {
		t.Helper()
		for _, r := range d.Resources() {
			if r.Name == "baseline" && !strings.Contains(uri, "/pictures/") || r.Name == "baseline picture" && strings.Contains(uri, "/pictures/") {
				return r.Read(t.Context(), uri)
			}
		}
		t.Fatal("no such resource is listed")
		return nil, "", nil
	}
	if _, _, err := read("assay://baselines/b-1"); !errors.Is(err, tools.ErrNoResource) {
		t.Errorf("without a store: %v", err)
	}
	d.Baselines = store
	kept := map[string]baseline.Version{}
	for _, name := range []string{"sales", "users"} {
		data, digest := onePixel(name)
		layout, layoutDigest := []byte(`{}`), "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
		v, err := store.Capture(t.Context(), baseline.New{Blobs: map[string][]byte{digest: data, layoutDigest: layout}, Version: baseline.Version{
			Name: name, Environment: qa.VisualEnvironment{Browser: "chromium"}, Pictures: []baseline.Picture{{SHA256: digest, Width: 1, Height: 1, Layout: layoutDigest}}}})
		if err != nil {
			t.Fatal(err)
		}
		kept[name] = v
	}
	sales, users := kept["sales"], kept["users"]
	doc, mime, err := read("assay://baselines/" + sales.ID)
	var got struct {
		Name, Status string
		URIs         map[string]string
	}
	if err != nil || mime != "application/json" || json.Unmarshal(doc, &got) != nil || got.Name != "sales" || got.Status != "unapproved" || len(got.URIs) != 1 {
		t.Fatalf("%s: %v: %s", mime, err, doc)
	}
	want, digest := onePixel("sales")
	picture, mime, err := read(got.URIs[digest])
	if err != nil || mime != "image/png" || string(picture) != string(want) {
		t.Errorf("the picture at %s: %s, %v", got.URIs[digest], mime, err)
	}
	for _, uri := range []string{"assay://baselines/b-nope", "assay://baselines/" + users.ID + "/pictures/" + digest + ".png", "assay://baselines/" + sales.ID + "/pictures/../../assay.db", "assay://baselines/" + sales.ID + "/pictures/" + sales.Pictures[0].Layout + ".png"} {
		if data, _, err := read(uri); !errors.Is(err, tools.ErrNoResource) || data != nil {
			t.Errorf("%s: %v", uri, err)
		}
	}
	if err := os.WriteFile(store.Path(digest), want[:40], 0o600); err != nil {
		t.Fatal(err)
	}
	if data, _, err := read(got.URIs[digest]); !errors.Is(err, baseline.ErrCorrupt) || data != nil {
		t.Errorf("a damaged picture is handed out: %v", err)
	}
}
