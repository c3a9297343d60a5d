package driver

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Each variable that the binding (its os.Getenv), the driver (its process.env), Node
// (node --help, and its documentation) or Go's own programs read to behave differently, and
// whether driver and browser get it.
func behaviours() map[string][]string {
	return map[string][]string{
		"binding": {"DEBUGP", "PLAYWRIGHT_DRIVER_PATH", "PLAYWRIGHT_CLI_PATH", "PLAYWRIGHT_GO_NPM_REGISTRY", "NODE_MIRROR"},
		"driver": {"PWDEBUG", "PWDEBUGIMPL", "DEBUG", "DEBUG_FILE", "MAX_LOG_LENGTH", "LOG_STREAM", "LOG_TOKENS", "PW_LANG_NAME", "PW_LANG_NAME_VERSION", "PW_INSTRUMENT_MODULES", "PW_VERSION_OVERRIDE",
			"PW_CODEGEN_NO_INSPECTOR", "PW_CHROMIUM_ATTACH_TO_OTHER", "PW_TEST_SCREENSHOT_NO_FONTS_READY", "PWTEST_UNDER_TEST", "PWTEST_PROFILE_DIR", "PWTEST_SERVER_REGISTRY", "PLAYWRIGHT_LEGACY_SCREENSHOT",
			"PLAYWRIGHT_HOST_PLATFORM_OVERRIDE", "PLAYWRIGHT_SKIP_NAVIGATION_CHECK", "PLAYWRIGHT_SKIP_BROWSER_GC", "PLAYWRIGHT_SKIP_VALIDATE_HOST_REQUIREMENTS", "PLAYWRIGHT_TRACING_NO_WEBSOCKET_FRAMES", "PLAYWRIGHT_HAR_NO_WEBSOCKET_FRAMES",
			"PLAYWRIGHT_DISABLE_SERVICE_WORKER_NETWORK", "PLAYWRIGHT_DISABLE_SERVICE_WORKER_CONSOLE", "PLAYWRIGHT_DISABLE_FORCED_CHROMIUM_PROXIED_LOOPBACK", "PLAYWRIGHT_PROXY_BYPASS_FOR_TESTING", "PLAYWRIGHT_TEST",
			"SELENIUM_REMOTE_URL", "SELENIUM_REMOTE_HEADERS", "SELENIUM_REMOTE_CAPABILITIES", "WK_DISABLE_FRAME_SESSIONS", "FORCE_COLOR", "CI", "GITHUB_ACTIONS", "TERM_PROGRAM", "INIT_CWD", "WS_NO_BUFFER_UTIL"},
		"node": {"NODE_OPTIONS", "NODE_PATH", "NODE_DEBUG", "NODE_DEBUG_NATIVE", "NODE_ENV", "NODE_ICU_DATA", "NODE_PRESERVE_SYMLINKS", "NODE_PRESERVE_SYMLINKS_MAIN", "NODE_REDIRECT_WARNINGS", "NODE_NO_WARNINGS",
			"NODE_PENDING_DEPRECATION", "NODE_PENDING_PIPE_INSTANCES", "NODE_REPL_EXTERNAL_MODULE", "NODE_SKIP_PLATFORM_CHECK", "NODE_TLS_REJECT_UNAUTHORIZED", "NODE_USE_ENV_PROXY", "NODE_V8_COVERAGE", "NODE_COMPILE_CACHE",
			"NODE_CHANNEL_FD", "NODE_UNIQUE_ID", "NO_COLOR", "UV_THREADPOOL_SIZE", "UV_USE_IO_URING", "OPENSSL_CONF", "SSLKEYLOGFILE"},
		"go":      {"GODEBUG", "GOTRACEBACK", "GOGC", "GOMEMLIMIT", "GOMAXPROCS", "GOCOVERDIR", "GORACE"},
		"browser": {"CHROME_DEVEL_SANDBOX", "CHROME_HEADLESS", "CHROME_LOG_FILE", "CHROME_WRAPPER", "MOZ_LOG", "MOZ_HEADLESS", "WEBKIT_DEBUG", "GOOGLE_API_KEY", "GOOGLE_DEFAULT_CLIENT_ID"},
		"loader":  {"LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES"},
		"person":  {"ASSAY_PASSWORD", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "OPENAI_API_KEY"},
	}
}

