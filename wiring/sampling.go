package wiring

import (
	"context"
	"errors"
	"fmt"

	"github.com/assay-qa/assay/agent/sampling"
	"github.com/assay-qa/assay/server"
)

// sample asks the model of the client whose call the context belongs to.
func sample(ctx context.Context, system string, messages []sampling.Message, limit int) (sampling.Answer, error) {
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
