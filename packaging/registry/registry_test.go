package registry_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-qa/assay/packaging/registry"
)

// Issue 34: npm installs from the registry what was packed, checks its digest, and is told of
// nothing else.
func TestRegistry(t *testing.T) {
	if testing.Short() {
		t.Skip("needs npm, which packs and installs a package")
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Fatalf("npm packs and installs the package: %v", err)
	}
	folder := t.TempDir()
	run := func(want bool, args ...string) string {
		t.Helper()
		cmd := exec.Command(npm, append(args, "--cache="+filepath.Join(folder, "cache"), "--no-audit", "--no-fund")...)
		cmd.Dir, cmd.Env = folder, os.Environ()
		out, err := cmd.CombinedOutput()
		if (err == nil) != want {
			t.Fatalf("npm %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("package.json", `{"name":"@shop/parcel","version":"1.2.3"}`)
	write("index.js", "")
	run(true, "pack")
	server := httptest.NewUnstartedServer(nil)
	defer server.Close()
	packages, err := registry.New(folder, "http://"+server.Listener.Addr().String(), http.NotFoundHandler())
	if err != nil {
		t.Fatal(err)
	}
	server.Config.Handler = packages
	server.Start()
	at := "--registry=" + server.URL
	write("package.json", `{"name":"another"}`)
	run(true, "install", at, "@shop/parcel")
	if _, err := os.Stat(filepath.Join(folder, "node_modules", "@shop", "parcel", "index.js")); err != nil {
		t.Error(err)
	}
	if said := run(false, "install", at, "@shop/letter"); !strings.Contains(said, "E404") {
		t.Errorf("a package that the registry doesn't have: %s", said)
	}
	if _, err := registry.New(t.TempDir(), server.URL, http.NotFoundHandler()); err == nil || !strings.Contains(err.Error(), "make snapshot") {
		t.Errorf("of an empty folder: %v", err)
	}
}
