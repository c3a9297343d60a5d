package driver

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// needsShell skips where programs cannot be faked by shell scripts.
func needsShell(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs shell scripts")
	}
}

// D5: Playwright's cache is read by Playwright's own rules on every system, and only a whole build of
// the driver's own revision counts.
func TestPlaywrightCache(t *testing.T) {
	for name, test := range map[string]struct {
		goos, goarch, browser string
		headed                bool
		env                   map[string]string
		file                  string // below the machine
		want                  bool
	}{
		"linux shell":      {goos: "linux", goarch: "amd64", file: "home/.cache/ms-playwright/chromium_headless_shell-1200/chrome-headless-shell-linux64/chrome-headless-shell", want: true},
		"linux arm shell":  {goos: "linux", goarch: "arm64", file: "home/.cache/ms-playwright/chromium_headless_shell-1200/chrome-linux/headless_shell", want: true},
		"linux full":       {goos: "linux", goarch: "amd64", file: "home/.cache/ms-playwright/chromium-1200/chrome-linux64/chrome", want: true},
		"linux headed":     {goos: "linux", goarch: "amd64", headed: true, file: "home/.cache/ms-playwright/chromium-1200/chrome-linux64/chrome", want: true},
		"no window":        {goos: "linux", goarch: "amd64", headed: true, file: "home/.cache/ms-playwright/chromium_headless_shell-1200/chrome-headless-shell-linux64/chrome-headless-shell"},
		"other revision":   {goos: "linux", goarch: "amd64", file: "home/.cache/ms-playwright/chromium_headless_shell-1199/chrome-headless-shell-linux64/chrome-headless-shell"},
		"mac shell":        {goos: "darwin", goarch: "arm64", file: "home/Library/Caches/ms-playwright/chromium_headless_shell-1200/chrome-headless-shell-mac-arm64/chrome-headless-shell", want: true},
		"windows shell":    {goos: "windows", goarch: "amd64", file: "home/AppData/Local/ms-playwright/chromium_headless_shell-1200/chrome-headless-shell-win64/chrome-headless-shell.exe", want: true},
		"windows variable": {goos: "windows", goarch: "arm64", env: map[string]string{"LOCALAPPDATA": "local"}, file: "local/ms-playwright/chromium_headless_shell-1200/chrome-headless-shell-win64/chrome-headless-shell.exe", want: true},
		"linux variable":   {goos: "linux", goarch: "amd64", env: map[string]string{"XDG_CACHE_HOME": "xdg"}, file: "xdg/ms-playwright/chromium_headless_shell-1200/chrome-headless-shell-linux64/chrome-headless-shell", want: true},
		"browsers path":    {goos: "linux", goarch: "amd64", env: map[string]string{"PLAYWRIGHT_BROWSERS_PATH": "pw"}, file: "pw/chromium_headless_shell-1200/chrome-headless-shell-linux64/chrome-headless-shell", want: true},
		"browsers path 0":  {goos: "linux", goarch: "amd64", env: map[string]string{"PLAYWRIGHT_BROWSERS_PATH": "0"}, file: "drv/package/.local-browsers/chromium_headless_shell-1200/chrome-headless-shell-linux64/chrome-headless-shell", want: true},
		"firefox":          {goos: "linux", goarch: "amd64", browser: "firefox", file: "home/.cache/ms-playwright/firefox-1497/firefox/firefox", want: true},
		"webkit":           {goos: "linux", goarch: "amd64", browser: "webkit", file: "home/.cache/ms-playwright/webkit-2227/pw_run.sh", want: true},
		"webkit, frozen":   {goos: "linux", goarch: "amd64", browser: "webkit", file: "home/.cache/ms-playwright/webkit_debian11_x64_special-2105/pw_run.sh", want: true},
		"not a system's":   {goos: "linux", goarch: "riscv64", file: "home/.cache/ms-playwright/chromium-1200/chrome-linux64/chrome"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newFakeMachine(t)
			drv := DriverInfo{Dir: m.driver("drv")}
			for key, value := range test.env {
				m.env[key] = value
				if value != "0" {
					m.env[key] = m.path(value)
				}
			}
			m.opts.Browser, m.opts.Headed = test.browser, test.headed
			path := m.file(test.file, "")
			in := m.installer()
			in.host.goos, in.host.goarch = test.goos, test.goarch
			if _, ok := in.findInPlaywrightCache(drv); ok {
				t.Fatal("a build without its completion mark was taken for whole")
			}
			build := path
			for base := filepath.Base(build); !strings.Contains(base, "-") || strings.HasPrefix(base, "chrome-"); base = filepath.Base(build) {
				build = filepath.Dir(build)
			}
			m.file(filepath.Join(build, completeMarker), "")
			got, ok := in.findInPlaywrightCache(drv)
			if ok != test.want {
				t.Fatalf("found: %v, want %v; tried %s", ok, test.want, joinSteps(in.steps))
			}
			if ok && (got.Path != path || got.Version == "") {
				t.Fatalf("got %+v, want %s with its version", got, path)
			}
			if want := strings.Contains(test.file, "headless_shell"); ok && got.HeadlessShell != want {
				t.Errorf("HeadlessShell: %v", got.HeadlessShell)
			}
		})
	}
}

