package attest_test

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/evidence/attest"
)

func newKey(t testing.TB, name string) *attest.Key {
	t.Helper()
	key, err := attest.NewKey(rand.Reader, name)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func trust(t testing.TB, keys ...*attest.Key) attest.Trust {
	t.Helper()
	var verifiers []string
	for _, k := range keys {
		verifiers = append(verifiers, k.Verifier())
	}
	all, err := attest.ParseTrust(verifiers...)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// sampleRecord returns evidence.json of a run, with the checkpoint that its proofs
// lead to.
func sampleRecord(t testing.TB, key *attest.Key) attest.Record {
	t.Helper()
	statement, err := attest.NewStatement([]attest.Subject{
		{Name: "screenshots/001-home.png", SHA256: strings.Repeat("01", 32)}, {Name: "report.json", SHA256: strings.Repeat("ab", 32)},
	}, attest.Result{Status: "PASSED", Passed: []string{"C1"}, Settings: []attest.Subject{{Name: "task", SHA256: strings.Repeat("cd", 32)}}})
	if err != nil {
		t.Fatal(err)
	}
	envelope, err := key.Seal(statement)
	if err != nil {
		t.Fatal(err)
	}
	tree := newReference(t)
	point := tree.point(7)
	point.Origin = key.Name()
	signed, err := attest.SignCheckpoint(point, key)
	if err != nil {
		t.Fatal(err)
	}
	return attest.Record{Format: attest.RecordFormat, RunID: "run", Envelope: envelope, Started: tree.entry(4, 7), Finished: tree.entry(6, 7), Checkpoint: string(signed)}
}

// check returns all that this room can say of a record.
func check(trusted attest.Trust, data []byte) (attest.Record, error) {
	r, err := attest.ParseRecord(data)
	if err != nil {
		return r, err
	}
	statement, err := trusted.OpenEnvelope(r.Envelope)
	if err != nil {
		return r, err
	}
	if _, _, err := attest.ParseStatement(statement); err != nil {
		return r, err
	}
	point, _, err := trusted.OpenCheckpoint([]byte(r.Checkpoint))
	if err != nil {
		return r, err
	}
	return r, errors.Join(r.Started.Check(point), r.Finished.Check(point))
}

// flips returns the bits that are flipped of every byte: the lowest ones, which
// change a digit, that which changes the case of a letter, and the highest.
func flips() []byte { return []byte{0x01, 0x02, 0x20, 0x80} }

// Every byte of evidence.json counts: one that is flipped is seen. So is an end
// that is cut, and what is added (B8, E5). The run's name alone is for others to
// compare: with the folder's, and with the one in the log's entries.
func TestRecordChanged(t *testing.T) {
	key := newKey(t, "assay/test")
	data, err := sampleRecord(t, key).Encode()
	if err != nil {
		t.Fatal(err)
	}
	trusted := trust(t, key)
	if _, err := check(trusted, data); err != nil {
		t.Fatal(err)
	}
	name := bytes.Index(data, []byte(`"runId": "run"`)) + len(`"runId": "`)
	for at := range data {
		for _, mask := range flips() {
			changed := bytes.Clone(data)
			changed[at] ^= mask
			if r, err := check(trusted, changed); err == nil && (at < name || at >= name+len("run") || r.RunID == "run") {
				t.Errorf("byte %d^%02x: taken: …%q…", at, mask, changed[max(0, at-20):min(len(changed), at+20)])
			}
		}
		if _, err := check(trusted, data[:at]); err == nil {
			t.Errorf("cut to %d bytes: taken", at)
		}
	}
	for what, changed := range map[string][]byte{
		"a line more": append(bytes.Clone(data), '\n'), "a field more": bytes.Replace(data, []byte("{"), []byte(`{"x": 1,`), 1),
		"a field twice": bytes.Replace(data, []byte("{"), []byte("{\n  \"runId\": \"other\","), 1), "one line": compact(t, data), "two records": slices.Concat(data, data),
	} {
		if _, err := check(trusted, changed); err == nil {
			t.Errorf("%s: taken", what)
		}
	}
}

func compact(t *testing.T, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := json.Compact(&out, data); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// A checkpoint opens as it was signed, with a key of its log, and in one
// spelling (B8).
func TestCheckpointChanged(t *testing.T) {
	old, key, other := newKey(t, "assay/test"), newKey(t, "assay/test"), newKey(t, "assay/other")
	want := newReference(t).point(7)
	want.Origin = "assay/test"
	signed, err := attest.SignCheckpoint(want, key, old)
	if err != nil {
		t.Fatal(err)
	}
	both := trust(t, other, old, key)
	got, by, err := both.OpenCheckpoint(signed)
	if err != nil || got != want || !slices.Equal(by, []string{old.Verifier(), key.Verifier()}) {
		t.Errorf("%+v by %q, %v", got, by, err)
	}
	if _, by, err := trust(t, key).OpenCheckpoint(signed); err != nil || !slices.Equal(by, []string{key.Verifier()}) {
		t.Errorf("by %q, %v", by, err)
	}
	for at := range signed {
		for _, mask := range flips() {
			changed := bytes.Clone(signed)
			changed[at] ^= mask
			if got, by, err := both.OpenCheckpoint(changed); err == nil && (got != want || len(by) != 1 || !unknown(signed, at)) {
				t.Errorf("byte %d^%02x: taken: %+v by %q", at, mask, got, by)
			}
		}
		if _, _, err := both.OpenCheckpoint(signed[:at]); err == nil && at != bytes.LastIndex(signed, []byte("\n—"))+1 {
			t.Errorf("cut to %d bytes: taken", at) // without the second signature it is what one key signs
		}
	}
	misused, err := attest.SignCheckpoint(want, other)
	if err != nil {
		t.Fatal(err)
	}
	line := string(signed[bytes.Index(signed, []byte("\n\n"))+2:])
	for name, changed := range map[string]string{
		"another log's key":  string(misused),
		"a signature twice":  string(signed) + line,
		"many signatures":    string(signed) + strings.Repeat("— x AAAAAAAA\n", 100),
		"no end":             strings.TrimSuffix(string(signed), "\n"),
		"a line more":        string(signed) + "\n",
		"lines of another":   strings.Replace(string(signed), "\n7\n", "\r\n7\r\n", 1),
		"text before it":     "x\n\n" + string(signed),
		"no text":            "\n" + line,
		"nothing":            "",
		"too long":           strings.Repeat("x", 1<<20),
		"no signature":       string(signed[:bytes.Index(signed, []byte("\n\n"))+2]),
		"an extension":       string(resigned(t, key, "assay/test\n7\n"+base64.StdEncoding.EncodeToString(want.Root[:])+"\nmore\n")),
		"a size with a sign": string(resigned(t, key, "assay/test\n+7\n"+base64.StdEncoding.EncodeToString(want.Root[:])+"\n")),
		"a huge size":        string(resigned(t, key, "assay/test\n9223372036854775807\n"+base64.StdEncoding.EncodeToString(want.Root[:])+"\n")),
		"a negative size":    string(resigned(t, key, "assay/test\n-7\n"+base64.StdEncoding.EncodeToString(want.Root[:])+"\n")),
		"a short root":       string(resigned(t, key, "assay/test\n7\nAAAA\n")),
	} {
		if _, _, err := both.OpenCheckpoint([]byte(changed)); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	if _, _, err := (attest.Trust{}).OpenCheckpoint(signed); !errors.Is(err, attest.ErrSignature) {
		t.Errorf("nobody trusted: %v", err)
	}
	if _, _, err := trust(t, newKey(t, "assay/test")).OpenCheckpoint(signed); !errors.Is(err, attest.ErrSignature) {
		t.Errorf("a key of the same name: %v", err)
	}
}

// unknown reports whether a byte of a signed note belongs to the name or number
// of a key: who changes that takes a signature away, and adds none.
func unknown(signed []byte, at int) bool {
	line := bytes.LastIndexByte(signed[:at], '\n') + 1
	if !bytes.HasPrefix(signed[line:], []byte("— ")) {
		return false
	}
	name := line + len("— ")
	number := name + bytes.IndexByte(signed[name:], ' ') + 1
	return at >= name && at < number+6
}

// An envelope opens as it was sealed, and in one spelling (B8).
func TestEnvelope(t *testing.T) {
	key, other, twin := newKey(t, "assay/test"), newKey(t, "assay/other"), newKey(t, "assay/test")
	good := sampleRecord(t, key).Envelope
	statement, err := trust(t, other, key).OpenEnvelope(good)
	if err != nil {
		t.Fatal(err)
	}
	if subjects, result, err := attest.ParseStatement(statement); err != nil || len(subjects) != 2 || subjects[0].Name != "report.json" || result.Status != "PASSED" {
		t.Errorf("%v, %+v, %v", subjects, result, err)
	}
	theirs, err := other.Seal(statement)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(e *attest.Envelope){
		"another key's":           func(e *attest.Envelope) { *e = theirs },
		"another type":            func(e *attest.Envelope) { e.PayloadType = "text/plain" },
		"no signature":            func(e *attest.Envelope) { e.Signatures = nil },
		"a signature twice":       func(e *attest.Envelope) { e.Signatures = append(e.Signatures, e.Signatures[0]) },
		"many signatures":         func(e *attest.Envelope) { e.Signatures = slices.Repeat(e.Signatures, 1000) },
		"another's signature":     func(e *attest.Envelope) { e.Signatures[0].Sig = theirs.Signatures[0].Sig },
		"no key's name":           func(e *attest.Envelope) { e.Signatures[0].KeyID = "" },
		"a key of that name":      func(e *attest.Envelope) { e.Signatures[0].KeyID = attest.KeyID(twin.Verifier()) },
		"a payload with a break":  func(e *attest.Envelope) { e.Payload = e.Payload[:40] + "\n" + e.Payload[40:] },
		"a payload in URL base64": func(e *attest.Envelope) { e.Payload = base64.URLEncoding.EncodeToString(append(statement, 0xFB, 0xFF)) },
		"another payload":         func(e *attest.Envelope) { e.Payload = base64.StdEncoding.EncodeToString([]byte("{}")) },
		"a signature without end": func(e *attest.Envelope) { e.Signatures[0].Sig = strings.TrimRight(e.Signatures[0].Sig, "=") },
		"a short signature":       func(e *attest.Envelope) { e.Signatures[0].Sig = "AAAA" },
	} {
		e := good
		e.Signatures = slices.Clone(good.Signatures)
		change(&e)
		if _, err := trust(t, key).OpenEnvelope(e); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	more := good
	more.Signatures = slices.Concat(theirs.Signatures, good.Signatures) // somebody else signed it too
	if _, err := trust(t, key).OpenEnvelope(more); err != nil {
		t.Error(err)
	}
	if _, err := key.Seal(make([]byte, 17<<20)); err == nil {
		t.Error("a statement that nobody would read is sealed")
	}
}

// Keys have one spelling; two that look alike are not both trusted; a key's
// errors don't show it.
func TestKeys(t *testing.T) {
	key := newKey(t, "assay/test")
	if again, err := attest.ParseKey(" " + key.Secret() + "\n"); err != nil || again.Verifier() != key.Verifier() || again.Name() != "assay/test" {
		t.Errorf("%v, %v", again, err)
	}
	if _, err := attest.NewKey(rand.Reader, "with space"); err == nil {
		t.Error("a name with a space")
	}
	if keys := trust(t, key, key).Keys(); len(keys) != 1 {
		t.Errorf("the same key twice: %q", keys)
	}
	seed := strings.SplitN(key.Secret(), "+", 5)[4]
	for _, bad := range []string{"", "garbled", key.Verifier(), key.Secret()[:60], strings.ToUpper(key.Secret()), key.Secret() + "A", strings.Replace(key.Secret(), "test", "best", 1),
		key.Secret()[:60] + "\n" + key.Secret()[60:], strings.Repeat(key.Secret(), 50)} {
		if _, err := attest.ParseKey(bad); err == nil || strings.Contains(err.Error(), seed[:20]) {
			t.Errorf("%.30q…: %v", bad, err)
		}
	}
	for _, bad := range []string{"", "garbled", key.Secret(), strings.ToUpper(key.Verifier()), key.Verifier() + "A", strings.Replace(key.Verifier(), "test", "best", 1), key.Verifier() + "\n" + key.Verifier(), strings.Repeat("x", 1<<20)} {
		if _, err := attest.ParseTrust(bad); err == nil || len(err.Error()) > 2000 {
			t.Errorf("%.30q…: %v", bad, err)
		}
	}
	if _, err := attest.ParseTrust(slices.Repeat([]string{key.Verifier()}, 2000)...); err == nil {
		t.Error("2000 keys")
	}
}

// A statement names each file once, below the run's folder, by its SHA-256.
func TestStatementRefused(t *testing.T) {
	sum := strings.Repeat("ab", 32)
	for name, c := range map[string]struct {
		subjects []attest.Subject
		result   attest.Result
	}{
		"no file":            {nil, attest.Result{Status: "PASSED"}},
		"a file twice":       {[]attest.Subject{{"a", sum}, {"a", sum}}, attest.Result{Status: "PASSED"}},
		"a way out":          {[]attest.Subject{{"../a", sum}}, attest.Result{Status: "PASSED"}},
		"a detour":           {[]attest.Subject{{"a/../b", sum}}, attest.Result{Status: "PASSED"}},
		"from the root":      {[]attest.Subject{{"/a", sum}}, attest.Result{Status: "PASSED"}},
		"a drive":            {[]attest.Subject{{"c:a", sum}}, attest.Result{Status: "PASSED"}},
		"a way on Windows":   {[]attest.Subject{{`..\a`, sum}}, attest.Result{Status: "PASSED"}},
		"the folder":         {[]attest.Subject{{".", sum}}, attest.Result{Status: "PASSED"}},
		"no name":            {[]attest.Subject{{"", sum}}, attest.Result{Status: "PASSED"}},
		"no digest":          {[]attest.Subject{{"a", ""}}, attest.Result{Status: "PASSED"}},
		"a short digest":     {[]attest.Subject{{"a", sum[:40]}}, attest.Result{Status: "PASSED"}},
		"a loud digest":      {[]attest.Subject{{"a", strings.ToUpper(sum)}}, attest.Result{Status: "PASSED"}},
		"no result":          {[]attest.Subject{{"a", sum}}, attest.Result{}},
		"an unknown result":  {[]attest.Subject{{"a", sum}}, attest.Result{Status: "passed"}},
		"a setting twice":    {[]attest.Subject{{"a", sum}}, attest.Result{Status: "PASSED", Settings: []attest.Subject{{"task", sum}, {"task", sum}}}},
		"bytes of no letter": {[]attest.Subject{{"a\xff", sum}}, attest.Result{Status: "PASSED"}},
	} {
		if statement, err := attest.NewStatement(c.subjects, c.result); err == nil {
			t.Errorf("%s: %s", name, statement)
		}
	}
	good, err := attest.NewStatement([]attest.Subject{{"b", sum}, {"a", sum}}, attest.Result{Status: "FAILED", Failed: []string{"C1"}})
	if err != nil {
		t.Fatal(err)
	}
	if subjects, result, err := attest.ParseStatement(good); err != nil || !slices.Equal(subjects, []attest.Subject{{"a", sum}, {"b", sum}}) || result.Status != "FAILED" || !slices.Equal(result.Failed, []string{"C1"}) {
		t.Errorf("%v, %+v, %v", subjects, result, err)
	}
	second := fmt.Sprintf(`{"name":"b","digest":{"sha256":%q}}`, sum)
	for name, change := range map[string][2]string{
		"a file twice":       {`"name":"b"`, `"name":"a"`},
		"out of order":       {`"name":"b"`, `"name":"_"`},
		"another digest too": {`"digest":{`, `"digest":{"sha1":"00",`},
		"a field more":       {`{`, `{"x":1,`},
		"another type":       {attest.PredicateType, "https://slsa.dev/provenance/v1"},
		"an empty subject":   {second, `{}`},
		"no JSON":            {`{`, `[`},
		"two values":         {`{`, `{}{`},
	} {
		changed := strings.Replace(string(good), change[0], change[1], 1)
		if changed == string(good) {
			t.Fatalf("%s: there is no %q in %s", name, change[0], good)
		}
		if _, _, err := attest.ParseStatement([]byte(changed)); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	if _, _, err := attest.ParseStatement(bytes.Repeat([]byte("["), 17<<20)); err == nil {
		t.Error("a statement of 17 MB is taken")
	}
}
