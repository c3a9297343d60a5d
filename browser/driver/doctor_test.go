package driver

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// D5: doctor says of each thing what is there, and of what is missing the command that fixes it.
func TestDiagnose(t *testing.T) {
	needsShell(t)
	find := func(in *installer, name string) Diagnosis {
		t.Helper()
		for _, d := range (&doctor{in}).diagnose(t.Context()) {
			if d.Name == name {
				return d
			}
		}
		t.Fatalf("no diagnosis %q", name)
		return Diagnosis{}
	}
	expect := func(in *installer, name string, health Health, detail, remedy string) {
		t.Helper()
		d := find(in, name)
		if d.Health != health || !strings.Contains(d.Detail, detail) || d.Remedy != remedy {
			t.Errorf("%s: got %+v, want %s, %q, remedy %q", name, d, health, detail, remedy)
		}
	}

	m := newFakeMachine(t)
	m.debian("true")
	m.opts.DataDir, m.opts.NoDownload = m.path("data"), true
	expect(m.installer(), "system", HealthOK, "Debian GNU/Linux 12", "")
	expect(m.installer(), "node", HealthFail, "no program named node", "sudo apt-get install -y nodejs npm")
	expect(m.installer(), "driver", HealthFail, "not set", "assay install")
	expect(m.installer(), "browser", HealthFail, "system headless shell: missing", "assay install")
	expect(m.installer(), "sandbox", HealthOK, "not tried", "")
	expect(m.installer(), "fonts", HealthWarn, "no font for Latin", "sudo apt-get install -y --no-install-recommends "+strings.Join(fontPackages(), " "))
	expect(m.installer(), "data folder", HealthOK, m.path("data"), "")

	m.program("node", "echo v20.1.0")
	m.driver("cache/driver/playwright-core-" + driverVersion)
	m.opts.ExecutablePath = m.program("shell", "echo Chromium 156.0.1")
	m.file("root/usr/share/fonts/truetype/LiberationSans-Regular.ttf", "")
	m.file("root/proc/sys/user/max_user_namespaces", "0\n")
	expect(m.installer(), "node", HealthOK, "20.1.0", "")
	expect(m.installer(), "driver", HealthOK, driverVersion, "")
	expect(m.installer(), "browser", HealthOK, "156.0.1", "")
	expect(m.installer(), "sandbox", HealthOK, "on", "")
	m.opts.ExecutablePath = m.program("shell", `echo Chromium 156.0.1; case "$*" in *--version*|*--no-sandbox*) ;; *) exit 1 ;; esac`)
	expect(m.installer(), "sandbox", HealthFail, "no browser starts: /proc/sys/user/max_user_namespaces is 0", "sudo sysctl -w user.max_user_namespaces=15000")
	m.file("root/proc/sys/user/max_user_namespaces", "15000\n")
	expect(m.installer(), "sandbox", HealthFail, "can't make it here, so no browser starts", "")
	m.file("root/.dockerenv", "")
	expect(m.installer(), "sandbox", HealthFail, "this container may make no namespaces", "docker run --security-opt seccomp=unconfined …")
	m.opts.ExecutablePath = m.program("shell", `echo Chromium 156.0.1; case "$*" in *--version*) ;; *) echo no display >&2; exit 1 ;; esac`)
	expect(m.installer(), "sandbox", HealthFail, "does not show a page: ", "")
	in := m.installer()
	in.host.root = true
	expect(in, "sandbox", HealthFail, "does not show a page: ", "")
	m.opts.ExecutablePath = m.program("shell", `echo Chromium 156.0.1; case "$*" in *--version*|*--no-sandbox*) ;; *) exit 1 ;; esac`)
	in = m.installer()
	in.host.root = true
	expect(in, "sandbox", HealthWarn, "off: Chromium refuses", "")
	first := m.path("started")
	m.opts.ExecutablePath = m.program("shell", `echo Chromium 156.0.1; case "$*" in *--version*|*--no-sandbox*) exit ;; esac; test -e `+first+` || { : > `+first+`; exit 1; }`)
	expect(m.installer(), "sandbox", HealthWarn, "on, but ", "")
	in = m.installer()
	in.host.goos = "windows"
	if d := (&doctor{in}).diagnoseSandbox(t.Context(), DriverInfo{}); d.Health != HealthOK || d.Detail != "not tried on Windows" {
		t.Errorf("Windows: %+v", d)
	}
	in.Browser = "firefox"
	if d := (&doctor{in}).diagnoseSandbox(t.Context(), DriverInfo{}); d.Health != HealthOK || d.Detail != "not tried, as the browser is firefox" {
		t.Errorf("Firefox: %+v", d)
	}
	in = m.installer()
	in.host.root = true
	expect(in, "fonts", HealthWarn, "Chinese/Japanese/Korean, emoji: ", "apt-get install -y --no-install-recommends "+strings.Join(fontPackages(), " "))
	m.file("root/usr/share/fonts/NotoSansCJK-Regular.ttc", "")
	m.file("home/.fonts/NotoColorEmoji.ttf", "")
	expect(m.installer(), "fonts", HealthOK, "emoji", "")

	m.opts.DataDir = m.file("a-file", "")
	expect(m.installer(), "data folder", HealthFail, "; name another one: --data-dir FOLDER", "")
}

// D5: a browser that is slow is not said to have no sandbox.
func TestDiagnoseSlowBrowser(t *testing.T) {
	t.Parallel()
	late := fmt.Errorf("no end: %w", context.DeadlineExceeded)
	refused := errors.New("exit status 1")
	in := newFakeMachine(t).installer()
	for name, tt := range map[string]struct {
		starts []error // with the sandbox, without it, with it again
		health Health
		detail string
	}{
		"slow at first":      {[]error{late, nil, nil}, HealthWarn, "on, but "},
		"slow with it":       {[]error{late, nil, late}, HealthFail, "not known, "},
		"slow, then refused": {[]error{late, nil, refused}, HealthFail, "Chromium can't make it here"},
		"refused, then slow": {[]error{refused, nil, late}, HealthFail, "not known, "},
		"slow altogether":    {[]error{late, late}, HealthFail, "not tried, as "},
		"refused both times": {[]error{refused, nil, refused}, HealthFail, "Chromium can't make it here"},
		"at once":            {[]error{nil}, HealthOK, "on"},
	} {
		n := 0
		d := (&doctor{in}).trySandbox("shell", func(...string) error { n++; return tt.starts[n-1] })
		if d.Health != tt.health || !strings.HasPrefix(d.Detail, tt.detail) || n != len(tt.starts) {
			t.Errorf("%s: %+v after %d starts", name, d, n)
		}
	}
}