// D5: the real file behind a wrapper script.
func TestWrapperScripts(t *testing.T) {
	needsShell(t)
	for name, test := range map[string]struct {
		script string            // content of the wrapper at bin/chromium
		files  []string          // real executables
		links  map[string]string // symbolic links
		want   string
		err    string
	}{
		"names the file":       {script: "#!/bin/sh -e\n\n%/lib/chromium/chromium-headless-shell \"$@\"\n", files: []string{"lib/chromium/chromium-headless-shell"}, want: "lib/chromium/chromium-headless-shell"},
		"names the folder":     {script: "#!/bin/sh\nLIBDIR=%/lib/chromium\nexec $LIBDIR/$APPNAME \"$@\"\n", files: []string{"lib/chromium/chromium", "lib/chromium/chromium-headless-shell"}, want: "lib/chromium/chromium"},
		"beside it":            {script: "#!/bin/bash\nexec -a \"$0\" \"$HERE/chrome\" \"$@\"\n", files: []string{"bin/chrome", "bin/chrome-sandbox"}, want: "bin/chrome"},
		"not the crash helper": {script: "#!/bin/sh\n%/lib/chrome_crashpad_handler\n%/lib/chrome \"$@\"\n", files: []string{"lib/chrome_crashpad_handler", "lib/chrome"}, want: "lib/chrome"},
		"through a link":       {links: map[string]string{"bin/chromium": "opt/chromium.sh"}, files: nil, script: "", want: "opt/chrome"},
		"names nothing":        {script: "#!/bin/sh\nexec flatpak run org.chromium.Chromium\n", err: "names no browser"},
		"names itself":         {script: "#!/bin/sh\nexec %/bin/chromium\n", err: "names no browser"},
		"a snap":               {links: map[string]string{"bin/chromium": "opt/snap"}, err: "is a snap"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newFakeMachine(t)
			for _, f := range test.files {
				m.file(f, "\x7fELF")
			}
			if test.script != "" {
				m.file("bin/chromium", strings.ReplaceAll(test.script, "%", m.dir))
			}
			for from, to := range test.links {
				m.file("opt/chromium.sh", "#!/bin/sh\nexec \"$HERE/chrome\"\n")
				m.file("opt/chrome", "\x7fELF")
				m.file("opt/snap", "\x7fELF")
				if err := errors.Join(os.MkdirAll(m.path("bin"), 0o755), os.Symlink(m.path(to), m.path(from))); err != nil {
					t.Fatal(err)
				}
			}
			got, err := m.installer().host.realExecutable(m.path("bin/chromium"))
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Fatalf("got %s, %v, want an error with %q", got, err, test.err)
				}
				return
			}
			if err != nil || got != m.path(test.want) {
				t.Fatalf("got %s, %v, want %s", got, err, m.path(test.want))
			}
		})
	}
}

