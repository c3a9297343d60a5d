package tools_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/assay-qa/assay/tools/pagehealth"
)

// credentialPage says, links to, asks for and throws addresses that hold credentials.
const credentialPage = `<!doctype html><title>T</title><h1>Fine</h1><a href="HOST/login">On</a><button onclick="location.href = 'HOST/login'">Go</button>
<script>console.log('at HOST/x'); console.error('failed: HOST/y'); fetch('HOST/z').catch(e => console.error(e.message));
new Image().src = 'HOST/i.png'; setTimeout(() => { throw new Error('no HOST/w') })</script>`

// A12: the name and the password in an address are in no answer and in no file: as an
// argument, or in what a page says, links to, asks for or throws. The site gets them.
func TestCredentialsInAddresses(t *testing.T) {
	t.Parallel()
	d := patient(t)
	d.withSecrets(nil)
	got := make(chan string, 100)
	page := ""
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, password, ok := r.BasicAuth()
		if !ok && r.URL.Path != "/" {
			w.Header().Set("WWW-Authenticate", "Basic")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		got <- name + ":" + password
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(page))
	}))
	t.Cleanup(web.Close)
	with := strings.Replace(web.URL, "http://", "http://auditor:Tr0&ub@dor-9@", 1)
	page = strings.ReplaceAll(credentialPage, "HOST", with)
	d.ok("run_start", `{"goal": "sign in at %s/login"}`, with)
	var said []string
	for _, c := range [][2]string{
		{"page_navigate", `{"url": "` + with + `/login"}`},
		{"page_snapshot", `{}`},
		{"page_get_console_logs", `{}`},
		{"page_get_network_logs", `{}`},
		{"page_click", `{"selector": "button \"Go\""}`},
		{"dom_snapshot", `{}`},
		{"page_tabs", `{"action": "list"}`},
		{"page_evaluate", `{"script": "document.querySelector('a').href"}`},
		{"verify_page_loads", `{"url": "` + with + `/login"}`},
		{"verify_user_flow", `{"start_url": "` + with + `/login", "steps": [{"action": "navigate", "url": "` + with + `/login"}, {"action": "assert", "selector": "h1", "assertion": {"type": "text_equals", "expected": "` + with + `"}, "timeout_ms": 300}]}`},
		{"verify_assertion", `{"assertion": {"type": "url_matches", "expected": "` + with + `/else"}, "timeout_ms": 1}`},
		{"analyze_console_errors", `{}`},
		{"page_navigate", `{"url": "http://auditor:Tr0&ub@dor-9@127.0.0.1:1/"}`},
		{"run_finish", `{}`},
	} {
		a := d.raw(c[0], c[1])
		said = append(said, a.text+string(mustMarshal(t, a.result)))
	}
	if _, _, err := pagehealth.CheckPage(t.Context(), d.Workspace, with+"/login", 0); err != nil {
		t.Error(err)
	}
	d.ok("browser_close", `{}`)
	said = append(said, d.files())
	for i, text := range said {
		for _, secret := range []string{"auditor", "Tr0", "dor-9"} {
			if at := strings.Index(text, secret); at >= 0 {
				t.Errorf("%d says %q: …%s…", i, secret, text[max(0, at-200):min(len(text), at+100)])
			}
		}
	}
	if signedIn := <-got; signedIn != "auditor:Tr0&ub@dor-9" {
		t.Errorf("the site got %q", signedIn)
	}
}
