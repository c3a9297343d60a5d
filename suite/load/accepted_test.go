package load_test

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"testing"

	"github.com/assay-qa/assay/suite/load"
)

// A flow that a program made permits nothing until a person has accepted it as it
// stands; one that a person wrote does (A12).
func TestWritten(t *testing.T) {
	recorded, own := []byte(`{"recorded": {"spec": "a", "run": "b"}, "steps": []}`), []byte("start_url = \"/\"\n")
	sum := sha256.Sum256(recorded)
	accepted := `{"sha256": "` + hex.EncodeToString(sum[:]) + `", "accepted_by": "Ada Lovelace", "at": "2026-01-01T00:00:00Z"}`
	for what, test := range map[string]struct {
		name   string
		data   []byte
		beside string // the text of the file beside it
		want   bool
	}{
		"a person's flow":                {"a.flow.toml", own, "", true},
		"a recording":                    {"a.flow.json", recorded, "", false},
		"the calls of a run":             {"a.flow.json", []byte(`{"made_by": "the calls of a run", "steps": []}`), "", false},
		"a recording in TOML":            {"a.flow.toml", []byte("steps = []\n[recorded]\nspec = \"a\"\n"), "", false},
		"an accepted one":                {"a.flow.json", recorded, accepted, true},
		"an accepted one, changed since": {"a.flow.json", append(recorded, ' '), accepted, false},
		"accepted by nobody":             {"a.flow.json", recorded, `{"sha256": "` + hex.EncodeToString(sum[:]) + `"}`, false},
	} {
		got, err := load.Written(test.name, test.data, func(name string) ([]byte, error) {
			if name != test.name+".accepted.json" {
				t.Errorf("%s: read %s", what, name)
			}
			if test.beside == "" {
				return nil, fs.ErrNotExist
			}
			return []byte(test.beside), nil
		})
		if err != nil || got != test.want {
			t.Errorf("%s: %v, %v; want %v", what, got, err, test.want)
		}
	}
	if _, err := load.Written("a.flow.json", recorded, func(string) ([]byte, error) { return []byte("{"), nil }); err == nil {
		t.Error("a broken acceptance was taken")
	}
}
