package tools_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/wait"
)

// announcing is a page whose button announces in a way that its query names.
const announcing = `<!doctype html><title>Orders</title><h1>Orders</h1><p id=note role=status></p><output id=out></output><div id=region aria-live=polite></div><p id=plain></p><button>Save</button><script>
const say = (el, text, ms, then) => { el.textContent = text; if (ms) setTimeout(() => { el.textContent = then || '' }, ms) }
const toast = (text, ms, style, role) => {
	const el = document.createElement('div')
	el.className = 'snack'
	if (role) el.setAttribute('role', role)
	el.style.cssText = style || 'position: fixed; right: 8px; bottom: 8px; background: #333; color: #fff; padding: 8px'
	el.innerHTML = '<span>✓</span> <b>' + text + '</b>'
	document.body.append(el)
	if (ms) setTimeout(() => el.remove(), ms)
}
const faded = 'position: fixed; top: 8px; right: 8px; opacity: 0; transition: opacity .3s'
const ways = {
	status: () => say(note, 'Order saved', 1500), output: () => say(out, 'Order saved', 1500), region: () => say(region, 'Order saved', 1500),
	toast: () => toast('Order saved', 1500), alert: () => toast('Order saved', 1500, 'margin: 0', 'alert'),
	fades: () => { toast('Order saved', 0, faded); const el = document.querySelector('.snack'); setTimeout(() => el.style.opacity = 1, 50); setTimeout(() => el.style.opacity = 0, 1500); setTimeout(() => el.remove(), 1900) },
	plain: () => say(plain, 'Order saved', 1500),
	replaced: () => say(note, 'Order saved', 1500, 'Order not saved'),
	refused: () => { toast('Order saved', 1200); setTimeout(() => toast('It could not be stored', 0, '', 'alert'), 1300) },
	late: () => say(note, 'Order saved', 3000, 'Order not saved'),
	slept: async () => { plain.textContent = 'Order saved'; await new Promise(r => setTimeout(r, 1500)); plain.textContent = 'Order lost' },
	ticks: () => { plain.textContent = 'Order saved'; let n = 0; const tick = () => setTimeout(() => { out.textContent = ++n; tick() }, 600); tick(); setInterval(() => {}, 500); setTimeout(() => { note.textContent = 'Signed out' }, 900000) },
	follows: () => say(plain, 'Processing', 2500, 'Order filed'), undone: () => say(plain, 'Processing', 2500, 'Order refused'),
	anew: () => { plain.innerHTML = '<div>Processing</div>'; setTimeout(() => { plain.innerHTML = '<h2>Order filed</h2>' }, 2500) },
	brief: () => toast('Order saved', 400), unseen: () => toast('Order saved', 900, 'position: fixed; left: -900px'),
	white: () => toast('Order saved', 900, 'position: fixed; top: 0; color: #fff; background: #fff'), nothing: () => {}, stays: () => say(plain, 'Order saved'),
}
document.querySelector('button').onclick = () => { document.querySelectorAll('.snack').forEach(el => el.remove()); ways[location.hash.slice(1)]() }
</script>`

