package runner

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"math/rand/v2"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/agent/provider"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/server"
	"github.com/assay-qa/assay/tools/workspace"
	"github.com/assay-qa/assay/visual"
)

// agentConfig returns the agent's configuration for the environment under test.
func agentConfig(cfg config.Config, d *workspace.Workspace) config.Agent {
	if env, ok := cfg.Environments[d.Target.Name]; ok {
		return env.Agent
	}
	return cfg.Agent
}

// taskLimits returns a task's own budgets, raised to and completed by those of the
// profile, and completed by those of the environment and of the agent.
func taskLimits(task qa.TaskSpec, profile config.Budgets, target *qa.Budgets, a config.Agent) agent.Limits {
	var own, env qa.Budgets
	if task.Budgets != nil {
		own = *task.Budgets
	}
	if target != nil {
		env = *target
	}
	first := func(own, profile, env, agent int) int {
		if own > 0 {
			return max(own, profile)
		}
		return cmp.Or(profile, env, agent)
	}
	return agent.Limits{
		Budgets: qa.Budgets{
			MaxToolCalls:   first(own.MaxToolCalls, profile.MaxToolCalls, env.MaxToolCalls, a.MaxToolCalls),
			MaxTimeMS:      first(own.MaxTimeMS, profile.MaxTimeMS, env.MaxTimeMS, a.MaxTimeMS),
			MaxScreenshots: first(own.MaxScreenshots, profile.MaxScreenshots, env.MaxScreenshots, a.MaxScreenshots),
			MaxTokens:      first(own.MaxTokens, profile.MaxTokens, env.MaxTokens, a.MaxTokens),
		},
		MaxConsecutiveErrors: a.MaxConsecutiveErrors,
		MaxRetriesPerStep:    a.MaxRetriesPerStep,
	}.WithDefaults()
}

// Toolbox hands an agent's calls to the server over its own protocol.
type Toolbox struct {
	Client    *server.Client
	MaxPixels int // largest picture of a failure that is shown to the model; 0: none is
}

// Tools lists the tools that the server offers.
func (t Toolbox) Tools(ctx context.Context) ([]agent.Tool, error) {
	offers, err := t.Client.Tools(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]agent.Tool, len(offers))
	for i, o := range offers {
		out[i] = agent.Tool{Name: o.Name, Description: o.Description, Schema: o.Schema}
	}
	return out, nil
}

// Call calls a tool, and gives pictures their size.
func (t Toolbox) Call(ctx context.Context, name string, arguments json.RawMessage) (agent.Result, error) {
	if len(arguments) == 0 {
		arguments = json.RawMessage("{}")
	}
	answer, err := t.Client.Call(ctx, name, arguments)
	if err != nil {
		return agent.Result{}, err
	}
	r := agent.Result{Name: name, Structured: answer.Structured, IsError: answer.IsError, Parts: []agent.Part{{Text: answer.Text}}}
	for _, p := range answer.Pictures {
		image := &agent.Image{MIMEType: p.MIMEType, Data: p.Data}
		// Where a model points to counts on the picture that it saw, which may be
		// smaller than the screen.
		if raw, err := base64.StdEncoding.DecodeString(p.Data); err == nil {
			image.Width, image.Height, _ = visual.Size(raw) // 0: unknown
		}
		r.Parts = append(r.Parts, agent.Part{Image: image})
	}
	switch image, err := t.failurePicture(name, answer); {
	case err != nil: // the model can look again
		r.Parts = append(r.Parts, agent.Part{Text: err.Error()})
	case image != nil:
		r.Parts = append(r.Parts, agent.Part{Image: image})
	}
	return r, nil
}

// AgentOptions returns what the configuration says about how the agent runs a job.
func (rn *Runner) AgentOptions(d *workspace.Workspace, j Job) (agent.Options, error) {
	own := agentConfig(rn.Config, d)
	limits := taskLimits(j.Task, rn.Budgets, d.Target.Budgets, own)
	task := j.Task
	task.Budgets = &limits.Budgets
	redact, err := Redactor(rn.Vault, own.Redact)
	if err != nil {
		return agent.Options{}, err
	}
	hidden := len(own.Redact) > 0
	o := agent.Options{
		Task: task, Procedure: j.Procedure, Model: j.Model, Provider: own.Provider, ModelName: provider.ModelName(own),
		Allow: own.Tools, Limits: limits, Screen: screen(rn.Config, d, j.Task),
		Instructions: agent.Orders(agent.Setting{Spec: j.Path, BaseURL: d.Target.BaseURL, Address: j.Address, Hosts: j.Hosts, Steps: j.Procedure != nil, Hidden: hidden}),
		Remind:       own.Provider != "rules", Redact: redact, Withhold: hidden, Fatal: d.FatalConsole,
		Now: rn.Now, Chance: rand.Float64, Log: rn.Log.With("specPath", j.Path),
	}
	o.Rates = modelRates(rn.Config, o.ModelName)
	return o, nil
}

// modelRates returns what a model's tokens cost; nil where that is not known.
func modelRates(cfg config.Config, model string) *agent.Rates {
	p, ok := cfg.Prices[model]
	if !ok {
		return nil
	}
	return &agent.Rates{Input: p.Input, Cached: cmp.Or(p.CachedInput, p.Input), Output: p.Output}
}

// start returns what the sessions of a task start with: the viewport of computer use,
// unless another than the default one is configured. A recording of the task has the
// same. A task with pictures keeps the viewport of its baselines.
func (rn *Runner) start(d *workspace.Workspace, start workspace.Start, task qa.TaskSpec) workspace.Start {
	usual, shown := config.Default().Browser.Viewport, screen(rn.Config, d, task)
	if start.Width == 0 && start.Device == "" && task.Device == "" && task.Viewport == nil && len(task.Visual) == 0 && shown.Width == usual.Width && shown.Height == usual.Height {
		start.Width, start.Height = workspace.ComputerWidth, workspace.ComputerHeight
	}
	return start
}

// screen returns the visible area of the pages of the environment under test.
func screen(cfg config.Config, d *workspace.Workspace, t qa.TaskSpec) agent.Screen {
	if t.Viewport != nil {
		return agent.Screen{Width: t.Viewport.Width, Height: t.Viewport.Height}
	}
	if d.Start.Width > 0 {
		return agent.Screen{Width: d.Start.Width, Height: d.Start.Height}
	}
	size := cfg.Browser.Viewport
	if env, ok := cfg.Environments[d.Target.Name]; ok {
		size = env.Viewport
	}
	return agent.Screen{Width: size.Width, Height: size.Height}
}
