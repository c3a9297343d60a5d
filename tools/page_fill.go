package tools

import (
	"context"
	"slices"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/input"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa/code"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/flowpage"
	"github.com/assay-qa/assay/tools/schema"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

// maxFields bounds how many fields one call fills.
const maxFields = 50

type pageFillInput struct {
	tool.OnSession
	Selector string        `json:"selector,omitempty"`
	Value    *string       `json:"value,omitempty" jsonschema:"may hold ${secret:NAME}"`
	Fields   []fillField   `json:"fields,omitempty" jsonschema:"several, in place of selector and value"`
	DelayMS  schema.Millis `json:"delay_ms,omitempty" jsonschema:"type key by key, with this time between"`
	Exact    bool          `json:"exact,omitempty" jsonschema:"fail if the page formats it"`
	Intent   string        `json:"intent,omitempty"`
	tool.TimeLimit
}

type fillField struct {
	Selector string  `json:"selector"`
	Value    *string `json:"value,omitempty"`
	Option   string  `json:"option,omitempty" jsonschema:"of a select, in place of value"`
}

type pageFillOutput struct {
	browser.Acted
	Filled []filledField `json:"filled,omitempty" jsonschema:"of several fields, each as it was read afterwards"`
}

type filledField struct {
	Target pagetext.Text `json:"target"`
	Value  pagetext.Text `json:"value,omitempty"`
}

// targets returns the elements that were filled.
func (o pageFillOutput) targets() []pagetext.Text {
	var out []pagetext.Text
	for _, f := range o.Filled {
		out = append(out, f.Target)
	}
	return out
}

func pageFill(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "page_fill", Set: tool.Core, ChangesPage: true, Repeat: workspace.Repeat{Step: (*workspace.FlowBuilder).Fill}, Destructive: true, Idempotent: true,
		Secrets:     []string{"value", "fields[].value"},
		Options:     map[string]string{"delay": "delay_ms", "delay_ms": "delay_ms", "exact": "exact"},
		Description: "Replace a field's text and read it back; with fields, several in turn until one fails, options of selects too.",
	}, func(ctx context.Context, c *tool.Call, in pageFillInput) (pageFillOutput, error) {
		hidden := hideValues(in)
		c.Input = engine.JSON(hidden)
		fields, err := in.fields()
		if err != nil {
			return pageFillOutput{}, err
		}
		s, err := c.SessionFor(ctx, in.SessionID)
		if err != nil {
			return pageFillOutput{}, err
		}
		c.LookBefore(ctx, s, fields[0].Selector)
		var out pageFillOutput
		for i, f := range fields {
			var a browser.Acted
			var plain bool
			err := c.UnlessLapsed(ctx, s, false, func() (err error) { a, plain, err = fillOne(ctx, c, s, in, i, f); return err })
			if plain && f.Value != nil { // a name is no secret, and neither is what a plain field holds
				hidden.show(i, *f.Value)
				c.Input = engine.JSON(hidden)
			}
			if err != nil {
				if i > 0 {
					c.Done, c.DoneInput = i, engine.JSON(hidden.first(i))
				}
				return out, notAllFilled(err, i, fields)
			}
			a.Effects = joined(out.Effects, a.Effects)
			out.Acted, out.Filled = a, append(out.Filled, filledField{a.Target, a.Value})
		}
		targets := out.targets()
		c.SayAll("filled", targets)
		if in.Fields == nil {
			out.Filled = nil
		} else {
			out.Target, out.Value = "", "" // they are in filled
		}
		c.SayActEffects(&out.Effects)
		out.Changes = pagetext.Of(c.SayChanges(ctx, s, fields[0].Selector, targets...)...)
		return out, nil
	})
}

// fields returns what a call fills: one field or several.
func (in pageFillInput) fields() ([]fillField, error) {
	switch {
	case in.Fields == nil && in.Selector == "":
		return nil, engine.InvalidInput("give selector and value, or fields", "argument %q is missing", "selector")
	case in.Fields == nil && in.Value == nil:
		return nil, engine.InvalidInput("give selector and value, or fields", "argument %q is missing", "value")
	case in.Fields == nil:
		return []fillField{{Selector: in.Selector, Value: in.Value}}, nil
	case in.Selector != "" || in.Value != nil:
		return nil, engine.InvalidInput("put all into fields, or leave fields out", "selector and value exclude fields")
	case len(in.Fields) == 0:
		return nil, engine.InvalidInput("give at least one, with its selector and value", "fields is empty")
	case len(in.Fields) > maxFields:
		return nil, engine.InvalidInput("send the rest in another call", "fields has %d, the limit is %d", len(in.Fields), maxFields)
	}
	for i, f := range in.Fields { // before the first one is filled
		if (f.Value == nil) == (f.Option == "") {
			return nil, engine.InvalidInput("give value for a text, option for a select", "fields[%d] needs either value or option; nothing was filled", i)
		}
		if err := input.CheckSelector(f.Selector); err != nil {
			e := *engine.AsError("page_fill", err)
			e.Message = pagetext.Sentencef("fields[%d]: %s; nothing was filled", i, e.Message)
			return nil, &e
		}
	}
	return in.Fields, nil
}

