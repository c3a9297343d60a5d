package e2e_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sealed is an envelope as evidence.json has it, and a key to open it with.
type sealed struct {
	Envelope struct {
		PayloadType string           `json:"payloadType"`
		Payload     []byte           `json:"payload"`
		Signatures  []map[string]any `json:"signatures"`
	} `json:"envelope"`
	Key []byte `json:"key"` // SPKI, DER
}

// B8, A14: the statement about a run opens elsewhere, in npm's @sigstore/verify,
// with the key that assay key show prints, and with no other; and it names all
// files of the run by their SHA-256.
func TestStatementOpensElsewhere(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts processes")
	}
	needsPackages(t, "@sigstore/verify")
	data := t.TempDir()
	run := serveOn(t, data, browserless(t)...).emptyRun().run
	folder := filepath.Join(data, "runs", run)
	doc, err := os.ReadFile(filepath.Join(folder, "evidence.json"))
	if err != nil {
		t.Fatal(err)
	}
	var good sealed
	decode(t, doc, &good)
	good.Key = shownKey(t, data)
	other, changed := good, good
	public, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if other.Key, err = x509.MarshalPKIXPublicKey(public); err != nil {
		t.Fatal(err)
	}
	changed.Envelope.Payload = bytes.Replace(good.Envelope.Payload, []byte("FAILED"), []byte("PASSED"), 1)
	if bytes.Equal(changed.Envelope.Payload, good.Envelope.Payload) {
		t.Fatalf("the run is not FAILED: %s", good.Envelope.Payload)
	}
	opened := sigstore(t, good, other, changed)
	if opened[1] != nil || opened[2] != nil {
		t.Errorf("another key opens %s; a changed statement opens as %s", opened[1], opened[2])
	}
	var statement struct {
		Subject []struct {
			Name   string
			Digest map[string]string
		}
	}
	decode(t, opened[0], &statement)
	named := map[string]string{}
	for _, s := range statement.Subject {
		named[s.Name] = s.Digest["sha256"]
	}
	if files := hashed(t, folder, "evidence.json"); !maps.Equal(named, files) || len(files) < 5 {
		t.Errorf("the statement names %v, and there are %v", named, files)
	}
}

// shownKey is the raw key in what assay key show prints (name+hash+base64, C2SP
// signed-note), as SPKI.
func shownKey(t *testing.T, data string) []byte {
	t.Helper()
	out, said, code := command(t, data, "key", "show", "--json")
	var shown struct{ Verifier string }
	if err := json.Unmarshal([]byte(out), &shown); err != nil || code != 0 {
		t.Fatalf("key show: %v, exit code %d: %s %s", err, code, out, said)
	}
	parts := strings.SplitN(shown.Verifier, "+", 3)
	raw, err := base64.StdEncoding.DecodeString(parts[len(parts)-1])
	if err != nil || len(raw) != 1+ed25519.PublicKeySize || raw[0] != 1 {
		t.Fatalf("%q, %v", shown.Verifier, err)
	}
	der, err := x509.MarshalPKIXPublicKey(ed25519.PublicKey(raw[1:]))
	if err != nil {
		t.Fatal(err)
	}
	return der
}

// sigstore has Node open envelopes; nil where the key is not the signer's.
func sigstore(t *testing.T, all ...sealed) [][]byte {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		absent(t, "@sigstore/verify needs Node: %v", err)
	}
	order, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), node, "dsse.mjs")
	var problems bytes.Buffer
	c.Stdin, c.Stderr = bytes.NewReader(order), &problems
	out, err := c.Output()
	if err != nil {
		t.Fatalf("node dsse.mjs: %v\n%s", err, &problems)
	}
	var opened [][]byte
	decode(t, out, &opened)
	if len(opened) != len(all) {
		t.Fatalf("%d of %d envelopes were looked at", len(opened), len(all))
	}
	return opened
}

// hashed are the files of a folder with their SHA-256, but for some.
func hashed(t *testing.T, folder string, without ...string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || slices.Contains(without, name) {
			return err
		}
		data, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		sum := sha256.Sum256(data)
		all[name] = hex.EncodeToString(sum[:])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