// Issue 29, item 6: an announcement that was seen and went away by itself has held; what
// was taken back has not. What was seen since the last act can be asserted afterwards.
func TestAnnouncementsMayGo(t *testing.T) {
	t.Parallel()
	d := patient(t)
	d.Watch = wait.Standard().Watch
	url := site(t, map[string]string{"/": announcing}) + "/"
	const text, whole, seen = `{"assertion": {"type": "text_contains", "expected": "Order saved"}}`, `{"selector": "css=.snack b", "assertion": {"type": "visible"}}`, `{"assertion": {"type": "shown", "expected": "Order saved"}}`
	for i, tt := range []struct{ way, check, want string }{
		{"status", text, "passed"}, {"output", text, "passed"}, {"region", text, "passed"}, {"toast", text, "passed"}, {"alert", text, "passed"}, {"fades", text, "passed"},
		{"toast", whole, "passed"}, {"plain", text, "failed"}, {"replaced", text, "failed"}, {"refused", text, "failed"},
		{"brief", seen, "passed"}, {"plain", seen, "passed"}, {"unseen", seen, "failed"}, {"white", seen, "failed"}, {"nothing", seen, "failed"},
	} {
		if !sampled(i, 3) {
			continue
		}
		d.ok("run_start", `{"goal": "an order is saved"}`)
		d.ok("page_navigate", `{"url": %q}`, url+"#"+tt.way)
		d.ok("page_click", `{"selector": "button \"Save\""}`)
		if tt.check == seen {
			d.ok("page_wait_for_selector", `{"selector": "css=.snack", "state": "detached"}`)
		}
		d.call("verify_assertion", "%s", strings.Replace(tt.check, "{", `{"timeout_ms": 700, `, 1))
		if tt.check != seen { // it is gone by then
			d.ok("page_wait_for_selector", `{"selector": "text=Order saved", "state": "hidden"}`)
		}
		if a := d.ok("run_finish", `{}`); a.Data["status"] != tt.want {
			t.Errorf("%s, %s: %v, want %s: %s", tt.way, tt.check, a.Data["status"], tt.want, a.text)
		}
	}
	flow := `{"start_url": %q, "steps": [{"action": "click", "selector": "button \"Save\""}, {"action": "assert", "assertion": {"type": "text_contains", "expected": "Order saved"}}, {"action": "wait", "value": "2000"}]}`
	for way, want := range map[string]string{"toast": "passed", "replaced": "failed"} {
		if a := d.ok("verify_user_flow", flow, url+"#"+way); a.Data["status"] != want {
			t.Errorf("a flow, %s: %s", way, a.text)
		}
	}
	// What a timer that the act has set takes back in a while does not hold: it is looked at again then.
	for _, tt := range []struct {
		way, wanted string
		holds       bool
	}{{"late", "Order saved", false}, {"slept", "Order saved", false}, {"ticks", "Order saved", true}} {
		d.ok("page_navigate", `{"url": %q}`, url+"#"+tt.way)
		d.ok("page_click", `{"selector": "button \"Save\""}`)
		if a := d.ok("verify_assertion", `{"timeout_ms": 300, "assertion": {"type": "text_contains", "expected": %q}}`, tt.wanted); a.Data["passed"] != tt.holds || strings.Contains(a.text, "a timer ran") == tt.holds {
			t.Errorf("%s: want %v: %s", tt.way, tt.holds, a.text)
		}
	}
	// A state that what is asserted after it has followed is none that was taken back.
	follows := `{"start_url": %q, "steps": [{"action": "click", "selector": "button \"Save\""}, {"action": "assert", "assertion": {"type": "text_contains", "expected": "Processing"}}, {"action": "assert", %s}]}`
	for _, tt := range []struct{ way, then, want string }{
		{"follows", `"assertion": {"type": "text_contains", "expected": "Order filed"}`, "passed"}, {"anew", `"assertion": {"type": "text_contains", "expected": "Order filed"}`, "passed"},
		{"follows", `"selector": "heading \"Orders\"", "assertion": {"type": "visible"}`, "failed"}, {"undone", `"assertion": {"type": "text_contains", "expected": "Orders"}`, "failed"},
	} {
		if a := d.ok("verify_user_flow", follows, url+"#"+tt.way, tt.then); a.Data["status"] != tt.want {
			t.Errorf("a flow, %s, %s: %s", tt.way, tt.then, a.text)
		}
	}
}

// Issue 29, item 6: what held is looked at again before an act makes that impossible, if
// anything has changed since.
func TestWhatAnActHidesIsLookedAtBefore(t *testing.T) {
	t.Parallel()
	d := patient(t)
	d.Watch = wait.Standard().Watch
	url := site(t, map[string]string{"/": announcing, "/next": `<title>Next</title><h1>Next</h1>`}) + "/"
	leave := `page_navigate {"url": "` + url + `next"}`
	for _, tt := range []struct{ way, act, want string }{
		{"replaced", leave, "failed"}, {"plain", `page_click {"selector": "button \"Save\""}`, "failed"}, {"replaced", `browser_close {"session_id": "%s"}`, "failed"},
		{"toast", leave, "passed"}, {"stays", leave, "passed"},
	} {
		d.ok("run_start", `{"goal": "an order is saved"}`)
		d.ok("page_navigate", `{"url": %q}`, url+"#"+tt.way)
		d.ok("page_click", `{"selector": "button \"Save\""}`)
		d.ok("verify_assertion", `{"assertion": {"type": "text_contains", "expected": "Order saved"}}`)
		if tt.way != "stays" {
			d.ok("page_wait_for_selector", `{"selector": "text=Order saved", "state": "hidden"}`)
		}
		tool, args, _ := strings.Cut(tt.act, " ")
		d.ok(tool, "%s", strings.Replace(args, "%s", d.session(), 1))
		if a := d.ok("run_finish", `{}`); a.Data["status"] != tt.want {
			t.Errorf("%s, then %s: %v, want %s: %s", tt.way, tool, a.Data["status"], tt.want, a.text)
		}
	}
}