// toldOf are those that a person who set them must be told of: they were set for the driver.
func toldOf() []string {
	return []string{"DEBUGP", "PWDEBUG", "DEBUG", "NODE_OPTIONS", "NODE_PATH", "PW_LANG_NAME", "PWTEST_UNDER_TEST", "SELENIUM_REMOTE_URL", "NODE_TLS_REJECT_UNAUTHORIZED", "PLAYWRIGHT_CLI_PATH", "SSLKEYLOGFILE", "LD_PRELOAD"}
}

// Nothing that changes what driver and browser do passes, on no system and in no spelling
// that the system takes for the same.
func TestEnvironmentLeavesOut(t *testing.T) {
	for _, goos := range []string{"linux", "darwin", "windows"} {
		for from, variables := range behaviours() {
			for _, name := range variables {
				spellings := []string{name}
				if goos == "windows" {
					spellings = append(spellings, strings.ToLower(name))
				}
				for _, spelling := range spellings {
					if kept, _ := Environment([]string{spelling + "=1"}, goos); len(kept) > 0 {
						t.Errorf("%s: %s of %s reaches the driver: %v", goos, spelling, from, kept)
					}
				}
			}
		}
		for _, name := range toldOf() {
			if _, leftOut := Environment([]string{name + "=1"}, goos); !slices.Contains(leftOut, name) {
				t.Errorf("%s: nobody is told that %s is left out", goos, name)
			}
		}
	}
}

// What a machine needs passes as it is, each with a reason, and says nothing.
func TestEnvironmentKeeps(t *testing.T) {
	for _, v := range passed() {
		if v.why == "" {
			t.Errorf("%s has no reason", v.name)
		}
		name := strings.Replace(v.name, "*", "X", 1)
		kept, leftOut := Environment([]string{name + "=a=b c"}, "linux")
		if !slices.Equal(kept, []string{name + "=a=b c"}) || len(leftOut) > 0 {
			t.Errorf("%s: kept %q, left out %q", name, kept, leftOut)
		}
	}
	if kept, _ := Environment([]string{"Path=C:\\bin", "=C:=C:\\"}, "windows"); !slices.Equal(kept, []string{`Path=C:\bin`}) {
		t.Errorf("Windows: %q", kept)
	}
	if kept, _ := Environment([]string{"path=/bin", "Path=/bin"}, "linux"); len(kept) > 0 {
		t.Errorf("names differ by case on Linux: %q", kept)
	}
	if _, leftOut := Environment([]string{"PWD=/", "NODE_VERSION=24", "LESS=-R", "PLAYWRIGHT_DRIVER_PATH=/d", "PLAYWRIGHT_DOWNLOAD_HOST=h"}, "linux"); len(leftOut) > 0 {
		t.Errorf("told of %v, which nobody set for the driver or which counts", leftOut)
	}
}

// reviewed are the variables that the installed driver reads and gets: each was looked at.
func reviewed() []string {
	return []string{"PATH", "DISPLAY", "USER", "USERNAME", "LOCALAPPDATA", "HOMEDRIVE", "XDG_CACHE_HOME", "LD_LIBRARY_PATH", "PROGRAMFILES", "PROGRAMFILES(X86)", "PATHEXT", "SystemRoot", "SYSTEMROOT", "comspec",
		"PLAYWRIGHT_BROWSERS_PATH", "HOME", "APPDATA", "TMPDIR", "TEMP", "TMP", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "SystemDrive", "USERPROFILE"}
}

// The driver of a later version may read what this one doesn't: a variable that it gets
// and that nobody has looked at fails here.
func TestEnvironmentOfInstalledDriver(t *testing.T) {
	inst := locateForTest(t)
	reads := regexp.MustCompile(`process\.env\.([A-Za-z_][A-Za-z0-9_]*)|process\.env\["([^"]+)"\]|FromENV\("([A-Za-z_]+)"`)
	files, err := filepath.Glob(filepath.Join(inst.Driver.Dir, "package", "lib", "*.js"))
	if err != nil || len(files) == 0 {
		t.Fatalf("the driver has no script: %v", err)
	}
	var found int
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range reads.FindAllStringSubmatch(string(source), -1) {
			name := match[1] + match[2] + match[3]
			found++
			for _, goos := range []string{"linux", "windows"} {
				if kept, _ := Environment([]string{name + "=1"}, goos); len(kept) > 0 && !slices.Contains(reviewed(), name) {
					t.Errorf("%s: %s reads %s and gets it: see what it does, and add it to reviewed or take it out of passed", goos, filepath.Base(file), name)
				}
			}
		}
	}
	if found < 50 {
		t.Errorf("only %d variables found in the driver: does it read them in another way now?", found)
	}
}
