package driver

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// The pinned test runner comes whole or not at all, by npm ci without scripts; without
// it the error names the command that installs it.
func TestInstallTestRunner(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs of the test are shell scripts")
	}
	m := newFakeMachine(t)
	m.env["PATH"] += string(os.PathListSeparator) + "/usr/bin" + string(os.PathListSeparator) + "/bin"
	m.file("bin/node", "#!/bin/sh\necho v20.11.1\n")
	var missing *InstallError
	if _, err := LocateTestRunner(t.Context(), m.opts); !errors.As(err, &missing) || missing.Remedy != "assay install --test-runner" {
		t.Fatalf("nothing installed: %v", err)
	}
	m.file("bin/npm", "#!/bin/sh\necho half > half\necho 'npm error network' >&2\nexit 1\n")
	if _, err := InstallTestRunner(t.Context(), m.opts); !errors.As(err, &missing) || missing.Remedy != "assay install --test-runner" {
		t.Fatalf("npm fails: %v", err)
	}
	if left, err := os.ReadDir(m.path("cache", "test-runner")); err != nil || len(left) > 0 {
		t.Errorf("a failed install leaves %v, %v", left, err)
	}
	m.file("bin/npm", `#!/bin/sh
echo "$@" > "`+m.path("asked")+`"
for f in @playwright/test/cli.js playwright-core/package.json eslint/bin/eslint.js eslint-plugin-playwright/package.json prettier/package.json @babel/parser/package.json; do
  mkdir -p "$(dirname node_modules/$f)" && echo > node_modules/$f
done
`)
	r, err := InstallTestRunner(t.Context(), m.opts)
	if err != nil || r.Version != driverVersion {
		t.Fatalf("%+v, %v", r, err)
	}
	asked, err := os.ReadFile(m.path("asked"))
	if err != nil || !strings.HasPrefix(string(asked), "ci --ignore-scripts ") {
		t.Errorf("npm was asked for %q, %v", asked, err)
	}
	if lock, err := os.ReadFile(filepath.Join(r.Dir, "package-lock.json")); err != nil || !strings.Contains(string(lock), `"integrity"`) || strings.Contains(string(lock), `"resolved"`) {
		t.Errorf("the lock file: %v", err)
	}
	if manifest, err := os.ReadFile(filepath.Join(r.Dir, "package.json")); err != nil || !strings.Contains(string(manifest), `"@playwright/test": "`+driverVersion+`"`) {
		t.Errorf("the runner is not of the driver's version: %s, %v", manifest, err)
	}
	if again, err := LocateTestRunner(t.Context(), m.opts); err != nil || again.Dir != r.Dir {
		t.Errorf("%+v, %v", again, err)
	}
}
