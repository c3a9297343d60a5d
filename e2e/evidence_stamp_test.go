package e2e_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"testing"
)

// authority is a time-stamp authority made of openssl, on loopback. It returns
// its address, and the file with the certificate to trust.
func authority(t *testing.T) (url, ca string) {
	t.Helper()
	dir := t.TempDir()
	openssl := func(stdin []byte, arguments ...string) ([]byte, error) {
		cmd := exec.Command("openssl", arguments...)
		var said bytes.Buffer
		cmd.Dir, cmd.Stdin, cmd.Stderr = dir, bytes.NewReader(stdin), &said
		out, err := cmd.Output()
		if err != nil {
			t.Errorf("openssl %v: %v: %s", arguments, err, said.String())
		}
		return out, err
	}
	writeFile(t, filepath.Join(dir, "ts.cnf"), []byte(`[tsa]
default_tsa = authority
[authority]
serial = ./serial
crypto_device = builtin
signer_cert = ./tsa.pem
certs = ./ca.pem
signer_key = ./tsa.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ess_cert_id_alg = sha256
[stamp]
extendedKeyUsage = critical,timeStamping
keyUsage = critical,digitalSignature
`))
	writeFile(t, filepath.Join(dir, "serial"), []byte("01\n"))
	for _, arguments := range [][]string{
		{"req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=Test root"},
		{"req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "tsa.key", "-out", "tsa.csr", "-subj", "/CN=Test time"},
		{"x509", "-req", "-in", "tsa.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-out", "tsa.pem", "-days", "2", "-extfile", "ts.cnf", "-extensions", "stamp"},
	} {
		if _, err := openssl(nil, arguments...); err != nil {
			t.FailNow()
		}
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query, err := io.ReadAll(io.LimitReader(r.Body, 1<<16))
		if err != nil {
			t.Error(err)
			return
		}
		reply, err := openssl(query, "ts", "-reply", "-queryfile", "/dev/stdin", "-config", "ts.cnf")
		if err != nil {
			http.Error(w, "no", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/timestamp-reply")
		_, _ = w.Write(reply)
	}))
	t.Cleanup(site.Close)
	return site.URL, filepath.Join(dir, "ca.pem")
}

// B8: an authority confirms the time of a run; one that is not there, or
// talks nonsense, changes no verdict, and is noted.
func TestEvidenceTimestamp(t *testing.T) {
	t.Parallel()
	needsBinary(t)
	url, ca := authority(t)
	_, otherCA := authority(t)
	w := serveOn(t, t.TempDir(), append(browserless(t), "ASSAY_COMPLIANCE_TSA_URL="+url)...)
	stamped := w.emptyRun()
	run := stamped.run
	v := verified(t, w.data, run, "--tsa-ca", ca)
	if len(v.Timestamps) != 1 {
		t.Errorf("time-stamps: %v: %s", v.Timestamps, v)
	}
	verified(t, w.data, run)
	if v := examine(t, w.data, run, "--tsa-ca", otherCA); v.Verdict != "failed" {
		t.Errorf("%s for who trusts another authority alone: %s", v.Verdict, v)
	}
	path := filepath.Join(w.data, "runs", run, "evidence.json")
	good := readFile(t, path)
	token := bytes.Index(good, []byte(`"token"`))
	broken := bytes.Clone(good)
	broken[token+200] ^= 1
	writeFile(t, path, broken)
	tampered(t, "evidence.json", w.data, run, "--tsa-ca", ca)
	writeFile(t, path, good)

	page := badSite(t)
	for name, address := range map[string]string{"nobody there": closedPort(t), "a page": page + "/ok", "an error": page + "/broken"} {
		if name != "a page" && !soak() {
			continue
		}
		w := serveOn(t, t.TempDir(), append(browserless(t), "ASSAY_COMPLIANCE_TSA_URL="+address)...)
		f := w.emptyRun()
		v := verified(t, w.data, f.run)
		if len(v.Timestamps) != 0 || len(v.Findings) == 0 {
			t.Errorf("%s: nobody notes it: %v %s", name, v.Timestamps, v)
		}
		if f.open || f.status != stamped.status {
			t.Errorf("%s: it is %s, and with a time-stamp %s", name, f.status, stamped.status)
		}
	}
}
