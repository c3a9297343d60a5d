package wiretest_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/assay-qa/assay/agent/wiretest"
)

// D3: five conversations at once are kept apart by their tasks, each with its
// own script and its own order.
func TestConversationsSideBySide(t *testing.T) {
	t.Parallel()
	echo := func(s wiretest.Seen) wiretest.Say {
		return wiretest.Say{Text: fmt.Sprint(s.Task, " ", s.Request), Calls: []wiretest.Call{{Name: "page_open", Args: obj{"url": s.Task}}}}
	}
	anthropic, gemini := startClaude(t, echo), startGemini(t, geminiNow, echo)
	var side sync.WaitGroup
	for i := range 5 {
		task := fmt.Sprint("task ", i)
		side.Go(func() {
			q := claudeTask(t, task)
			for turn := range 4 {
				a := anthropic.post(q)
				if got, want := at(a.body, "content", 0, "text"), fmt.Sprint(task, " ", turn+1); got != want {
					t.Errorf("Anthropic: %v, want %s", got, want)
				}
				q["messages"] = append(q["messages"].(arr), obj{"role": "assistant", "content": a.body["content"]},
					obj{"role": "user", "content": arr{obj{"type": "tool_result", "tool_use_id": at(a.body, "content", 1, "id"), "content": "done"}}})
			}
		})
		side.Go(func() {
			q := clone(t, geminiRequest(t))
			at(q, "contents", 0, "parts", 0).(obj)["text"] = task
			for turn := range 4 {
				a := gemini.post(q)
				parts := at(a.body, "candidates", 0, "content", "parts")
				if got, want := at(parts, 0, "text"), fmt.Sprint(task, " ", turn+1); got != want {
					t.Errorf("Gemini: %v, want %s", got, want)
				}
				answered := obj{"name": "page_open", "id": at(parts, 1, "functionCall", "id"), "response": obj{"output": "done"}}
				q["contents"] = append(q["contents"].(arr), obj{"role": "model", "parts": parts}, obj{"role": "user", "parts": arr{obj{"functionResponse": answered}}})
			}
		})
	}
	side.Wait()
	anthropic.clean()
	gemini.clean()
}
