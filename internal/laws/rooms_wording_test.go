package laws_test

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

// wordFields are the fields that hold sentences for readers.
func wordFields() []string {
	return []string{"Message", "Reason", "Observed", "Note", "Notes", "Detail", "Hint", "Why", "Said", "StatusReason", "FailureReason", "Failure"}
}

// wordNames are what variables are called that hold one of them, as parameters do.
func wordNames() []string {
	return []string{"message", "reason", "observed", "note", "notes", "detail", "why", "said", "fault", "hint"}
}

// searches are what asks a text for its words: functions of strings and bytes, methods of
// pagetext.Text, of patterns and of regular expressions.
func searches() []string {
	return []string{"Contains", "ContainsAny", "ContainsFunc", "HasPrefix", "HasSuffix", "Index", "IndexAny", "LastIndex", "EqualFold", "Cut", "CutPrefix", "CutSuffix",
		"TrimPrefix", "TrimSuffix", "Count", "Split", "SplitN", "Matches", "Fold", "Equal", "Words", "MatchString", "FindString", "FindStringSubmatch", "FindStringIndex", "FindAllString"}
}

// isView reports whether a room or a file makes texts for readers, and decides nothing.
func isView(f goFile) bool {
	return slices.Contains([]string{"evidence/report", "suite/publish", "internal/terminal", "internal/pagetext", "internal/text"}, f.room()) ||
		f.room() == "cmd/assay" && (strings.HasPrefix(path.Base(f.path), "print_") || strings.HasSuffix(f.path, "_print.go"))
}

// wordsReadBack finds where code decides by a sentence that is for readers: what an error
// says, a reason, what was observed, a note. Such a sentence holds addresses, selectors and
// names that a caller or a page chose, so that they would decide.
func wordsReadBack(t tree) []breach {
	const why = "a sentence for readers holds what a caller or a page chose: decide by a field (a code, a cause of qa), and let a view make the words"
	var out []breach
	for _, f := range t.product() {
		if isView(f) || testRooms[f.room()] || f.room() == "bench" || strings.HasPrefix(f.room(), "bench/") {
			continue
		}
		for _, d := range f.syntax.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			w := wording{held: map[string]bool{}}
			w.learn(fn)
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					if w.asks(n) {
						out = append(out, t.breach(f, n, why, "%s reads words", fn.Name.Name))
					}
				case *ast.BinaryExpr:
					if w.compares(n) {
						out = append(out, t.breach(f, n, why, "%s compares words", fn.Name.Name))
					}
				}
				return true
			})
		}
	}
	return out
}

// wording knows which variables of a function hold sentences.
type wording struct{ held map[string]bool }

// learn notes the variables that are given one.
func (w wording) learn(fn *ast.FuncDecl) {
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				if name, ok := to.(*ast.Ident); ok && i < len(n.Rhs) && w.isWords(n.Rhs[i]) {
					w.held[name.Name] = true
				}
			}
		case *ast.CallExpr: // slices.ContainsFunc(notes, func(n string) bool { … })
			if len(n.Args) != 2 || !w.isWords(n.Args[0]) {
				break
			}
			if each, ok := n.Args[1].(*ast.FuncLit); ok && len(each.Type.Params.List) == 1 {
				for _, name := range each.Type.Params.List[0].Names {
					w.held[name.Name] = true
				}
			}
		case *ast.RangeStmt:
			if name, ok := n.Value.(*ast.Ident); ok && w.isWords(n.X) {
				w.held[name.Name] = true
			}
		}
		return true
	})
}

// isWords reports whether an expression is such a sentence, or made of one.
func (w wording) isWords(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return w.held[e.Name] || slices.Contains(wordNames(), e.Name)
	case *ast.SelectorExpr:
		return slices.Contains(wordFields(), e.Sel.Name)
	case *ast.ParenExpr:
		return w.isWords(e.X)
	case *ast.IndexExpr:
		return w.isWords(e.X)
	case *ast.CallExpr:
		name := calledName(e)
		if name == "Error" && len(e.Args) == 0 || slices.Contains([]string{"rawText", "plain", "driverWords"}, name) {
			return true
		}
		return slices.Contains([]string{"string", "Text", "ToLower", "TrimSpace", "OneLine", "Trim"}, name) && (len(e.Args) == 1 && w.isWords(e.Args[0]) || w.receives(e))
	}
	return false
}

// asks reports whether a call searches such a sentence.
func (w wording) asks(call *ast.CallExpr) bool {
	fun, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !slices.Contains(searches(), fun.Sel.Name) {
		return false
	}
	if room, ok := fun.X.(*ast.Ident); ok && slices.Contains([]string{"slices", "maps", "text", "texts"}, room.Name) {
		return false
	}
	return w.receives(call) || len(call.Args) > 0 && w.isWords(call.Args[0]) && !isLiteral(call.Args[0])
}