// D5: system headless shell, then Chrome, then Chromium; with a window never the shell.
func TestSystemBrowserOrder(t *testing.T) {
	needsShell(t)
	m := newFakeMachine(t)
	drv := DriverInfo{Dir: m.driver("drv")}
	chromium := m.file("root/usr/lib/chromium/chromium", "\x7fELF")
	find := func(want string) {
		t.Helper()
		in := m.installer()
		got, ok, err := in.findBrowser(drv)
		if err != nil || !ok || got.Path != want {
			t.Fatalf("got %+v, %v, want %s; tried %s", got, err, want, joinSteps(in.steps))
		}
	}
	find(chromium)
	chrome := m.file("root/opt/google/chrome/chrome", "\x7fELF")
	find(chrome)
	shell := m.file("bin/chromium-headless-shell", "\x7fELF")
	find(shell)
	m.opts.Headed = true
	find(chrome)
	m.opts.Headed = false
	m.opts.ExecutablePath = chromium
	find(chromium)
	m.opts.Browser, m.opts.ExecutablePath = "firefox", ""
	if got, ok, err := m.installer().findBrowser(drv); ok || err != nil {
		t.Fatalf("a system browser was taken for firefox: %+v, %v", got, err)
	}
}

// A configured browser that is not there is an error, never another browser.
func TestConfiguredBrowserMissing(t *testing.T) {
	m := newFakeMachine(t)
	m.file("bin/chromium-headless-shell", "\x7fELF")
	m.opts.ExecutablePath = m.path("nowhere/chrome")
	in := m.installer()
	_, err := in.browser(t.Context(), DriverInfo{Dir: m.driver("drv")})
	var missing *InstallError
	if !errors.As(err, &missing) || !strings.Contains(err.Error(), "nowhere") || !strings.HasSuffix(err.Error(), "assay install") {
		t.Fatalf("got %v", err)
	}
}

// debian makes the machine one, with an apt-get that logs its arguments and does what the script says.
func (m *fakeMachine) debian(aptGet string) {
	m.file("root/etc/os-release", "ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n")
	m.program("apt-get", `echo "$*" >>"`+m.path("apt.log")+`"; `+aptGet)
}