// hideValues returns the input with a mask in place of each value: until a field is known
// not to hold a password, its value is a secret.
func hideValues(in pageFillInput) *pageFillInput {
	const mask = "••••"
	if in.Value != nil {
		text := mask
		in.Value = &text
	}
	in.Fields = slices.Clone(in.Fields)
	for i := range in.Fields {
		if in.Fields[i].Value != nil {
			text := mask
			in.Fields[i].Value = &text
		}
	}
	return &in
}

// show puts the value of the i-th field back.
func (in *pageFillInput) show(i int, value string) {
	if in.Fields == nil {
		in.Value = &value
		return
	}
	in.Fields[i].Value = &value
}

// first returns the input of a call that fills only the first n fields.
func (in *pageFillInput) first(n int) pageFillInput {
	out := *in
	out.Fields = in.Fields[:n]
	return out
}

// fillOne fills one field and verifies what it holds. plain tells that its value may be
// shown.
func fillOne(ctx context.Context, c *tool.Call, s *browser.Session, in pageFillInput, i int, f fillField) (a browser.Acted, plain bool, err error) {
	if err := c.IdentifyField(ctx, s, i, f.Selector, in.TimeoutMS); err != nil {
		return a, false, err
	}
	if f.Value == nil {
		a, err := s.Select(ctx, f.Selector, f.Option, in.TimeoutMS.Duration())
		if err == nil {
			c.NoteSeen(a.Target)
		}
		return a, true, err
	}
	typed, err := c.Workspace.Reveal(ctx, *f.Value)
	if err != nil {
		return a, false, err
	}
	typed.Delay = in.DelayMS.Duration()
	a, masked, err := s.Type(ctx, f.Selector, typed, in.TimeoutMS.Duration())
	known := err == nil && !typed.Secret && !masked
	plain = known || typed.Secret && workspace.IsReference(*f.Value)
	if err != nil {
		return a, plain, err
	}
	why, note, err := flowpage.NotTaken(ctx, s, f.Selector, typed, a, in.Exact)
	if err != nil || why != "" {
		return a, plain, notFilled(f.Selector, why, err)
	}
	if note != "" {
		c.Say("note: %s", note)
	}
	if known && !a.Value.Equal(*f.Value) {
		c.Say("note: the field reads differently now, see value")
		c.Quote("value: %s", engine.OneLine(a.Value))
	}
	c.NoteSeen(a.Target)
	return a, plain, nil
}

// notFilled returns the error of a field that did not take the text.
func notFilled(selector, why string, err error) error {
	if err != nil {
		return err
	}
	return &engine.Error{Code: code.NotActionable, Message: "page_fill " + pagetext.Quoted(pagetext.Text(selector)) + ": the field does not hold what was typed",
		Hint: "look at what the field accepts; it reads now:", Page: []pagetext.Text{pagetext.Text(engine.OneLine(why))}}
}

// notAllFilled says in an error which of several fields it was, and which are filled.
func notAllFilled(err error, i int, fields []fillField) error {
	if len(fields) == 1 {
		return err
	}
	e, done := *engine.AsError("page_fill", err), pagetext.Sentence("none")
	if i > 0 {
		var before []pagetext.Text // as the caller named them
		for _, f := range fields[:i] {
			before = append(before, pagetext.Text(f.Selector))
		}
		done = pagetext.Listed(before)
	}
	e.Message = pagetext.Sentencef("fields[%d]: %s; filled before it: %s; not filled: this one and the %d after it", i, e.Message, done, len(fields)-i-1)
	return &e
}

// joined returns the effects of two acts in turn.
func joined(a, b browser.Effects) browser.Effects {
	if a.URLFrom != "" {
		b.URLFrom = a.URLFrom
	}
	b.Notes = slices.Concat(a.Notes, b.Notes)
	b.Console = slices.Concat(a.Console, b.Console)
	b.Failed = slices.Concat(a.Failed, b.Failed)
	b.Blocked = slices.Concat(a.Blocked, b.Blocked)
	b.Requests += a.Requests
	return b
}
