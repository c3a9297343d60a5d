package wiretest

import (
	"bufio"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"
)

// answerFiles hold what a provider serves, and what it answers, as HTTP: its errors
// by their status, its models, a turn without what was said in it, and the actions of its
// computer tool.
//
//go:embed answers/*.txtar
var answerFiles embed.FS

// answers are the answers of a provider by their names.
type answers map[string]string

func readAnswers(w Wire) (answers, error) {
	raw, err := answerFiles.ReadFile("answers/" + string(w) + ".txtar")
	if err != nil {
		return nil, fmt.Errorf("wiretest: no wire %q: known are %v", w, Wires())
	}
	out := answers{}
	for _, f := range txtar.Parse(raw).Files {
		out[f.Name] = string(f.Data)
	}
	return out, nil
}

// reply is an HTTP answer.
type reply struct {
	status int
	header http.Header
	body   []byte
	said   []entry // what the next request must echo and answer
	again  bool    // there was no turn: the same request is expected once more
}

// reply is an answer with words in their places.
func (a answers) reply(name, place, words string) reply {
	quoted, err := json.Marshal(words)
	text, ok := a[name]
	if err != nil || !ok {
		return reply{status: http.StatusInternalServerError, body: []byte("wiretest: there is no answer " + name)}
	}
	text = strings.ReplaceAll(text, place, string(quoted[1:len(quoted)-1]))
	r, err := http.ReadResponse(bufio.NewReader(strings.NewReader(text)), nil)
	if err != nil {
		return reply{status: http.StatusInternalServerError, body: []byte("wiretest: answer " + name + ": " + err.Error())}
	}
	defer func() { _ = r.Body.Close() }()
	body, _ := io.ReadAll(r.Body) // of a string
	return reply{status: r.StatusCode, header: r.Header, body: body}
}

// error is an error of the provider's that is asked for by a status.
func (a answers) error(status int, message string) reply {
	return a.reply(strconv.Itoa(status), "MESSAGE", message)
}

// actions are those of a provider's computer tool by their kinds, as JSON in which
// "$x" and the like stand for what an Action holds.
type actions map[string]any

func (a answers) actions() actions {
	v, _ := Decode([]byte(a["actions"])) // without them there are none
	o, _ := v.(obj)
	return actions(o)
}

// of is an action in the provider's words. A kind that it doesn't have goes out
// by its neutral name. scale, if there is one, makes its coordinates of pixels.
func (p actions) of(a Action, vocabulary string, scale func(v int, across bool) int) obj {
	if scale == nil {
		scale = func(v int, _ bool) int { return v }
	}
	direction, pixels := "right", a.DX
	switch {
	case a.DY > 0:
		direction, pixels = "down", a.DY
	case a.DY < 0:
		direction, pixels = "up", -a.DY
	case a.DX < 0:
		direction, pixels = "left", -a.DX
	}
	named := strings.NewReplacer("CONTROL", "CTRL", "ESCAPE", "ESC", "META", "CMD").Replace(strings.ToUpper(a.Text))
	template, ok := p[vocabulary+a.Kind]
	if !ok {
		template = p[vocabulary+"*"]
	}
	filled, _ := fill(template, map[string]any{
		"$kind": a.Kind, "$intent": "to " + a.Kind, "$x": scale(a.X, true), "$y": scale(a.Y, false), "$toX": scale(a.ToX, true), "$toY": scale(a.ToY, false), "$dx": a.DX, "$dy": a.DY,
		"$text": a.Text, "$lower": strings.ToLower(a.Text), "$keys": strings.Split(named, "+"), "$key": named, "$direction": direction, "$pixels": min(pixels, 999), "$notches": max(1, pixels/100),
		"$keysym": strings.NewReplacer("Control", "ctrl", "Shift", "shift", "Alt", "alt", "Meta", "super", "Enter", "Return", "Backspace", "BackSpace").Replace(a.Text),
	}).(obj)
	return filled
}

// fill copies decoded JSON with values in their places.
func fill(v any, values map[string]any) any {
	switch v := v.(type) {
	case string:
		if value, ok := values[v]; ok {
			return value
		}
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = fill(v[i], values)
		}
		return out
	case obj:
		out := obj{}
		for name, e := range v {
			out[name] = fill(e, values)
		}
		return out
	}
	return v
}
