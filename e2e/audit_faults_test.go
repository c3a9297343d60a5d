package e2e_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// The audit that every conversation goes through sees each kind of fault, and
// none where there is none.
func TestAudit(t *testing.T) {
	t.Parallel()
	const (
		good     = `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"done\n<page-1a>\nx\n</page-1a>"}],"isError":false,"structuredContent":{"ok":true,"data":{"n":1}}}}`
		progress = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":1}}`
		later    = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":2}}`
	)
	second := strings.Replace(good, `"id":1`, `"id":2`, 1)
	for _, c := range []struct {
		name  string
		lines []string
		fault string // "" when there is none
	}{
		{"good", []string{progress, later, good}, ""},
		{"no JSON", []string{`listening on stdio`, good}, "no message"},
		{"no answer", nil, "answered 0 times"},
		{"two answers", []string{good, strings.Replace(good, "1a", "2b", 2)}, "answered 2 times"},
		{"answer to nobody", []string{good, strings.Replace(second, "1a", "2b", 2)}, "which nobody asked"},
		{"progress to nobody", []string{strings.Replace(progress, `"t"`, `"u"`, 1), good}, "which nobody gave"},
		{"progress too late", []string{good, progress}, "progress after the answer"},
		{"progress falls", []string{later, progress, good}, "progress goes from 2 to 1"},
		{"flag contradicts", []string{strings.Replace(good, `"isError":false`, `"isError":true`, 1)}, "isError is true and ok is true"},
		{"no envelope", []string{strings.Replace(good, `"structuredContent":{"ok":true,"data":{"n":1}}`, `"structuredContent":[]`, 1)}, "cannot unmarshal"},
		{"no text", []string{`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"ok":true}}}`}, "without text"},
		{"output schema", []string{strings.Replace(good, `"n":1`, `"n":"one"`, 1)}, "own output schema"},
		{"unnamed field", []string{strings.Replace(good, `"n":1`, `"n":1,"m":2`, 1)}, "data.m is not named"},
		{"open mark", []string{strings.Replace(good, `</page-1a>`, `</page-1b>`, 1)}, "not closed"},
		{"shared mark", []string{strings.Replace(good, `x\n</page-1a>`, `x\n</page-1a>\n<page-1a>\n`, 1)}, "share a mark"},
	} {
		t.Run(c.name, func(t *testing.T) {
			talk := conversation{revision: november25, asked: map[string]asked{"1": {method: "tools/call", tool: "count", token: `"t"`, times: 1}},
				outputs: map[string]json.RawMessage{"count": json.RawMessage(`{"type":"object","properties":{"data":{"properties":{"n":{"type":"integer"}}}}}`)}}
			for _, line := range c.lines {
				m := message{line: []byte(line + "\n")}
				m.problem = json.Unmarshal(m.line, &m)
				talk.heard = append(talk.heard, m)
			}
			faults := strings.Join(talk.faults(nil), "\n")
			if c.fault == "" && faults != "" || !strings.Contains(faults, c.fault) {
				t.Errorf("the audit says %q, want %q", faults, c.fault)
			}
		})
	}
}
