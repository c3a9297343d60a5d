package tools

import (
	"cmp"
	"context"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type consoleLogsInput struct {
	tool.OnSession
	Level string     `json:"level,omitempty" jsonschema:"the lowest"`
	Since *time.Time `json:"since,omitempty" jsonschema:"RFC 3339"`
	Limit int        `json:"limit,omitempty" jsonschema:"default 50"`
}

type consoleLogsOutput struct {
	Entries []browser.LogEntry `json:"entries"`
	Matched int                `json:"matched"`
	Dropped int                `json:"dropped" jsonschema:"older entries no longer kept"`
}

const defaultLogLimit = 50

func pageGetConsoleLogs(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "page_get_console_logs", Set: tool.Core, Repeat: workspace.Repeat{Nothing: true}, ReadOnly: true, Idempotent: true,
		Enums:       map[string][]string{"level": {"debug", "log", "info", "warning", "error", "exception"}},
		Description: "Console messages and exceptions, kept across navigations.",
	}, func(ctx context.Context, c *tool.Call, in consoleLogsInput) (consoleLogsOutput, error) {
		if in.Limit < 0 {
			return consoleLogsOutput{}, engine.InvalidInput("leave it out for 50", "limit can't be negative")
		}
		s, err := c.SessionFor(ctx, in.SessionID)
		if err != nil {
			return consoleLogsOutput{}, err
		}
		logs, err := s.Console(in.Level, since(in.Since), cmp.Or(in.Limit, defaultLogLimit))
		if err != nil {
			return consoleLogsOutput{}, err
		}
		c.Say("%d of %d matching entries, %d older ones no longer kept", len(logs.Entries), logs.Matched, logs.Dropped)
		for _, e := range logs.Entries {
			c.Quote("%s %s: %s", e.Time.UTC().Format("15:04:05.000"), e.Level, engine.OneLine(e.Text))
		}
		return consoleLogsOutput{Entries: logs.Entries, Matched: logs.Matched, Dropped: logs.Dropped}, nil
	})
}

// since returns the caller's time, and the zero time when there is none.
func since(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}
