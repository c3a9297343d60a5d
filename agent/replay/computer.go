package replay

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// computerAction holds one action of computer_action.
type computerAction struct {
	Action string `json:"action"`
	Coords *struct {
		X float64 `json:"x"`
		Y float64 `json:"y"`
	} `json:"coords"`
	Selector string `json:"selector"`
	Text     string `json:"text"`
	Hotkey   string `json:"hotkey"`
	Wait     *struct {
		Type     string `json:"type"`
		Selector string `json:"selector"`
	} `json:"wait"`
}

// operate makes steps of what was done by place and key.
func (c *compiler) operate(in arguments) error {
	actions := in.Actions
	if len(actions) == 0 {
		actions = []computerAction{in.computerAction}
		actions[0].Selector = in.Selector
	}
	done, err := c.finished(len(actions))
	if err != nil {
		return err
	}
	for i, a := range actions[:done] {
		if err := c.operateOne(i, a); err != nil {
			return err
		}
		c.waitFor(a)
	}
	return nil
}

// finished returns how many actions of a batch were done: the page may have
// changed before the others.
func (c *compiler) finished(n int) (int, error) {
	var answer struct {
		Data struct {
			Done *int `json:"done"`
		} `json:"data"`
	}
	if err := json.Unmarshal(c.done.Structured, &answer); err != nil {
		return 0, c.refuse("its answer can't be read: %v", err)
	}
	if answer.Data.Done == nil {
		return n, nil
	}
	return min(n, *answer.Data.Done), nil
}

// operateOne adds one action of the batch.
func (c *compiler) operateOne(i int, a computerAction) error {
	e, err := c.element(i)
	if err != nil {
		return err
	}
	needs := func(action string) error {
		if e == nil {
			return c.refuse("%s where nothing is that could be known again", a.Action)
		}
		c.add(qa.FlowStep{Action: action}, e)
		return nil
	}
	switch a.Action {
	case "screenshot", "zoom", "scroll", "move":
		return nil // a step brings its element into view by itself
	case "click":
		return needs("click")
	case "hover":
		return needs("hover")
	case "hotkey":
		c.add(qa.FlowStep{Action: "press", Key: a.Hotkey}, e)
		return nil
	case "type":
		return c.typeText(a, e)
	case "wait":
		return nil // see waitFor
	}
	return c.refuse("no step of a flow does %q", a.Action)
}

// waitFor adds the step that waits for the element which an action, or the wait after
// it, waited for. Other waits need none: every step waits for what it needs.
func (c *compiler) waitFor(a computerAction) {
	if a.Wait == nil || a.Wait.Type != "selectorVisible" {
		return
	}
	selector := a.Wait.Selector
	if a.Action == "wait" {
		selector = cmp.Or(selector, a.Selector)
	}
	c.add(qa.FlowStep{Action: "wait", Selector: selector}, nil)
}

// typeText adds a text that was typed into what has the focus. A flow replaces
// a field's text, so the field must have been empty, or all of it selected.
func (c *compiler) typeText(a computerAction, e *element) error {
	if e == nil {
		return c.refuse("a text was typed while nothing had the focus")
	}
	if strings.ContainsAny(a.Text, "\n\t") {
		return c.refuse("a text was typed with a key in it: a flow fills a field, and presses keys in steps of their own")
	}
	if err := c.typed(a.Text, e); err != nil {
		return err
	}
	if last := len(c.flow.Steps) - 1; !e.Empty {
		before := c.flow.Recorded.Element(last)
		if last < 0 || before == nil || !selectsAll(c.flow.Steps[last]) || !slices.Equal(before.Locators, e.Locators) {
			return c.refuse("a text was typed into a field that held one: a flow replaces it")
		}
		c.flow.Steps = c.flow.Steps[:last]
		c.flow.Recorded.Elements = slices.DeleteFunc(c.flow.Recorded.Elements, func(r flow.RecordedElement) bool { return r.Step == last })
	}
	c.add(qa.FlowStep{Action: "fill", Value: a.Text}, e)
	return nil
}

func selectsAll(s qa.FlowStep) bool {
	return s.Action == "press" && slices.Contains([]string{"control+a", "meta+a", "controlormeta+a"}, strings.ToLower(s.Key))
}

func number(n int) string { return strconv.Itoa(n) }
