package e2e_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// foreignVariables change what the binding to the driver, the driver, its Node, the
// browser or Go's own programs do: some write to stdout, some stop the driver or a page.
func foreignVariables() []string {
	return []string{
		"DEBUGP=1", "PLAYWRIGHT_CLI_PATH=/nowhere/cli.js", "PLAYWRIGHT_GO_NPM_REGISTRY=http://127.0.0.1:9", "NODE_MIRROR=http://127.0.0.1:9",
		"PWDEBUG=1", "PWDEBUGIMPL=1", "DEBUG=*", "PW_LANG_NAME=python", "PW_CHROMIUM_ATTACH_TO_OTHER=1", "PW_INSTRUMENT_MODULES=1", "PWTEST_UNDER_TEST=1",
		"PLAYWRIGHT_SKIP_NAVIGATION_CHECK=1", "PLAYWRIGHT_LEGACY_SCREENSHOT=1", "PLAYWRIGHT_PROXY_BYPASS_FOR_TESTING=*", "SELENIUM_REMOTE_URL=http://127.0.0.1:9", "npm_config_playwright_browsers_path=/nowhere",
		"NODE_OPTIONS=--require=/nowhere/module.js", "NODE_PATH=/nowhere", "NODE_DEBUG=net,http,child_process", "NODE_DEBUG_NATIVE=http2", "NODE_ENV=test", "NODE_REDIRECT_WARNINGS=/nowhere/warnings", "NODE_TLS_REJECT_UNAUTHORIZED=0",
		"NODE_V8_COVERAGE=/nowhere", "NODE_ICU_DATA=/nowhere", "UV_THREADPOOL_SIZE=1", "OPENSSL_CONF=/nowhere/openssl.cnf", "SSLKEYLOGFILE=/nowhere/keys", "LD_PRELOAD=/nowhere/library.so",
		"CHROME_LOG_FILE=/nowhere/log", "CHROME_HEADLESS=1", "GODEBUG=inittrace=1", "GOTRACEBACK=all", "GOGC=50", "FORCE_COLOR=3",
	}
}

// With every variable set that makes a library talk, a server's stdout has the protocol
// alone, its log has no secret, and its pages are what they are without them. The stdout of a
// command that starts node and the browser has its answer alone.
func TestForeignVariables(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	secret := canaries()["PHRASE"]
	config := filepath.Join(t.TempDir(), "mcp.toml")
	writeFile(t, config, []byte("schema_version = 1\n[secrets]\nPHRASE = \"cmd:printenv PERSONS_OWN\"\n"))
	trusted(t, filepath.Dir(config))
	w := launchWith(t, november25, t.TempDir(), []string{"-v", "--config", config}, append(foreignVariables(), "PERSONS_OWN="+secret)...)
	w.greet()
	if out, said, code := commandWith(t, t.TempDir(), foreignVariables(), "doctor", "--json"); code != 0 || !json.Valid([]byte(out)) {
		t.Errorf("exit code %d, want 0 and one JSON document: %s\n%s", code, out, said)
	}
	site := badSite(t)
	w.do("page_navigate", map[string]any{"url": site + "/ok"})
	w.do("page_fill", map[string]any{"selector": `textbox "Name"`, "value": "${secret:PHRASE}"})
	w.do("page_click", map[string]any{"selector": `button "Press"`})
	w.mu.Lock()
	heard := slices.Clone(w.heard)
	w.mu.Unlock()
	for _, m := range heard {
		if m.problem != nil || !strings.HasPrefix(string(m.line), `{"jsonrpc":"2.0"`) {
			t.Errorf("a foreign line on stdout: %s", brief(m.line))
		}
	}
	log := slurp(t, w.stderr)
	for _, foreign := range []string{secret, "SEND>", "RECV>"} {
		if strings.Contains(log, foreign) || strings.Contains(string(w.transcript()), foreign) {
			t.Errorf("what the server said holds %q", foreign)
		}
	}
	for _, name := range []string{"PWDEBUG", "NODE_OPTIONS", "DEBUGP"} {
		if !strings.Contains(log, name) {
			t.Errorf("the log does not say that %s is left out: %s", name, log)
		}
	}
}
