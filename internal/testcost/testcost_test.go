package main

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestBudgets(t *testing.T) {
	t.Parallel()
	all, err := parseBudgets("b.txt", "# remark\n\nbrowser 20 800 100\ncmd/assay 30 900 75.5\n")
	if err != nil {
		t.Fatal(err)
	}
	packages := []string{module + "/cmd/assay", module + "/browser", module + "/new"}
	all.dearestFirst(packages)
	if got := strings.Join(packages, " "); got != module+"/new "+module+"/browser "+module+"/cmd/assay" {
		t.Errorf("the order is %s", got)
	}
	for name, tt := range map[string]struct {
		c    cost
		want string
	}{
		"within":      {cost{Package: "browser", Counted: true, Browsers: 20, Processes: 880}, ""},
		"browsers":    {cost{Package: "browser", Counted: true, Browsers: 21, Processes: 800}, "browser started 21 browsers"},
		"processes":   {cost{Package: "browser", Counted: true, Browsers: 1, Processes: 881}, "881 processes, its budget is 20 and 880"},
		"not counted": {cost{Package: "browser", Browsers: 21}, ""},
		"no budget":   {cost{Package: "e2e", Counted: true, Browsers: 2, Processes: 9}, "e2e has no budget"},
	} {
		got := strings.Join(all.exceeded([]cost{tt.c}), "\n")
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
	for _, line := range []string{"browser", "browser 1 2", "browser a 2 3", "browser 1 2 3 4"} {
		if _, err := parseBudgets("b.txt", line); err == nil || !strings.Contains(err.Error(), "b.txt:1") {
			t.Errorf("%q: %v, want an error that names b.txt:1", line, err)
		}
	}
}

// A reader sees whether cores were idle, and what was not the tests themselves.
func TestBusy(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	printBusy(&out, []cost{{User: 50, System: 10}, {User: 20}}, 2*time.Minute, 80*time.Second, 2)
	if want := "120 CPU s in 80 s on 2 cores (75 % of their time); 40 of them"; !strings.Contains(out.String(), want) {
		t.Errorf("%q lacks %q", out.String(), want)
	}
}

// A reader sees the closing line of each package, all that a failing test printed, and
// what a package printed that failed without one.
func TestListener(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	l := &listener{out: &out, output: map[string][]string{}}
	for line := range strings.Lines(`{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA","Output":"quiet\n"}
{"Action":"pass","Package":"p","Test":"TestA","Elapsed":1.5}
{"Action":"output","Package":"p","Test":"TestB","Output":"loud\n"}
{"Action":"fail","Package":"p","Test":"TestB/case","Elapsed":0}
{"Action":"fail","Package":"p","Test":"TestB","Elapsed":0.5}
{"Action":"skip","Package":"p","Test":"TestC","Elapsed":0}
{"Action":"output","Package":"p","Output":"FAIL\tp\t2.0s\n"}
{"Action":"fail","Package":"p","Elapsed":2}
{"Action":"output","Package":"q","Output":"PASS\n"}
{"Action":"output","Package":"q","Output":"ok  \tq\t(cached)\n"}
{"Action":"pass","Package":"q","Elapsed":0}
{"Action":"output","Package":"r","Test":"TestHangs","Output":"panic: test timed out\n"}
{"Action":"fail","Package":"r","Elapsed":9}
{"Action":"build-output","ImportPath":"s","Output":"s.go:1: undefined\n"}
no event
`) {
		l.hear([]byte(line))
	}
	got := out.String()
	for _, want := range []string{"loud\n", "FAIL\tp\t2.0s\n", "ok  \tq\t(cached)\n", "panic: test timed out\n", "s.go:1: undefined\n", "no event\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("the output lacks %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "quiet") || strings.Contains(got, "PASS") {
		t.Errorf("what passed is printed:\n%s", got)
	}
	if r := l.results; r.passed != 1 || r.failed != 2 || r.skipped != 1 || len(r.tests) != 3 {
		t.Errorf("results %+v", r)
	}
}

// The cheapest package of some seconds tells how fast the machine is; one without a line, and
// one of nearly none, tells nothing.
func TestProbe(t *testing.T) {
	all := budgets{{Package: "e2e", Seconds: 240}, {Package: "evidence/report", Seconds: 7}, {Package: "agent", Seconds: 11}, {Package: "bench", Seconds: 1}}
	packages := []string{module + "/new", module + "/e2e", module + "/agent", module + "/evidence/report", module + "/bench"}
	one, rest := all.probe(packages)
	if len(one) != 1 || short(one[0]) != "evidence/report" || len(rest) != 4 || slices.Contains(rest, one[0]) {
		t.Errorf("%v, then %v", one, rest)
	}
	if one, rest := all.probe(packages[:1]); len(one) != 0 || len(rest) != 1 {
		t.Errorf("one package alone: %v, then %v", one, rest)
	}
	for seconds, slow := range map[float64]bool{7: false, 13: false, 15: true} {
		if got := all.slow([]cost{{Package: "evidence/report", User: seconds}}); got != slow {
			t.Errorf("%v s: slow is %v", seconds, got)
		}
	}
	if all.slow(nil) || all.slow([]cost{{Package: "new", User: 100}}) {
		t.Error("slow without a line")
	}
}
