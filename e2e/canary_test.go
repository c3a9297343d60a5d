package e2e_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// canaries are secrets of which nothing may be found anywhere: one from each
// kind of source, with characters that every format escapes in its own way.
func canaries() map[string]string {
	return map[string]string{
		"PIN":    `k7&"<p>%/+é'\Zq`,
		"TOKEN":  `tok-9f/Qw+Xy8==:Lm2`,
		"PHRASE": `purple horse battery`,
	}
}

// undeclared is a value like those that nobody has declared as a secret.
const undeclared = `q2&"<b>%/+è'\Yr`

// TestSecretsStayHidden is the canary test (A12, E6, Build 8): a page that
// repeats secrets wherever a page can, and no trace of them in any answer, any
// stored file or the log. A value that is not declared as a secret is the control: it is
// typed into the same page, and found.
func TestSecretsStayHidden(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	folder := t.TempDir()
	values := canaries()
	file := filepath.Join(folder, "token")
	config := filepath.Join(folder, "mcp.toml")
	for path, text := range map[string]string{
		file: values["TOKEN"] + "\n",
		config: fmt.Sprintf("schema_version = 1\n[secrets]\nPIN = \"env:CANARY_PIN\"\nTOKEN = %q\nPHRASE = %q\n",
			"file:"+file, `cmd:printf '%s\n' 'purple horse battery'`),
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	trusted(t, folder)
	w := launchWith(t, november25, t.TempDir(), []string{"-v", "--config", config}, "CANARY_PIN="+values["PIN"])
	w.greet()
	w.canaryRun()
	found := w.traces(values)
	for _, place := range sortedPlaces(found) {
		t.Errorf("%s: %s", place, strings.Join(found[place], "; "))
	}
	w.secretsElsewhereRefused()
	found = w.traces(map[string]string{"the control": undeclared})
	for _, place := range []string{"answers", "events.jsonl", "console-", "network-", "report.json", "report.html", "report.md"} {
		if !slices.ContainsFunc(sortedPlaces(found), func(p string) bool { return strings.Contains(p, place) }) {
			t.Errorf("the control is not found in %s: the test would not see a leak there", place)
		}
	}
	for _, spelling := range []string{"raw", "JSON", "query", "HTML", "base64", "hexadecimal"} {
		if !strings.Contains(fmt.Sprint(found), " as "+spelling) {
			t.Errorf("the control is not found as %s", spelling)
		}
	}
}

func sortedPlaces(found map[string][]string) []string {
	var places []string
	for place := range found {
		places = append(places, place)
	}
	slices.Sort(places)
	return places
}

// canaryRun lets a page repeat what is typed, secrets and the control, calls every tool on
// it, and ends the server.
func (w *wire) canaryRun() {
	w.t.Helper()
	site := echoSite(w.t)
	run := field[string](w, w.do("run_start", map[string]any{"goal": "secrets stay hidden", "expectations": []any{map[string]any{"text": "it echoes"}}}), "run_id")
	w.do("page_navigate", map[string]any{"url": site})
	for name, value := range canaries() {
		w.echoes(site, name, "${secret:"+name+"}", value)
	}
	w.echoes(site, "PIN", undeclared, undeclared)
	w.do("browser_close", nil)
	w.do("run_finish", map[string]any{"summary": "done"})
	for _, format := range []string{"json", "html", "md"} {
		w.read("assay://runs/" + run + "/report." + format)
	}
	for _, uri := range w.links() {
		w.read(uri)
	}
	w.hangUp()
	if code := w.exit(patience); code != 0 {
		w.t.Errorf("exit code %d", code)
	}
}

// echoes types a text into a field, and looks everywhere at what the page makes of its value.
func (w *wire) echoes(site, field, text, value string) {
	w.t.Helper()
	selector := "css=#" + strings.ToLower(field)
	w.do("page_fill", map[string]any{"selector": selector, "value": text})
	w.do("page_snapshot", nil)
	w.call("verify_assertion", map[string]any{"selector": selector, "assertion": map[string]any{"type": "value_equals", "expected": "x"}, "timeout_ms": 1})
	w.do("page_click", map[string]any{"selector": "css=#echo"})
	w.do("page_wait_for_selector", map[string]any{"selector": "css=#done"})
	if field == "PIN" || soak() { // it has every character that needs an escape
		w.lookAround()
		w.tellsWhoKnows(site, value)
	}
	w.do("page_navigate", map[string]any{"url": site})
}

// tellsWhoKnows leaves the page for addresses that hold the value, which the caller may know.
func (w *wire) tellsWhoKnows(site, value string) {
	w.t.Helper()
	w.do("page_click", map[string]any{"selector": "css=#redirect"})
	w.do("page_snapshot", nil)
	// A caller that knows the value gets it back no more than others do.
	landed := site + "/landed?v=" + url.QueryEscape(value)
	w.call("verify_page_loads", map[string]any{"url": landed, "expected_title": "x"})
	w.result(w.answer(w.beginWithProgress(fmt.Sprint("p", w.said()), "page_navigate", map[string]any{"url": landed})))
	w.do("page_screenshot", map[string]any{"name": strings.NewReplacer("é", "e", "è", "e").Replace(value)})
	w.call("assert", map[string]any{"severity": "major", "category": "security", "assertion": "hidden", "expected": "nothing", "observed": "it shows " + value, "confidence": 1})
}

// lookAround calls what reads a page, for its answers and for its errors.
func (w *wire) lookAround() {
	w.t.Helper()
	w.do("page_snapshot", map[string]any{"find": "pay"})
	w.do("page_get_console_logs", nil)
	requests := field[[]struct {
		RequestID string `json:"request_id"`
	}](w, w.do("page_get_network_logs", nil), "events")
	for _, r := range requests {
		w.call("page_get_network_logs", map[string]any{"request_id": r.RequestID})
	}
	w.do("page_evaluate", map[string]any{"script": "({cookie: document.cookie, kept: {...localStorage}, title: document.title, field: echoed, text: document.body.innerText, html: document.body.innerHTML})"})
	w.call("page_evaluate", map[string]any{"script": "() => { throw new Error('thrown ' + echoed) }"})
	w.call("page_select", map[string]any{"selector": "css=#choice", "option": "nope", "timeout_ms": 50})
	w.call("page_click", map[string]any{"selector": `button "Pay nobody"`, "timeout_ms": 50})
	w.call("page_click", map[string]any{"selector": "css=.twin", "timeout_ms": 50})
	w.call("page_hover", map[string]any{"selector": "css=.covered", "timeout_ms": 50})
	w.call("page_press", map[string]any{"selector": "css=#choice", "key": "ArrowDown"})
	w.call("verify_element_exists", map[string]any{"selector": `heading "Echo"`, "timeout_ms": 1})
	for kind, selector := range map[string]string{"text_equals": "css=#out", "attribute_equals": "css=#out", "title_equals": "", "url_matches": "", "console_clean": ""} {
		assertion := map[string]any{"type": kind}
		if kind != "console_clean" {
			assertion["expected"] = "x"
		}
		if kind == "attribute_equals" {
			assertion["attribute"] = "title"
		}
		arguments := map[string]any{"assertion": assertion, "timeout_ms": 1, "expects": []string{"E1"}}
		if selector != "" {
			arguments["selector"] = selector
		}
		w.call("verify_assertion", arguments)
	}
	w.call("analyze_console_errors", nil)
	w.do("page_screenshot", map[string]any{"full_page": true, "include_image": true})
}

// secretsElsewhereRefused asks a second server: every use of a secret but
// typing it is refused by name.
func (w *wire) secretsElsewhereRefused() {
	w.t.Helper()
	other := attach(w.t, july26)
	for tool, arguments := range map[string]map[string]any{
		"page_navigate":    {"url": "http://127.0.0.1/?x=${secret:PIN}"},
		"page_press":       {"key": "${secret:PIN}"},
		"page_select":      {"selector": "css=select", "option": "${secret:PIN}"},
		"page_evaluate":    {"script": "f()", "arg": map[string]any{"x": []any{"${secret:PIN}"}}},
		"page_snapshot":    {"find": "${secret:PIN}"},
		"verify_assertion": {"selector": "css=p", "assertion": map[string]any{"type": "text_contains", "expected": "${secret:PIN}"}},
		"run_start":        {"goal": "${secret:PIN}"},
	} {
		a := other.call(tool, arguments)
		other.fails(a, "INVALID_INPUT")
		if !strings.Contains(a.envelope.Error.Message, "holds a secret") || !strings.Contains(a.envelope.Error.Hint, "page_fill") {
			w.t.Errorf("%s: %+v", tool, a.envelope.Error)
		}
	}
	a := other.call("page_fill", map[string]any{"selector": "css=#pin", "value": "${secret:PIN}"})
	if other.fails(a, "INVALID_INPUT"); !strings.Contains(a.envelope.Error.Message, "no [secrets] configured") {
		w.t.Errorf("%+v", a.envelope.Error)
	}
}

// traces looks for values in all that the server has said and left.
func (w *wire) traces(values map[string]string) map[string][]string {
	w.t.Helper()
	found := map[string][]string{}
	look := func(place string, data []byte) {
		if leaks := leaksIn(data, values); len(leaks) > 0 {
			found[place] = leaks
		}
	}
	look("answers", w.transcript())
	for _, root := range []string{w.data, w.temp, w.stderr} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			look(path, data)
			look("the name "+entry.Name(), []byte(entry.Name()))
			return err
		})
		if err != nil {
			w.t.Error(err)
		}
	}
	return found
}

