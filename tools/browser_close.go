package tools

import (
	"context"
	"errors"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type browserCloseOutput struct {
	SessionID string   `json:"session_id"`
	Artifacts []string `json:"artifacts" jsonschema:"files written for the session"`
	// Memory is left out where it can't be counted.
	Memory *memoryOutput `json:"memory,omitempty" jsonschema:"what the session used when it was closed"`
}

type memoryOutput struct {
	UsedMB    int64 `json:"used_mb" jsonschema:"of the renderers of its pages"`
	LimitMB   int64 `json:"limit_mb" jsonschema:"limits.memory_mb; 0: none"`
	BrowserMB int64 `json:"browser_mb" jsonschema:"of the browser's own processes, which sessions share"`
}

// countLimit bounds how long a page that does not answer holds up its session's end.
const countLimit = 5 * time.Second

// askLimit returns how long a page may be asked before its session is closed, which must
// be in time, whatever it answers.
func askLimit(ctx context.Context) time.Duration {
	limit := countLimit
	if deadline, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(deadline)/4)
	}
	return limit
}

// memoryOf counts what a session uses; nil where this system can't count it.
func memoryOf(ctx context.Context, s *browser.Session) (*memoryOutput, error) {
	ctx, cancel := context.WithTimeout(ctx, askLimit(ctx))
	defer cancel()
	use, err := s.Memory(ctx)
	if errors.Is(err, errors.ErrUnsupported) {
		return nil, nil
	}
	const mb = 1 << 20
	return &memoryOutput{UsedMB: use.Session / mb, LimitMB: use.Limit / mb, BrowserMB: use.Browser / mb}, err
}

func browserClose(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "browser_close", Set: tool.Core, Unbudgeted: true, Repeat: workspace.Repeat{Nothing: true, Closes: true}, Destructive: true, ClosedWorld: true,
		Description: "Close a session and file its logs as evidence.",
	}, func(ctx context.Context, c *tool.Call, in tool.OnSession) (browserCloseOutput, error) {
		s, err := ws.Session(in.SessionID)
		if err != nil {
			return browserCloseOutput{}, err
		}
		asking, cancel := context.WithTimeout(ctx, askLimit(ctx))
		c.RecheckBeforeAct(asking, s)
		c.ExpectAnswer(asking, s)
		cancel()
		c.SetSession(s)
		out := browserCloseOutput{SessionID: s.ID(), Artifacts: []string{}}
		if out.Artifacts, err = fileLogs(c, s); err != nil {
			return out, err
		}
		traces, err := c.FileTrace(ctx, s)
		if err != nil {
			return out, err
		}
		out.Artifacts = append(out.Artifacts, traces...)
		c.EndDownloads(s)
		used, uncounted := memoryOf(ctx, s)
		if err := s.Close(ctx); err != nil {
			return out, err
		}
		c.Say("closed session %s", s.ID())
		switch {
		case uncounted != nil:
			c.Say("memory: not counted, the page did not answer")
		case used != nil:
			out.Memory = used
			if used.LimitMB > 0 {
				c.Say("memory: %d MB (limit %d MB); the browser's own processes: %d MB", used.UsedMB, used.LimitMB, used.BrowserMB)
			}
		}
		for _, name := range out.Artifacts {
			c.Say("written: %s", name)
		}
		return out, nil
	})
}

// fileLogs files what the session's console and network said.
func fileLogs(c *tool.Call, s *browser.Session) ([]string, error) {
	if c.RunErr != nil {
		return nil, c.RunErr
	}
	logs, err := s.Console("", c.Started.AddDate(-1, 0, 0), 1<<30)
	if err != nil {
		return nil, err
	}
	requests := s.Network("", 0, c.Started.AddDate(-1, 0, 0), 1<<30)
	har := []byte(nil)
	if len(requests.Events) > 0 {
		if har, err = browser.HAR([]browser.Traffic{s.Traffic(time.Time{})}, c.Workspace.ReportEnvironment().AssayVersion); err != nil {
			return nil, err
		}
	}
	if err := workspace.ReportTraffic(c.Run, []browser.Traffic{s.Traffic(c.Run.Started())}); err != nil {
		return nil, err
	}
	names := []string{}
	for _, f := range []struct {
		name, ending, mime string
		data               []byte
	}{
		{"console", "jsonl", "application/jsonl", jsonLines(logs.Entries)}, {"network", "jsonl", "application/jsonl", jsonLines(requests.Events)},
		{"network", "har", "application/json", har},
	} {
		if len(f.data) == 0 {
			continue
		}
		a, err := c.Run.SaveFile(f.name+"-"+s.ID()+"."+f.ending, f.mime, f.data, c.Step)
		if err != nil {
			return names, err
		}
		names = append(names, a.Name)
	}
	return names, nil
}

func jsonLines[T any](items []T) []byte {
	var out []byte
	for _, item := range items {
		out = append(append(out, engine.JSON(item)...), '\n')
	}
	return out
}
