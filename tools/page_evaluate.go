package tools

import (
	"context"
	"encoding/json"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type pageEvaluateInput struct {
	tool.OnSession
	Script string         `json:"script" jsonschema:"expression or function"`
	Arg    map[string]any `json:"arg,omitempty" jsonschema:"object as JSON"`
}

type pageEvaluateOutput struct {
	Result json.RawMessage `json:"result"`
}

func pageEvaluate(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "page_evaluate", Set: tool.Core, Off: !ws.Evaluate, Destructive: true, Repeat: workspace.Repeat{Step: repeatScript}, Verbatim: []string{"arg"},
		Description: "Run JavaScript in the page. It proves nothing: a page can lie to it.",
	}, func(ctx context.Context, c *tool.Call, in pageEvaluateInput) (pageEvaluateOutput, error) {
		s, err := c.SessionFor(ctx, in.SessionID)
		if err != nil {
			return pageEvaluateOutput{}, err
		}
		var arg any
		if in.Arg != nil {
			arg = in.Arg
		}
		if s.WritesAnew() {
			ws.NoteScript(s.ID(), s.Acts())
		}
		result, effects, err := s.Evaluate(ctx, in.Script, arg)
		if err != nil {
			return pageEvaluateOutput{}, err
		}
		if ws.Secrets != nil {
			result = ws.Secrets.MaskData(result)
		}
		c.Quote("result: %s", engine.OneLine(string(result)))
		c.SayEffects(effects)
		return pageEvaluateOutput{Result: result}, nil
	})
}

// repeatScript adds the step that runs a script, where it takes no argument.
func repeatScript(r *workspace.FlowBuilder, in workspace.RecordedInput) error {
	if len(in.Arg) > 0 {
		return workspace.ErrNoStep
	}
	r.Flow.Steps = append(r.Flow.Steps, qa.FlowStep{Action: "evaluate", Value: in.Script})
	return nil
}