// leaksIn lists the values in data and how they are spelt.
func leaksIn(data []byte, values map[string]string) (leaks []string) {
	for name, value := range values {
		for spelling, text := range spellings(value) {
			if i := bytes.Index(data, []byte(text)); i >= 0 {
				leaks = append(leaks, fmt.Sprintf("%s as %s in %q", name, spelling, data[max(0, i-80):min(len(data), i+len(text)+20)]))
			}
		}
	}
	slices.Sort(leaks)
	return leaks
}

// spellings of a value, as encoders outside of the product write them.
func spellings(value string) map[string]string {
	asJSON := func(s string) string {
		quoted, _ := json.Marshal(s)
		return string(quoted[1 : len(quoted)-1])
	}
	var plain bytes.Buffer
	e := json.NewEncoder(&plain)
	e.SetEscapeHTML(false)
	_ = e.Encode(value)
	plainJSON := strings.TrimSpace(plain.String())
	plainJSON = plainJSON[1 : len(plainJSON)-1]
	return map[string]string{
		"raw": value, "JSON": asJSON(value), "JSON without HTML escapes": plainJSON, "JSON in JSON": asJSON(plainJSON),
		"query": url.QueryEscape(value), "component": strings.ReplaceAll(url.QueryEscape(value), "+", "%20"), "path": url.PathEscape(value),
		"HTML": html.EscapeString(value), "HTML in JSON": asJSON(html.EscapeString(value)),
		"base64": base64.RawStdEncoding.EncodeToString([]byte(value)), "base64url": base64.RawURLEncoding.EncodeToString([]byte(value)),
		"hexadecimal": hex.EncodeToString([]byte(value)),
	}
}

