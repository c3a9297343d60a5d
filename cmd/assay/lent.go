package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/agent/sampling"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/server"
)

// lentModels makes models that an attached client lends. The context of its
// call leads to it, also in a suite that outlives the call.
func lentModels(cfg config.Agent) maker {
	return maker{provider: cfg.Provider,
		check: func(ctx context.Context) error {
			if server.CanSample(ctx) {
				return nil
			}
			return usage(`agent.provider "sampling" takes the model of an attached client, in suites that it starts with run_suite, and here is none that lends one (capability sampling, before revision 2026-07-28): set another agent.provider`)
		},
		model: func(qa.TaskSpec, string, []string) (agent.Model, error) {
			return sampling.New(lent, cfg.MaxOutputTokens), nil
		}}
}

// lent asks the model of the client whose call the context belongs to.
func lent(ctx context.Context, system string, messages []sampling.Message, limit int) (sampling.Answer, error) {
	q := server.Sampling{System: system, MaxTokens: limit}
	for _, m := range messages {
		out := server.Message{Assistant: m.Assistant, Text: m.Text}
		if m.Image != nil {
			out.Picture, out.MIMEType = m.Image.Data, m.Image.MIMEType
		}
		q.Messages = append(q.Messages, out)
	}
	got, err := server.Sample(ctx, q)
	if errors.Is(err, server.ErrCannotSample) {
		err = fmt.Errorf("%w: %w", sampling.ErrUnable, err)
	}
	return sampling.Answer{Text: got.Text, Cut: got.Stop == "maxTokens"}, err
}
