package attest_test

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// openssl runs an independent implementation. It fails the test if there is
// none: what nobody else has checked proves little.
func openssl(t *testing.T, dir string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), "openssl", args...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("openssl %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// authority is a time-stamping authority that openssl runs.
type authority struct {
	dir     string
	url     string
	pool    *x509.CertPool
	root    *x509.Certificate
	instead func(w http.ResponseWriter, r *http.Request, answer []byte) // what it sends; nil: its answer
}

const authorityConfig = `
[req]
distinguished_name = dn
[dn]
[ca]
basicConstraints = critical,CA:true
keyUsage = critical,keyCertSign
[tsa]
keyUsage = critical,digitalSignature
extendedKeyUsage = critical,timeStamping
[tsp]
serial = serial
signer_cert = tsa.pem
certs = ca.pem
signer_key = tsa.key
signer_digest = sha256
default_policy = 1.2.3.4
digests = %s
ess_cert_id_alg = %s
`

func newAuthority(t *testing.T, digests, names string) *authority {
	t.Helper()
	a := &authority{dir: t.TempDir(), pool: x509.NewCertPool()}
	for name, text := range map[string]string{"openssl.cnf": fmt.Sprintf(authorityConfig, digests, names), "serial": "01\n"} {
		if err := os.WriteFile(filepath.Join(a.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	key := []string{"-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-config", "openssl.cnf"}
	openssl(t, a.dir, append([]string{"req", "-x509", "-days", "30", "-subj", "/CN=Test root", "-extensions", "ca", "-keyout", "ca.key", "-out", "ca.pem"}, key...)...)
	openssl(t, a.dir, append([]string{"req", "-subj", "/CN=Test authority", "-keyout", "tsa.key", "-out", "tsa.csr"}, key...)...)
	openssl(t, a.dir, "x509", "-req", "-days", "20", "-in", "tsa.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "openssl.cnf", "-extensions", "tsa", "-out", "tsa.pem")
	text, err := os.ReadFile(filepath.Join(a.dir, "ca.pem"))
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(text)
	if a.root, err = x509.ParseCertificate(block.Bytes); err != nil {
		t.Fatal(err)
	}
	a.pool.AddCert(a.root)
	server := httptest.NewServer(a.serve(t))
	t.Cleanup(server.Close)
	a.url = server.URL
	return a
}

func (a *authority) serve(t *testing.T) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var query bytes.Buffer
		if _, err := query.ReadFrom(r.Body); err != nil {
			t.Error(err)
		}
		if got := r.Header.Get("Content-Type"); got != "application/timestamp-query" || r.Method != http.MethodPost {
			t.Errorf("asked by %s of %s", r.Method, got)
		}
		if err := os.WriteFile(filepath.Join(a.dir, "query"), query.Bytes(), 0o600); err != nil {
			t.Error(err)
		}
		c := exec.CommandContext(t.Context(), "openssl", "ts", "-reply", "-config", "openssl.cnf", "-section", "tsp", "-queryfile", "query", "-out", "answer")
		c.Dir = a.dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("openssl ts -reply: %v\n%s", err, out)
		}
		answer, err := os.ReadFile(filepath.Join(a.dir, "answer"))
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "application/timestamp-reply")
		if a.instead != nil {
			a.instead(w, r, answer)
			return
		}
		if _, err := w.Write(answer); err != nil {
			t.Error(err)
		}
	}
}
