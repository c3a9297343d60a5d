package browser

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/assay-qa/assay/browser/explain"
)

// vault is an app that keeps its sign-in in IndexedDB, as Firebase does, and all
// that IndexedDB can hold beside it.
const vault = `<!doctype html><title>Vault</title><script>
const done = (r) => new Promise((yes, no) => { r.onsuccess = () => yes(r.result); r.onerror = () => no(r.error) });
const open = async () => {
	const o = indexedDB.open('firebaseLocalStorageDb', 3);
	o.onupgradeneeded = () => {
		o.result.createObjectStore('firebaseLocalStorage', { keyPath: 'fbase_key' });
		const s = o.result.createObjectStore('odd', { autoIncrement: true });
		s.createIndex('by', ['a', 'b'], { unique: true });
		o.result.createObjectStore('keys');
	};
	return done(o);
};
window.fill = async () => {
	const db = await open();
	const all = db.transaction(['firebaseLocalStorage', 'odd', 'keys'], 'readwrite');
	all.objectStore('firebaseLocalStorage').put({ fbase_key: 'user', value: { token: 'Tk-1', since: new Date(1e12) } });
	const circle = { a: 1, b: 2, nothing: undefined, zero: -0, nan: NaN, big: 2n ** 70n, re: /x\/y/gi, bytes: new Uint8Array([0, 255, 7]), words: new Float64Array([1.5]),
		map: new Map([['k', new Set([1, 'two'])]]), buffer: new Uint8Array([1, 2]).buffer, holes: [1, null, undefined], proto: JSON.parse('{"__proto__": 5}') };
	circle.self = circle;
	all.objectStore('odd').put(circle);
	all.objectStore('keys').put(0, new Date(5)); all.objectStore('keys').put(null, [1, 'x']); all.objectStore('keys').put(false, 'false');
	await new Promise((yes) => { all.oncomplete = yes });
	db.close();
	localStorage.setItem('theme', 'dark');
	document.cookie = 'sid=Ck-1; max-age=1000';
};
window.hide = async () => {
	const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt']);
	const db = await open();
	await done(db.transaction('keys', 'readwrite').objectStore('keys').put(key, 'secret'));
	db.close();
};
window.tell = async () => {
	const db = await open();
	const all = db.transaction(['firebaseLocalStorage', 'odd', 'keys']);
	const user = await done(all.objectStore('firebaseLocalStorage').get('user'));
	const c = await done(all.objectStore('odd').get(1)), odd = all.objectStore('odd'), keys = all.objectStore('keys');
	const told = { cookie: document.cookie, theme: localStorage.getItem('theme'), version: db.version, token: user && user.value.token, since: user && +user.value.since,
		index: odd.indexNames[0] && [odd.index('by').keyPath, odd.index('by').unique], auto: odd.autoIncrement,
		odd: c && [c.self === c, 'nothing' in c && c.nothing === undefined, Object.is(c.zero, -0), Number.isNaN(c.nan), String(c.big), String(c.re), [...c.bytes], c.words instanceof Float64Array && c.words[0],
			[...c.map.get('k')], c.buffer.byteLength, c.holes.length, 2 in c.holes, Object.hasOwn(c.proto, '__proto__')],
		keys: [await done(keys.get(new Date(5))), await done(keys.get([1, 'x'])), await done(keys.get('false'))], };
	db.close();
	return told;
};
</script>`

func vaultSite(t *testing.T) string {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, vault)
	}))
	t.Cleanup(site.Close)
	return site.URL
}

