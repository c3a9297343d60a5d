package wire

import (
	"strings"
	"testing"
)

// talk is a client of a server that has written the given lines, and what the
// client writes to it. Its first request has the id 1.
func talk(lines ...string) (c *Client, sent *strings.Builder) {
	sent = new(strings.Builder)
	return NewClient(sent, strings.NewReader(strings.Join(lines, ""))), sent
}

func TestClientCountsTheAnswerAlone(t *testing.T) {
	line := `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"a"},{"type":"image","data":"AAAA"},{"type":"text","text":"b"}]}}` + "\n"
	c, sent := talk(
		`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`+"\n",
		`{"jsonrpc":"2.0","id":7,"method":"ping"}`+"\n",
		`{"jsonrpc":"2.0","id":8,"method":"roots/list"}`+"\n", line)
	a, err := c.Tool(Call{Name: "look"})
	if err != nil {
		t.Fatal(err)
	}
	if a.Bytes != len(line) || a.Pictures != 4 || a.Text != "a\n\nb" || a.Failed {
		t.Errorf("%d bytes, %d of pictures, text %q, failed %v; want %d, 4, %q, false", a.Bytes, a.Pictures, a.Text, a.Failed, len(line), "a\n\nb")
	}
	lines := strings.Split(strings.TrimSpace(sent.String()), "\n")
	if len(lines) != 3 {
		t.Fatalf("the client wrote %d lines, want the request and two replies: %q", len(lines), lines)
	}
	for i, want := range []string{`"result":{}`, `-32601`} {
		if !strings.Contains(lines[i+1], want) {
			t.Errorf("reply %q, want %s in it", lines[i+1], want)
		}
	}
}

func TestClientRefusesWhatIsNoAnswer(t *testing.T) {
	for name, line := range map[string]string{
		"another request's": `{"jsonrpc":"2.0","id":2,"result":{}}` + "\n",
		"an error":          `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no such tool"}}` + "\n",
		"no JSON":           "Debugger attached.\n",
		"nothing":           "",
	} {
		t.Run(name, func(t *testing.T) {
			c, _ := talk(line)
			if a, err := c.Request("tools/call", nil); err == nil {
				t.Errorf("taken for an answer: %s", a.Result)
			}
		})
	}
}

// Answers come in the order in which the calls end.
func TestSideBySideAnswersKeepTheirPlaces(t *testing.T) {
	c, sent := talk(
		`{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"second"}]}}`+"\n",
		`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"first"}]}}`+"\n")
	answers, err := c.SideBySide([]Call{{Name: "a"}, {Name: "b"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(answers) != 2 || answers[0].Text != "first" || answers[1].Text != "second" {
		t.Errorf("answers %+v, want first and second", answers)
	}
	if n := strings.Count(sent.String(), "\n"); n != 2 {
		t.Errorf("wrote %d lines, want both calls", n)
	}
}
