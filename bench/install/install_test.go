package install

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/bench/measure"
)

// Issue 34, Measure: what is fetched through the proxy is counted by its host, whether it is
// plain or a tunnel, and reaches whoever asked for it.
func TestProxyCountsWhatIsFetched(t *testing.T) {
	answer := bytes.Repeat([]byte("a package "), 1000)
	serve := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "identity")
		_, _ = w.Write(answer)
	}
	plain, secret := httptest.NewServer(http.HandlerFunc(serve)), httptest.NewTLSServer(http.HandlerFunc(serve))
	defer plain.Close()
	defer secret.Close()
	for name, there := range map[string]*httptest.Server{"plain": plain, "tunnel": secret} {
		t.Run(name, func(t *testing.T) {
			var m meter
			proxy := httptest.NewServer(m.forwardProxy())
			defer proxy.Close()
			client := there.Client()
			transport := client.Transport.(*http.Transport).Clone()
			transport.Proxy = func(*http.Request) (*url.URL, error) { return url.Parse(proxy.URL) }
			client.Transport = transport
			r, err := client.Get(there.URL)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(r.Body)
			if err := errors.Join(err, r.Body.Close()); err != nil || !bytes.Equal(got, answer) {
				t.Errorf("%d bytes came (%v), want %d", len(got), err, len(answer))
			}
			transport.CloseIdleConnections()
			our, others := m.read()
			n := others["127.0.0.1"]
			if name == "plain" && n != int64(len(answer)) || n < int64(len(answer)) || n > int64(len(answer))+10_000 || our != 0 {
				t.Errorf("counted are %v and %d of ours, want %d bytes from 127.0.0.1", others, our, len(answer))
			}
		})
	}
}

// A round counts only where the healthy page passed and the broken one failed, and the table says
// so, with the goals that are missed.
func TestTable(t *testing.T) {
	right := func(seconds float64, mb int64) round {
		took := time.Duration(seconds * float64(time.Second))
		return round{took: took, commands: []cost{{took, took / 2}}, ours: mb * 1e6, others: map[string]int64{"registry.example": 4e6}, healthy: "passed", wrong: "failed"}
	}
	blind, broken := right(1, 1), right(1, 1)
	blind.wrong, broken.err = "passed", errors.New("ended with 1")
	one := way{name: "one", given: []string{aBrowser}, commands: []string{"one"}}
	two := way{name: "two", given: []string{aBrowser}, commands: []string{"two", "three"}}
	var out strings.Builder
	printTable(&out, []result{
		{one, []round{right(10, 12), right(30, 12), right(20, 12)}},
		{two, []round{right(70, 31), blind, broken}},
		{way{name: "bare", commands: []string{"one"}}, []round{right(200, 12)}},
		{way{name: "none"}, []round{broken}},
	})
	for _, want := range []string{
		"| one | chromium-headless-shell | 1 | 12.0 | 4.0 | 20.0 (10.0, 30.0, 20.0) | 10 | passed, then failed, 3 of 3 |",
		"| two | chromium-headless-shell | 2 | 31.0 | 4.0 | 70.0 (70.0) | 35 | **right in 1 of 3** |",
		"Missed: 2 commands of 1, 70.0 s of 60, 31.0 MB of 30.",
		"| bare | nothing | 1 | 12.0 | 4.0 | 200.0 (200.0) | 100 |",
		"Nothing counts: no goal is met.",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("there is no %q in\n%s", want, out.String())
		}
	}
	if n := strings.Count(out.String(), "All goals are met."); n != 2 { // without a browser there the time has no goal
		t.Errorf("all goals are met by %d ways, want 2:\n%s", n, out.String())
	}
}

// Who can't measure is told so before anything is made, with what helps.
func TestRefusals(t *testing.T) {
	if _, err := waysOf("npx,brew"); !errors.Is(err, measure.ErrSetUp) || !strings.Contains(err.Error(), `"brew"`) {
		t.Errorf("a way that there isn't: %v", err)
	}
	if some, err := waysOf("deb, npx"); err != nil || len(some) != 2 || some[0].name != "deb" {
		t.Errorf("deb, npx: %v %v", some, err)
	}
	if err := canMeasure(1000); !errors.Is(err, measure.ErrSetUp) || !strings.Contains(err.Error(), "run") {
		t.Errorf("without root: %v", err)
	}
}

// Issue 34, "tested in each later step": what is measured is what docs/install.md tells people to
// type, and each of its ways is one command, which is either measured or named here.
func TestWaysAreThoseOfTheDocument(t *testing.T) {
	raw, err := os.ReadFile("../../docs/install.md")
	if err != nil {
		t.Fatal(err)
	}
	document := string(raw)
	unmeasured := []string{"Homebrew", "Fedora, RHEL"} // they need macOS or rpm
	rows := regexp.MustCompile(`(?m)^\| ([^|]+) \| ([^|]+) \| [^|]+ \|$`).FindAllStringSubmatch(document, -1)
	measured := map[string]string{"Node": "npx", "a client that takes `.mcpb` bundles": "mcpb", "Debian, Ubuntu": "deb", "Go 1.26": "go", "none of these": "archive", "this repository": "clone"}
	seen := 0
	for _, row := range rows {
		has, do := row[1], row[2]
		if has == "you have" || strings.HasPrefix(has, "-") {
			continue
		}
		seen++
		if name := measured[has]; !slices.Contains(unmeasured, has) && !slices.Contains(wayNames(), name) {
			t.Errorf("who has %s installs by %q, which is neither measured nor named: add it to ways()", has, do)
		}
		first, _, _ := strings.Cut(do, ", or ")
		commands := regexp.MustCompile("`[^`]+`").FindAllString(first, -1)
		if len(commands) > 1 && has != "none of these" || strings.ContainsAny(strings.Join(commands, ""), ";&|") {
			t.Errorf("who has %s is told to type more than one command: %s", has, do)
		}
	}
	if seen != len(measured)+len(unmeasured) {
		t.Errorf("the table of docs/install.md has %d ways, want %d", seen, len(measured)+len(unmeasured))
	}
	for name, told := range map[string]string{"npx": npx + "check http://localhost:3000", "deb": "apt-get install ./assay_VERSION_amd64.deb", "go": "go install github.com/assay-qa/assay/cmd/assay@latest"} {
		if !strings.Contains(document, "`"+told+"`") && !strings.Contains(document, "`sudo "+told+"`") {
			t.Errorf("%s: docs/install.md doesn't say %s", name, told)
		}
		w, err := waysOf(name)
		if err != nil {
			t.Fatal(err)
		}
		typed := strings.ReplaceAll(strings.Join(w[0].commands, "\n"), " -y ./", " ./") // nobody answers apt here
		if !strings.Contains(typed, told) {
			t.Errorf("%s: measured is\n%s\nwhich docs/install.md doesn't say: %s", name, typed, told)
		}
	}
}