func vaultTells(t *testing.T, s *Session) string {
	t.Helper()
	result, _, err := s.Evaluate(t.Context(), "tell()", nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(result)
}

// A storage state carries cookies, local storage and IndexedDB with all that
// structured clones hold into another session (A2), also into one that is open;
// no request leaves for it, and the page can still upgrade its databases.
func TestStorageStateCarriesIndexedDB(t *testing.T) {
	t.Parallel()
	pool, site := poolOf(t), vaultSite(t)
	a := launch(t, pool, LaunchOptions{})
	if _, err := a.Navigate(t.Context(), site, "", 0); err != nil {
		t.Fatal(err)
	}
	if _, _, err := a.Evaluate(t.Context(), "fill()", nil); err != nil {
		t.Fatal(err)
	}
	want := vaultTells(t, a)
	for _, part := range []string{`"token":"Tk-1"`, `"1180591620717411303424"`, `"cookie":"sid=Ck-1"`, `[[["a","b"],true]`[1:], `"keys":[0,null,false]`} {
		if !strings.Contains(want, part) {
			t.Fatalf("the app itself does not say %s: %s", part, want)
		}
	}
	state, lost, err := a.StorageState(t.Context())
	if err != nil || len(lost) > 0 {
		t.Fatal(lost, err)
	}
	if gone, _, err := a.Evaluate(t.Context(), `new Promise((yes) => { const r = indexedDB.deleteDatabase('firebaseLocalStorageDb'); r.onsuccess = () => yes('deleted'); r.onblocked = () => yes('blocked') })`, nil); err != nil || string(gone) != `"deleted"` {
		t.Errorf("the page's own delete: %s, %v", gone, err)
	}

	b := launch(t, pool, LaunchOptions{State: state})
	if n := b.Network("", 0, b.pool.Now().Add(-1e12), 10); len(n.Events) > 0 {
		t.Errorf("restoring shows in the network log: %+v", n.Events)
	}
	c := launch(t, pool, LaunchOptions{})
	if _, err := c.Navigate(t.Context(), site, "", 0); err != nil {
		t.Fatal(err)
	}
	if err := c.Adopt(t.Context(), state); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]*Session{"launched with it": b, "adopted": c} {
		if _, err := s.Navigate(t.Context(), site, "", 0); err != nil {
			t.Fatal(err)
		}
		if got := vaultTells(t, s); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
	again, _, err := b.StorageState(t.Context())
	if err != nil || !bytes.Equal(again, state) {
		t.Errorf("a state of the state is another one: %v\n%s\n%s", err, again, state)
	}
}

// A session that loses its browser has its databases again, too (B3).
func TestStorageStateOutlivesTheBrowser(t *testing.T) {
	t.Parallel()
	pool, site := poolToBreak(t, nil), vaultSite(t)
	a := launch(t, pool, LaunchOptions{})
	if _, err := a.Navigate(t.Context(), site, "", 0); err != nil {
		t.Fatal(err)
	}
	if _, _, err := a.Evaluate(t.Context(), "fill()", nil); err != nil {
		t.Fatal(err)
	}
	want := vaultTells(t, a)
	if _, _, err := a.StorageState(t.Context()); err != nil {
		t.Fatal(err)
	}
	go func() { _ = a.current().context.process.Close() }()
	<-a.current().context.gone
	for { // the first calls are told of the loss
		if _, err := a.Navigate(t.Context(), site, "", 0); err == nil {
			break
		} else if e := (*explain.Error)(nil); !errors.As(err, &e) || !e.Retriable {
			t.Fatal(err)
		}
	}
	if got := vaultTells(t, a); got != want {
		t.Errorf("after the loss:\n%s\nwant\n%s", got, want)
	}
}

// What no script can read is named, and the rest is kept.
func TestStorageStateTellsWhatIsLost(t *testing.T) {
	t.Parallel()
	s := launch(t, poolOf(t), LaunchOptions{})
	if _, err := s.Navigate(t.Context(), vaultSite(t), "", 0); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Evaluate(t.Context(), "fill().then(hide)", nil); err != nil {
		t.Fatal(err)
	}
	state, lost, err := s.StorageState(t.Context())
	if err != nil || len(lost) != 1 || !strings.Contains(lost[0], "firebaseLocalStorageDb/keys: CryptoKey (1 records)") {
		t.Errorf("lost %q, %v", lost, err)
	}
	if !bytes.Contains(state, []byte("Tk-1")) {
		t.Error("the rest is lost, too")
	}
}

func TestStorageStateRefused(t *testing.T) {
	t.Parallel()
	pool := poolOf(t)
	for state, want := range map[string]string{
		`{}`:                                     "neither cookies nor origins",
		`[]`:                                     "no JSON object",
		"assay-auth v1 x\nAAAA":                  "it is sealed",
		`{"cookies":[{"name":1}]}`:               "cannot unmarshal",
		`{"cookies":[{"name":"a","value":"b"}]}`: "assay login",
		`{"origins":[{"origin":"http://127.0.0.1:1","localStorage":[],"indexedDB":[{"name":"x","version":1,"stores":7}]}]}`: "assay login",
	} {
		s, err := pool.Launch(context.Background(), LaunchOptions{State: []byte(state)})
		var e *explain.Error
		if !errors.As(err, &e) || e.Code != explain.InvalidInput || !strings.Contains(string(e.Message.Text())+e.Hint, want) || s != nil {
			t.Errorf("%s: %v", state, err)
		}
	}
}

// The trace of a session goes on, whole, when it adopts another state.
func TestAdoptKeepsTheTrace(t *testing.T) {
	t.Parallel()
	s, site := launch(t, poolOf(t), LaunchOptions{}), vaultSite(t)
	if err := s.StartTrace(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := s.Navigate(t.Context(), site, "", 0); err != nil {
			t.Fatal(err)
		}
		if err := s.Adopt(t.Context(), []byte(`{"cookies":[],"origins":[]}`)); err != nil {
			t.Fatal(err)
		}
	}
	trace, err := s.StopTrace(t.Context())
	if err != nil || len(trace.Parts) != 3 || len(trace.Notes) > 0 {
		t.Errorf("%d parts, notes %q, %v", len(trace.Parts), trace.Notes, err)
	}
	for _, p := range trace.Parts {
		if err := p.Discard(); err != nil {
			t.Error(err)
		}
	}
}

// A popup that is opened while the storage of another origin is read, for which Playwright makes
// a page of its own, is heard of: whoever opens one waits until that has been read.
func TestPopupsAreHeardOfWhileStorageIsRead(t *testing.T) {
	t.Parallel()
	other := newSite(t, map[string]string{"/{$}": `<script>localStorage.kept = 1</script>`})
	s, web := show(t, `<title>main</title>`)
	web.handle("/opens", text(`<title>opens</title><button onclick="window.open('/pop')">Pop</button>`))
	web.handle("/pop", text(`<title>pop</title>`))
	visit(t, s, other.URL+"/")
	visit(t, s, web.URL+"/opens")
	for i := range 3 {
		taken := make(chan struct{})
		go func() { defer close(taken); s.capture() }()
		becomes(t, "the storage is read", func() error {
			s.storage.mu.Lock()
			defer s.storage.mu.Unlock()
			select {
			case <-taken:
				return nil
			default:
			}
			if s.storage.taking == nil {
				return errHeld
			}
			return nil
		})
		acted, err := s.Click(within30s(t), `button "Pop"`, 0)
		if _, open := s.CurrentTab(); err != nil || len(open) != i+2 {
			t.Errorf("tabs %v after %d popups: %v, %v", open, i+1, acted.Notes, err)
		}
		<-taken
	}
}
