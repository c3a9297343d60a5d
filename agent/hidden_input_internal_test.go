package agent

import (
	"encoding/json"
	"strings"
	"testing"
)

// What a call types is hidden in events, in single calls and in each of several fields
// and actions; what stands for a secret is shown.
func TestTypedTextIsHidden(t *testing.T) {
	t.Parallel()
	for name, args := range map[string]string{
		"page_fill":        `{"selector": "a", "value": "hunter2", "fields": [{"selector": "a", "value": "hunter2"}, {"selector": "b", "value": "${secret:PW}"}]}`,
		"computer_action":  `{"action": "type", "text": "hunter2", "actions": [{"action": "type", "text": "hunter2 ${secret:PW}"}]}`,
		"verify_user_flow": `{"steps": [{"action": "fill", "value": "hunter2"}, {"action": "fill", "value": "${secret:PW}"}]}`,
	} {
		if out := string(withoutInput(name, json.RawMessage(args))); strings.Contains(out, "hunter2") || name != "computer_action" && !strings.Contains(out, "${secret:PW}") {
			t.Errorf("%s: %s", name, out)
		}
	}
}
