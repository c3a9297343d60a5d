package e2e_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/author/plan"
	"github.com/assay-qa/assay/author/site"
)

// manyLinks is how many links the page has that has too many.
const manyLinks = 5000

// killedSite is a site with a page of very many links, one that asks to sign in, and acts
// that lead from one thing to the next.
func killedSite(t *testing.T) *httptest.Server {
	t.Helper()
	const nav = `<nav aria-label=Main><a href=/>Home</a> <a href=/links>Links</a> <a href=/steps>Steps</a> <a href=/account>Account</a></nav>`
	pages := map[string]string{
		"/":      `<h1>Home</h1>`,
		"/links": `<h1>Links</h1><ul id=l></ul><script>l.innerHTML=Array.from({length:` + fmt.Sprint(manyLinks) + `},(_,i)=>'<li><a href="/thing/'+i+'">Thing '+i+'</a></li>').join('')</script>`,
		"/steps": `<h1>Steps</h1><section aria-label=Step id=s></section><script>let n=0;function draw(){s.innerHTML='<h2>Step '+'abcdefgh'[n]+'</h2>'+(n<7?'<button onclick="n++;draw()">On from '+'abcdefgh'[n]+'</button>':'')}draw()</script>`,
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := pages[r.URL.Path]
		switch {
		case strings.HasPrefix(r.URL.Path, "/thing/"):
			body = "<h1>Thing</h1><p>One of many</p>"
		case r.URL.Path == "/account":
			body = "<h1>Account</h1><a href=/account/orders>Orders</a>"
		case r.URL.Path == "/account/orders": // the sign-in ends in the middle
			http.Redirect(w, r, "/signin", http.StatusFound)
			return
		case r.URL.Path == "/signin":
			body = `<h1>Sign in</h1><form method=post><label>Password <input type=password name=p></label><button>Sign in</button></form>`
		case !ok:
			w.WriteHeader(http.StatusNotFound)
			body = "<h1>Not here</h1>"
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><html lang=en><title>"+r.URL.Path+`</title><link rel=icon href="data:,">`+nav+"<main>"+body+"</main>")
	}))
	t.Cleanup(s.Close)
	return s
}

// An exploration that is killed at any time leaves whole files, and goes on to its end
// from where it was (bad input: killed in any phase; pages with 5,000 links; a sign-in
// that ends in the middle).
func TestExploringKilledAgainAndAgain(t *testing.T) {
	if !soak() {
		t.Skip("explores for minutes; TestResume has each moment without a browser: SOAK=1")
	}
	needsBrowser(t)
	s, out := killedSite(t), filepath.Join(t.TempDir(), "exploration")
	states, kills := 0, 0
	for round := range 40 {
		args := []string{"explore", s.URL + "/", "--out", out, "--data-dir", t.TempDir()}
		if round > 0 {
			if _, err := os.Stat(filepath.Join(out, "resume.json")); err == nil {
				args = append(args, "--resume")
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(round+1)*700*time.Millisecond)
		cmd := exec.CommandContext(ctx, binary(t), args...) // it is killed when the time is over
		cmd.Env = environment(t.TempDir())
		said, err := cmd.CombinedOutput()
		killed := ctx.Err() != nil
		cancel()
		if killed {
			kills++
		} else if err != nil {
			t.Fatalf("round %d: %v: %s", round, err, said)
		}
		found, err := site.Read(out)
		switch {
		case err != nil && !errors.Is(err, os.ErrNotExist) && !strings.Contains(err.Error(), "does not exist"):
			t.Fatalf("round %d: half-written: %v", round, err)
		case err != nil:
			continue // killed before the first state
		}
		if data, err := os.ReadFile(filepath.Join(out, "resume.json")); err == nil && !json.Valid(data) {
			t.Fatalf("round %d: resume.json is half-written", round)
		}
		if data, err := os.ReadFile(filepath.Join(out, "test-plan", "test-plan.md")); err == nil {
			if _, err := plan.Parse("test-plan.md", data); err != nil {
				t.Errorf("round %d: the plan is half-written: %v", round, err)
			}
		}
		states = len(found.States)
		if found.Stop.Reason == site.Complete || found.Stop.Reason == site.NoNewState {
			break
		}
	}
	found, err := site.Read(out)
	if err != nil {
		t.Fatal(err)
	}
	places := map[string]bool{}
	for _, one := range found.States {
		_, path, _ := strings.Cut(one.Place, "/")
		places[path] = true
	}
	for _, place := range []string{"links", "steps", "signin", "thing/{n}"} {
		if !places[place] {
			t.Errorf("place %q was not found: %v", place, places)
		}
	}
	if found.Stop.Reason != site.Complete && found.Stop.Reason != site.NoNewState || kills < 3 {
		t.Errorf("after %d kills: stopped %+v with %d states", kills, found.Stop, states)
	}
}