// D5: Playwright's download, then with --with-deps the packages; each step says what it tried.
func TestFetchBrowser(t *testing.T) {
	needsShell(t)
	const failingDownload = `case "$*" in *--version) echo v20.0.0;; *) echo 'Error: getaddrinfo ENOTFOUND cdn' >&2; exit 1;; esac`
	shell := `mkdir -p "$ROOT/usr/lib/chromium"; echo ELF >"$F"; chmod +x "$F"`
	for name, test := range map[string]struct {
		apt      string
		withDeps bool
		root     bool
		steps    []string // from the first step that is not a search
		wantErr  string   // the remedy, empty = installed
	}{
		"without --with-deps": {root: true, wantErr: "assay install --with-deps",
			steps: []string{"Playwright's download: failed", "OS packages: skipped"}},
		"not root": {withDeps: true, wantErr: "sudo apt-get install -y chromium-headless-shell",
			steps: []string{"Playwright's download: failed", "OS packages: skipped"}},
		"packages install": {withDeps: true, root: true, apt: `case "$*" in *install*) ` + shell + `;; esac`,
			steps: []string{"Playwright's download: failed", "OS packages: installed", "system headless shell: found"}},
		"an unknown font": {withDeps: true, root: true, apt: `case "$*" in *color-emoji*) echo 'E: Unable to locate package fonts-noto-color-emoji'; exit 100;; *install*) ` + shell + `;; esac`,
			steps: []string{"Playwright's download: failed", "OS packages: missing", "OS packages: installed", "system headless shell: found"}},
		"no such browser": {withDeps: true, root: true, apt: `case "$*" in *install*) echo 'E: Unable to locate package chromium-headless-shell'; exit 100;; esac`, wantErr: "apt-get install -y chromium-headless-shell",
			steps: []string{"Playwright's download: failed", "OS packages: failed"}},
		"lists not renewed": {withDeps: true, root: true, apt: `case "$*" in *update*) exit 100;; *install*) ` + shell + `;; esac`,
			steps: []string{"Playwright's download: failed", "OS packages: failed", "OS packages: installed", "system headless shell: found"}},
	} {
		t.Run(name, func(t *testing.T) {
			m := newFakeMachine(t)
			target := m.path("root/usr/lib/chromium/chromium-headless-shell")
			m.debian("ROOT=" + m.path("root") + "; F=" + target + "; " + test.apt)
			m.env["PLAYWRIGHT_DRIVER_PATH"] = m.driver("drv")
			m.program("node", failingDownload)
			m.opts.WithDeps = test.withDeps
			in := m.installer()
			in.host.root = test.root
			drv, err := in.driver(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			info, ok, err := in.findBrowser(drv)
			if ok || err != nil {
				t.Fatalf("the fake machine has a browser: %+v, %v", info, err)
			}
			searched := len(in.steps)
			info, ok = in.fetchBrowser(t.Context(), drv)
			if diff := cmp.Diff(test.steps, steps(in.steps[searched:])); diff != "" {
				t.Errorf("steps (-want +got):\n%s", diff)
			}
			if ok != (test.wantErr == "") {
				t.Fatalf("installed: %v, %+v", ok, info)
			}
			if ok {
				if info.Path != target || info.Source != stepOSPackages || !info.HeadlessShell {
					t.Errorf("got %+v", info)
				}
				return
			}
			if !strings.Contains(in.steps[searched].Err.Error(), "ENOTFOUND cdn") {
				t.Errorf("the download's cause is lost: %v", in.steps[searched])
			}
			if _, err := in.browser(t.Context(), drv); err == nil || !strings.HasSuffix(err.Error(), "run: "+test.wantErr) {
				t.Errorf("got %v, want the remedy %q", err, test.wantErr)
			}
		})
	}
}

// A browser without its libraries is a file, not a browser: an error that names the library.
func TestBrowserDoesNotStart(t *testing.T) {
	needsShell(t)
	m := newFakeMachine(t)
	m.file("bin/chromium-headless-shell", "\x7fELF")
	broken := m.file("opt/shell", "#!/bin/sh\necho 'shell: error while loading shared libraries: libnss3.so' >&2; exit 127\n")
	in := m.installer()
	_, err := in.ensureStarts(t.Context(), BrowserInfo{Path: broken, Type: "chromium"}, DriverInfo{Dir: "/d", Node: "/n"})
	if err == nil || !strings.Contains(err.Error(), "libnss3.so") || !strings.HasSuffix(err.Error(), "install-deps chromium") {
		t.Fatalf("got %v", err)
	}
	repaired := m.file("opt/shell", "#!/bin/sh\necho Chromium 156.0.1 built on Debian\n")
	info, err := in.ensureStarts(t.Context(), BrowserInfo{Path: repaired, Type: "chromium"}, DriverInfo{})
	if err != nil || info.Version != "156.0.1" {
		t.Fatalf("got %+v, %v", info, err)
	}
}

// Locate launches no browser and downloads nothing.
func TestLocateLaunchesNothing(t *testing.T) {
	needsShell(t)
	m := newFakeMachine(t)
	m.env["PLAYWRIGHT_DRIVER_PATH"] = m.driver("drv")
	m.program("node", `case "$*" in --version) echo v20.0.0;; *) touch `+m.path("ran")+`;; esac`)
	m.program("npm", "touch "+m.path("ran"))
	m.opts.ExecutablePath = m.program("mychrome", "touch "+m.path("ran"))
	inst, err := Locate(t.Context(), m.opts)
	if err != nil {
		t.Fatal(err)
	}
	if inst.Browser.Path != m.opts.ExecutablePath {
		t.Errorf("a script of the user's own is used as it is, got %s", inst.Browser.Path)
	}
	m.opts.ExecutablePath, m.env["PLAYWRIGHT_DRIVER_PATH"] = "", ""
	if _, err := Locate(t.Context(), m.opts); err == nil {
		t.Error("nothing there, and no error")
	}
	if _, err := os.Stat(m.path("ran")); err == nil {
		t.Error("something was launched")
	}
}
