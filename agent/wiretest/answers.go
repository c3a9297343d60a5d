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

// answerFiles hold what a provider answers, as HTTP: its errors by their status,
// its models, and a turn without what was said in it.
//
//go:embed answers/*.txtar
var answerFiles embed.FS

// answers are the answers of a provider by their names.
type answers map[string]string

func readAnswers(w Wire) (answers, error) {
	raw, err := answerFiles.ReadFile("answers/" + string(w) + ".txtar")
	if err != nil {
		return nil, fmt.Errorf("wiretest: %w", err)
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
