package laws_test

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// waiters are the rooms that every wait goes through.
func waiters() []string { return []string{"internal/wait", "browser/rest"} }

// waitsOf hands each function of the product to look, which finds breaches in it. Rooms
// that wait for others, and benchmarks, are left out.
func waitsOf(t tree, look func(f goFile, within string, body ast.Node)) {
	for _, f := range t.product() {
		if slices.Contains(waiters(), f.room()) || testRooms[f.room()] || f.room() == "bench" || strings.HasPrefix(f.room(), "bench/") {
			continue
		}
		for _, d := range f.syntax.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				look(f, fn.Name.Name, fn.Body)
			} else {
				look(f, "a declaration", d)
			}
		}
	}
}

// endlessWaits finds what waits and does not end with a context: a select without
// its end or a default, and a receive or a range that stands alone. In browser, where a
// page decides how long an answer takes, a wait of its own is a breach however it ends.
func endlessWaits(t tree) []breach {
	const why = "a page, a driver or a process that is stuck would hold the caller beyond its deadline: wait by rest.Until, rest.Answer or the room wait"
	var out []breach
	waitsOf(t, func(f goFile, within string, body ast.Node) {
		var clauses []ast.Node // of selects that are judged as a whole
		ast.Inspect(body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectStmt:
				waits, ends := true, false
				for _, c := range n.Body.List {
					clause := c.(*ast.CommClause)
					clauses = append(clauses, clause.Comm)
					waits = waits && clause.Comm != nil
					ends = ends || receivesEnd(clause.Comm)
				}
				own := f.room() == "browser" || strings.HasPrefix(f.room(), "browser/")
				if waits && (own || !ends) {
					out = append(out, t.breach(f, n, why, "%s selects", within))
				}
			case *ast.UnaryExpr:
				if n.Op == token.ARROW && !isEnd(n.X) && !partOf(n, clauses) {
					out = append(out, t.breach(f, n, why, "%s receives", within))
				}
			}
			return true
		})
	})
	return out
}

// partOf reports whether a receive is what a case of a select waits for.
func partOf(n ast.Node, clauses []ast.Node) bool {
	return slices.ContainsFunc(clauses, func(c ast.Node) bool { return c != nil && c.Pos() <= n.Pos() && n.End() <= c.End() })
}

// receivesEnd reports whether a case of a select is the end of a context.
func receivesEnd(comm ast.Stmt) bool {
	found := false
	if comm != nil {
		ast.Inspect(comm, func(n ast.Node) bool {
			if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.ARROW && isEnd(u.X) {
				found = true
			}
			return true
		})
	}
	return found
}