// echoSite repeats what is typed into it in every place that a page has.
func echoSite(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(rw, echoPage)
	})
	mux.HandleFunc("/api", func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		rw.Header().Set("X-Echo", r.Header.Get("X-Echo"))
		rw.WriteHeader(http.StatusTeapot)
		_, _ = rw.Write(body)
	})
	mux.HandleFunc("/redirect", func(rw http.ResponseWriter, r *http.Request) {
		http.Redirect(rw, r, "/landed?v="+url.QueryEscape(r.FormValue("v")), http.StatusFound)
	})
	mux.HandleFunc("/landed", func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Content-Type", "text/html; charset=utf-8")
		v := html.EscapeString(r.FormValue("v"))
		fmt.Fprintf(rw, `<!doctype html><title>%s</title><h1>%s</h1><img alt="%s" src="/missing?%s">`, v, v, v, url.PathEscape(r.FormValue("v")))
	})
	site := httptest.NewServer(mux)
	t.Cleanup(func() {
		site.CloseClientConnections()
		site.Close()
	})
	return site.URL
}

const echoPage = `<!doctype html><title>Echo</title><h1>Echo</h1>
<label>Pin <input id=pin></label><label>Token <input id=token type=password></label><label>Phrase <textarea id=phrase></textarea></label>
<button id=echo>Echo</button><a id=redirect href="/redirect">Redirect</a><p id=out></p><select id=choice></select><div id=more></div>
<script>
let echoed = '';
for (const field of document.querySelectorAll('input, textarea')) field.addEventListener('input', () => { echoed = field.value });
document.getElementById('echo').addEventListener('click', async () => {
	const v = echoed, bytes = new TextEncoder().encode(v), binary = String.fromCharCode(...bytes);
	const hex = [...bytes].map((b) => b.toString(16).padStart(2, '0')).join('');
	document.title = v;
	out.textContent = v;
	out.title = v;
	choice.add(new Option(v, v));
	more.innerHTML = '<button class=twin></button><button class=twin></button><button class=covered>under</button>';
	for (const b of document.querySelectorAll('.twin')) b.textContent = 'Pay ' + v;
	document.querySelector('.covered').style.pointerEvents = 'none';
	console.log('raw', v);
	console.error(JSON.stringify({ v: JSON.stringify({ v }) }));
	console.warn(btoa(binary), hex, encodeURIComponent(v), '<b>' + out.innerHTML);
	document.cookie = 'v=' + encodeURIComponent(v);
	localStorage.setItem(v, v);
	history.pushState(null, '', '/?q=' + encodeURIComponent(v) + '#' + v);
	redirect.href = '/redirect?v=' + encodeURIComponent(v);
	setTimeout(() => { throw new Error('uncaught ' + v) });
	alert('is it ' + v + '?');
	const a = document.createElement('a');
	a.download = v + '.txt';
	a.href = URL.createObjectURL(new Blob([v]));
	a.click();
	await fetch('/api?q=' + encodeURIComponent(v), { method: 'POST', headers: { 'X-Echo': encodeURIComponent(v), 'X-Basic': btoa('user:' + binary) }, body: JSON.stringify({ note: v, form: new URLSearchParams({ v }).toString() }) });
	const done = document.createElement('p');
	done.id = 'done';
	done.textContent = 'done with ' + v;
	document.body.append(done);
});
</script>`
