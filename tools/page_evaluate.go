package tools

import (
	"context"
	"encoding/json"

	"github.com/assay-qa/assay/engine"
)

type pageEvaluateInput struct {
	onSession
	Script string         `json:"script" jsonschema:"expression or function"`
	Arg    map[string]any `json:"arg,omitempty"`
}

type pageEvaluateOutput struct {
	Result json.RawMessage `json:"result"`
}

func (d *Desk) pageEvaluate() Tool {
	return define(d, spec{
		name: "page_evaluate", set: Core, off: !d.Evaluate, destructive: true, verbatim: []string{"arg"},
		description: "Run JavaScript in the page. It proves nothing: a page can lie to it.",
	}, func(ctx context.Context, c *call, in pageEvaluateInput) (pageEvaluateOutput, error) {
		s, err := c.sessionFor(ctx, in.SessionID)
		if err != nil {
			return pageEvaluateOutput{}, err
		}
		var arg any
		if in.Arg != nil {
			arg = in.Arg
		}
		result, effects, err := s.Evaluate(ctx, in.Script, arg)
		if err != nil {
			return pageEvaluateOutput{}, err
		}
		if d.Secrets != nil {
			result = d.Secrets.MaskData(result)
		}
		c.quote("result: %s", engine.OneLine(string(result)))
		c.sayEffects(effects)
		return pageEvaluateOutput{Result: result}, nil
	})
}