// isEnd reports whether an expression is a context's Done().
func isEnd(x ast.Expr) bool {
	call, ok := x.(*ast.CallExpr)
	if !ok || len(call.Args) > 0 {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Done"
}

// parentless finds contexts that do not end with their caller's, and timers that no
// context ends.
func parentless(t tree) []breach {
	const why = "work that does not end with its caller's context outlives every deadline: take the caller's, wait.CleanUp for what is put away after it, or wait.For"
	none := map[string][]string{
		"context": {"Background", "TODO", "WithoutCancel"},
		"time":    {"After", "AfterFunc", "NewTimer", "NewTicker", "Tick", "Sleep"},
	}
	var out []breach
	waitsOf(t, func(f goFile, within string, body ast.Node) {
		for pkg, names := range none {
			qualifier := f.qualifier(pkg)
			ast.Inspect(body, func(n ast.Node) bool {
				if name, ok := uses(n, qualifier); ok && slices.Contains(names, name) {
					out = append(out, t.breach(f, n, why, "%s in %s", pkg+"."+name, within))
				}
				return true
			})
		}
	})
	return out
}

func endlessWaitsGranted() map[string]string {
	return map[string]string{
		"browser/egress/gate.go: Close receives":                  "clean-up: a second Close waits for the first, which cuts all connections",
		"browser/egress/tunnel.go: tunnel receives":               "both ends are cut when nothing has come for a while, which ends the copying that is waited for",
		"internal/demo/check_variants.go: CheckVariants receives": "each variant ends with ctx, and always has a result",
		"internal/demo/server.go: shutDown receives":              "clean-up: the server has been shut down or cut by then",
		"evidence/run_folder.go: sync receives":                   "gives back a place that it has; what is waited for is the disk",
		"internal/testcost/process_events_linux.go: end receives": "clean-up: the socket that is read has been closed",
		"server/elicitation.go: continueCall selects":             "the call that asked either takes the answer or ends, as its own deadline says",
		"server/elicitation.go: next receives":                    "the call has been cancelled, and ends by itself: its answer is what its client is owed",
		"server/server.go: heartbeat selects":                     "the loop of a call's progress takes the message, or has ended with the call",
		"server/server.go: heartbeat receives":                    "the last message must be on the wire before the result: it waits for resultAfter at most",
		"server/server.go: sendProgress selects":                  "the loop of a call's progress: it ends with the call",
		"server/server.go: sendProgress receives":                 "the result may follow its last message after resultAfter",
		"suite/suite.go: Run selects":                             "cases that were begun end by their own budgets, and with ctx: their results belong to the suite",
		"tools/flows/files.go: wait receives":                     "what is waited for is the disk: pictures of a flow that has ended",
		"internal/wiring/serve.go: Serve receives":                "end of the process: the pool kills what does not end in time",
	}
}

func parentlessGranted() map[string]string {
	return map[string]string{
		// The end of the process, and what belongs to it.
		"cmd/assay/main.go: context.Background in start":                     "the first context: it ends by a signal",
		"cmd/assay-broker/main.go: context.Background in main":               "the first context: it ends by a signal",
		"packaging/main.go: context.Background in main":                      "the first context: it ends by a signal",
		"internal/othersystems/main.go: context.Background in main":          "the first context: it ends by a signal",
		"internal/testcost/main.go: context.Background in main":              "the first context: it ends by a signal",
		"internal/testcost/measure_linux.go: context.Background in reapLate": "clean-up: what outlives the tests has so long to end",
		"cmd/assay/open.go: context.WithoutCancel in openPage":               "the viewer that a person was shown outlives the command",
		"author/script/reader.go: context.WithoutCancel in start":            "a parser outlives the call that read the first file: it ends with Close, or with our process",
		"browser/pool.go: context.Background in NewPool":                     "a pool outlives the calls that use it: it ends with Close",
		"browser/pool.go: context.Background in Close":                       "clean-up, as long as its caller says",
		"browser/live_page.go: context.Background in newLivePage":            "a session outlives the call that opened it: it ends with Close",
		"browser/engine.go: context.Background in launch":                    "a browser process outlives the call that launched it: it ends with the driver",
		"browser/engine.go: context.Background in stop":                      "clean-up, as long as its caller says",
		"browser/driver/launcher.go: context.Background in placeNode":        "has its own limit, nodeProbeTimeout, and no page has a part in it",
		"browser/driver/launcher.go: context.Background in Remove":           "clean-up: files of a driver that has ended",
		"browser/egress/gate.go: context.Background in Start":                "a gate outlives the call that opened its session: it ends with Close",
		"browser/egress/tunnel.go: time.AfterFunc in tunnel":                 "cuts a tunnel in which nothing moves: it is a limit itself",
		"internal/demo/server.go: context.Background in shutDown":            "clean-up: so long may requests take to end",
		"internal/disk/input.go: context.Background in inTime":               "a limit on the disk that no caller may lengthen",
		"tools/workspace/runs.go: context.Background in Leave":               "files the connection's own run in the background: it is bounded by tracePack",
		"tools/workspace/traces.go: context.Background in fileLeftTraces":    "end of the process: so long may the last traces take",
		"tools/workspace/traces.go: context.Background in StartTrace":        "so long may the driver take to begin a trace, which no call is refused for",

		// What must be filed, or put away, whatever became of its caller.
		"agent/loop.go: context.WithoutCancel in Run":                     "a run that was interrupted is finished: the loop bounds its last calls",
		"cmd/assay/author.go: context.WithoutCancel in close":             "clean-up: sessions of an interrupted command are closed, which bounds itself",
		"cmd/assay/worker.go: context.WithoutCancel in start":             "what a worker has begun is judged after an interruption: the suite ends its processes",
		"cmd/assay/worker.go: context.WithoutCancel in distribute":        "what a worker has begun is judged after an interruption: the suite ends its processes",
		"cmd/assay/test.go: context.WithoutCancel in runTests":            "results of an interrupted command are filed: what is waited for is the disk",
		"tools/author/testing.go: context.WithoutCancel in runTests":      "results of a cancelled call are filed: what is waited for is the disk",
		"evidence/event_log.go: context.Background in logStart":           "a run's begin is entered whoever began it; the ledger has its own limit",
		"evidence/ledger/signing_key.go: context.Background in Key":       "the ledger has its own limit",
		"evidence/retain/prune.go: context.WithoutCancel in clearPending": "clean-up: what was deleted is entered; the ledger has its own limit",
		"evidence/seal.go: context.Background in seal":                    "a run's end is entered and time-stamped whoever ended it, each within its own limit",
		"evidence/seal.go: context.Background in addProofs":               "the ledger has its own limit",
		"evidence/seal.go: context.Background in evidenceBlock":           "the ledger has its own limit",

		// Secrets that are looked up for a room that takes a function.
		"agent/provider/connect.go: context.Background in key":       "a look-up has its own limit (secrets)",
		"internal/wiring/target.go: context.Background in authKey":   "a look-up has its own limit (secrets)",
		"internal/wiring/workspace.go: context.Background in Ledger": "a look-up has its own limit (secrets)",

		// Jobs and connections that outlive the call that began them.
		"server/dial_process.go: context.WithoutCancel in DialProcess": "a connection outlives the call that opened it: it ends with Close",
		"server/in_process.go: context.WithoutCancel in InProcess":     "a connection outlives the call that opened it: it ends with Close",
		"server/elicitation.go: context.WithoutCancel in continueCall": "a call that asks a person outlives the request that began it: it ends with its client's next word, its own limit, or the server",

		// Timers of loops that end with what they serve.
		"server/server.go: time.NewTimer in sendProgress": "the beat of a call's progress: it ends with the call",
		"server/server.go: time.After in sendProgress":    "the result may follow the last message after so long",
		"tools/tool/call.go: time.AfterFunc in inTime":    "cancels the call when its run's time is spent: it is a limit itself",
	}
}

// timesElsewhere finds times of the browser's side that do not stand in its one table. The
// limits of what it installs and of connections of its way out are no waits for a page.
func timesElsewhere(t tree) []breach {
	const why = "how long the browser's side waits is said in one table, browser/rest/limits.go, or in wait.Waits: name it there"
	var out []breach
	for _, f := range t.product() {
		own := f.room() == "browser" || strings.HasPrefix(f.room(), "browser/")
		if !own || testRooms[f.room()] || f.path == "browser/rest/limits.go" || f.room() == "browser/driver" || f.room() == "browser/egress" {
			continue
		}
		qualifier, units := f.qualifier("time"), map[ast.Node]bool{}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr: // a number of milliseconds that comes from elsewhere
				if _, literal := n.X.(*ast.BasicLit); !literal && (n.Op == token.MUL || n.Op == token.QUO) {
					units[n.Y] = true
				}
			case *ast.CallExpr:
				if to, ok := n.Fun.(*ast.Ident); ok && to.Name == "float64" && len(n.Args) == 1 {
					units[n.Args[0]] = true
				}
			case *ast.KeyValueExpr: // milliseconds of the driver's
				key, _ := n.Key.(*ast.Ident)
				if call, ok := n.Value.(*ast.CallExpr); ok && key != nil && key.Name == "Timeout" && len(call.Args) == 1 {
					if _, literal := call.Args[0].(*ast.BasicLit); literal {
						out = append(out, t.breach(f, n, why, "a time in %s", f.room()))
					}
				}
			}
			if name, ok := uses(n, qualifier); ok && !units[n] && slices.Contains([]string{"Microsecond", "Millisecond", "Second", "Minute", "Hour"}, name) {
				out = append(out, t.breach(f, n, why, "a time in %s", f.room()))
			}
			return true
		})
	}
	return out
}
