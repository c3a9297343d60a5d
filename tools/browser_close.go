package tools

import (
	"context"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
)

type browserCloseOutput struct {
	SessionID string   `json:"session_id"`
	Artifacts []string `json:"artifacts" jsonschema:"files written for the session"`
}

func (d *Desk) browserClose() Tool {
	return define(d, spec{
		name: "browser_close", set: Core, unbudgeted: true, repeat: repeat{nothing: true, closes: true}, destructive: true, closedWorld: true,
		description: "Close a session and file its logs as evidence.",
	}, func(ctx context.Context, c *call, in onSession) (browserCloseOutput, error) {
		s, err := d.session(in.SessionID)
		if err != nil {
			return browserCloseOutput{}, err
		}
		c.setSession(s)
		out := browserCloseOutput{SessionID: s.ID(), Artifacts: []string{}}
		if out.Artifacts, err = c.fileLogs(s); err != nil {
			return out, err
		}
		traces, err := c.fileTrace(ctx, s)
		if err != nil {
			return out, err
		}
		out.Artifacts = append(out.Artifacts, traces...)
		c.endDownloads(s)
		if err := s.Close(ctx); err != nil {
			return out, err
		}
		c.say("closed session %s", s.ID())
		for _, name := range out.Artifacts {
			c.say("written: %s", name)
		}
		return out, nil
	})
}

// fileLogs files what the session's console and network said.
func (c *call) fileLogs(s *browser.Session) ([]string, error) {
	if c.runErr != nil {
		return nil, c.runErr
	}
	logs, err := s.Console("", c.started.AddDate(-1, 0, 0), 1<<30)
	if err != nil {
		return nil, err
	}
	requests := s.Network("", 0, c.started.AddDate(-1, 0, 0), 1<<30)
	har := []byte(nil)
	if len(requests.Events) > 0 {
		if har, err = browser.HAR([]browser.Traffic{s.Traffic(time.Time{})}, c.desk.environment().AssayVersion); err != nil {
			return nil, err
		}
	}
	if err := reportTraffic(c.run, []browser.Traffic{s.Traffic(c.run.Started())}); err != nil {
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
		a, err := c.run.SaveFile(f.name+"-"+s.ID()+"."+f.ending, f.mime, f.data, c.step)
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
