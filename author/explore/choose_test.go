package explore_test

import (
	"context"
	"strings"
	"testing"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/author/explore"
	"github.com/assay-qa/assay/author/site"
)

func TestAnswers(t *testing.T) { // C2: the specification's answer; prose and numbers out of range are refused
	for answer, want := range map[string]string{
		`{"elementIndex": 1, "action": "click", "value": null, "reasoning": "new"}`: "",
		"Sure!\n```json\n{\"elementIndex\": 0, \"action\": \"click\"}\n```":         "",
		"I would click on the second link.":                                         "prose",
		`{"elementIndex": 2}`:                                                       "element 2 of 2",
		`{"elementIndex": -1}`:                                                      "element -1 of 2",
		`{"elementIndex": 0.5}`:                                                     "element 0.5 of 2",
		`{"action": "click"}`:                                                       "no elementIndex",
		`{"elementIndex": "the top"}`:                                               "no JSON of the form",
		"":                                                                          "prose",
	} {
		_, err := explore.ParseChoice(answer, 2)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", answer, err, want)
		}
	}
}

type scripted struct {
	asked  agent.Conversation
	answer string
}

func (s *scripted) Next(_ context.Context, c agent.Conversation) (agent.Reply, error) {
	s.asked = c
	return agent.Reply{Text: s.answer}, nil
}

func TestQuestion(t *testing.T) { // C2
	m := &scripted{answer: `{"elementIndex": 1, "action": "fill", "value": "anna", "reasoning": "a search"}`}
	got, err := explore.Asker{Model: m, Prompt: "Look at orders first."}.Choose(t.Context(), explore.Question{URL: "http://a.test/", Title: "A", Visited: []string{"http://a.test/"},
		Elements: []site.Element{{Role: "link", Name: "Orders", Href: "http://a.test/orders", Landmark: "navigation [1]"}, {Role: "searchbox", Name: "Search"}}, Kinds: []string{"click", "fill"}})
	if err != nil || got != (explore.Choice{Element: 1, Value: "anna", Reason: "a search"}) {
		t.Errorf("choice: %+v, %v", got, err)
	}
	for _, want := range []string{`0: click link "Orders" in navigation [1] to http://a.test/orders`, `1: fill searchbox "Search"`} {
		if !strings.Contains(m.asked.Task, want) {
			t.Errorf("the question has no %q:\n%s", want, m.asked.Task)
		}
	}
	if !strings.HasSuffix(m.asked.Instructions, "Look at orders first.") {
		t.Errorf("instructions: %s", m.asked.Instructions)
	}
}
