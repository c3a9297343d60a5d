package bundle_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const authorityConfig = `
[req]
distinguished_name = dn
[dn]
[ca]
basicConstraints = critical,CA:true
[tsa]
extendedKeyUsage = critical,timeStamping
[tsp]
serial = serial
signer_cert = tsa.pem
signer_key = tsa.key
certs = ca.pem
signer_digest = sha256
default_policy = 1.2.3.4
digests = sha256
`

// authority makes a time-stamping authority of openssl's in a folder, and
// returns what it does with a checkpoint.
func authority(t *testing.T, dir string) func(checkpoint string) []byte {
	t.Helper()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	openssl := func(line string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "openssl", strings.Fields(line)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("openssl %s: %v\n%s", line, err, out)
		}
	}
	write("openssl.cnf", authorityConfig)
	write("serial", "01\n")
	const key = " -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -config openssl.cnf"
	openssl("req -x509 -days 30 -subj /CN=Root -extensions ca -keyout ca.key -out ca.pem" + key)
	openssl("req -subj /CN=Authority -keyout tsa.key -out tsa.csr" + key)
	openssl("x509 -req -days 20 -in tsa.csr -CA ca.pem -CAkey ca.key -CAcreateserial -extfile openssl.cnf -extensions tsa -out tsa.pem")
	return func(checkpoint string) []byte {
		write("data", checkpoint)
		openssl("ts -query -data data -sha256 -cert -out query")
		openssl("ts -reply -config openssl.cnf -section tsp -queryfile query -token_out -out token")
		return []byte(read(t, dir, "token"))
	}
}

// B8: the time is checked by hand, too, with a certificate that is not from the
// bundle.
func TestByHandWithTime(t *testing.T) {
	place := t.TempDir()
	stamp := authority(t, place)
	for name, c := range map[string]struct {
		stamp func(string) []byte
		want  string
		fails bool
	}{
		"of the checkpoint": {stamp, "Time stamp: ", false},
		"of another":        {func(checkpoint string) []byte { return stamp(checkpoint + "x") }, "message imprint mismatch", true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := unpack(t, sealed(t, false, c.stamp).write().Path)
			if err := os.WriteFile(filepath.Join(dir, "CA.pem"), []byte(read(t, place, "ca.pem")), 0o600); err != nil {
				t.Fatal(err)
			}
			if out, err := byHand(t, dir); (err != nil) != c.fails || !strings.Contains(out, c.want) {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