// compares reports whether an expression holds such a sentence against one that is known. That
// there is one, or none, is no word.
func (w wording) compares(e *ast.BinaryExpr) bool {
	if e.Op != token.EQL && e.Op != token.NEQ {
		return false
	}
	said := func(x ast.Expr) bool {
		lit, ok := x.(*ast.BasicLit)
		return ok && lit.Kind == token.STRING && lit.Value != `""`
	}
	return w.isWords(e.X) && said(e.Y) || w.isWords(e.Y) && said(e.X)
}

// receives reports whether a call is a method of such a sentence.
func (w wording) receives(call *ast.CallExpr) bool {
	fun, ok := call.Fun.(*ast.SelectorExpr)
	return ok && w.isWords(fun.X)
}

func isLiteral(e ast.Expr) bool {
	lit, ok := e.(*ast.BasicLit)
	if !ok {
		return false
	}
	_, err := strconv.Unquote(lit.Value)
	return err == nil
}

func calledName(call *ast.CallExpr) string {
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		return fun.Sel.Name
	}
	return ""
}

// wordsReadBackGranted are the places where words enter that others wrote, and no field
// comes with them; and what only makes other words of them.
func wordsReadBackGranted() map[string]string {
	const (
		provider = "a provider says in words alone that a talk is too long"
		runner   = "the test runner's words enter here: its reporter gives nothing else"
		driver   = "the driver's words enter here, where they are its own"
		field    = "a problem of a file begins with the field that it is about: it is only placed by it"
		library  = "what a library said is put into our words, and decides nothing"
	)
	return map[string]string{
		"agent/anthropic/fault.go: faultOf reads words":          provider,
		"agent/openai/reply.go: ended compares words":            "the provider calls a code of its closed set a reason",
		"browser/visible_text.go: present compares words":        "the words are the state that our own script names, and no page chooses them",
		"tools/kpicheck/seen.go: askable compares words":         "the word is that of the page's script, and no page chooses it",
		"agent/chat/fault.go: tooLong reads words":               provider,
		"agent/gemini/send.go: refusal reads words":              provider,
		"author/explore/act.go: perform reads words":             "adds to what a person reads which flag permits it",
		"author/generate/dropped.go: Alike reads words":          "groups the lines that are printed of what was left out",
		"author/testrun/result.go: told reads words":             runner,
		"browser/egress/dial.go: reason reads words":             "net/http gives no type for an answer that is no HTTP, nor the net package on each system for a refusal",
		"browser/driver_words.go: driverSays reads words":        driver,
		"browser/driver_words.go: netErrorOf reads words":        driver,
		"browser/driver_words.go: isClosed reads words":          driver,
		"browser/driver_words.go: driverOutOfFiles reads words":  driver,
		"browser/eventlog/refusals.go: complaintOf reads words":  "the browser tells it in words alone: they are read once, beside the address, and only what no page can have said",
		"browser/eventlog/refusals.go: netOf reads words":        driver,
		"browser/page_events.go: thrownEntry reads words":        driver,
		"cmd/assay/author.go: push reads words":                  "git prints the address of a pull request, and nothing else has it",
		"cmd/assay/usage_errors.go: wrongFlag reads words":       library,
		"tools/kpicheck/seen.go: askable reads words":            "the first word is that of the page's script, and no page chooses it",
		"evidence/ledger/bolt_file.go: withErrno reads words":    "bbolt hides the number of the error in its words",
		"evidence/verify/baseline.go: statusOf reads words":      "entries of the log are signed as they are written: that of an import has the status in its reason alone",
		"qa/finding_title.go: Headline reads words":              "a finding of a model has no title: whether its words are a sentence is counted",
		"qa/flow/visual_step.go: visual reads words":             field,
		"server/protocol_error.go: inOurWords reads words":       library,
		"suite/load/specs.go: asProblems reads words":            field,
		"internal/document/parse_yaml.go: yamlError reads words": library,
		"suite/spec/task.go: LoadTask reads words":               field,
		"suite/spec/task.go: field reads words":                  field,
	}
}

// errorsMadeElsewhere finds errors of a browser's calls that are not made of facts.
func errorsMadeElsewhere(t tree) []breach {
	const why = "browser/explain makes the sentences of errors, where each is tested without a browser: give it the facts"
	var out []breach
	for _, f := range t.product() {
		if f.room() != "browser" && !strings.HasPrefix(f.room(), "browser/") {
			continue
		}
		qualifier := f.qualifier("github.com/assay-qa/assay/browser/explain")
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if made, ok := n.(*ast.CompositeLit); ok && made.Type != nil {
				if name, ok := uses(made.Type, qualifier); ok && name == "Error" {
					out = append(out, t.breach(f, n, why, "%s makes an error", f.room()))
				}
			}
			return true
		})
	}
	return out
}
