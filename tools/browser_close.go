package tools

import (
	"context"

	"github.com/assay-qa/assay/browser"
)

type browserCloseOutput struct {
	SessionID string   `json:"session_id"`
	Artifacts []string `json:"artifacts" jsonschema:"files written for the session"`
}

func (d *Desk) browserClose() Tool {
	return define(d, spec{
		name: "browser_close", set: Core, destructive: true, closedWorld: true,
		description: "Close a session and write its console and network logs to the run's evidence.",
	}, func(ctx context.Context, c *call, in onSession) (browserCloseOutput, error) {
		s, err := d.Pool.Session(in.SessionID)
		if err != nil {
			return browserCloseOutput{}, err
		}
		c.use(s)
		out := browserCloseOutput{SessionID: s.ID(), Artifacts: []string{}}
		if out.Artifacts, err = c.fileLogs(s); err != nil {
			return out, err
		}
		cancelled := s.CancelDownloads()
		c.fileDownloads(s) // their files go with the session
		if err := s.Close(ctx); err != nil {
			return out, err
		}
		c.say("closed session %s", s.ID())
		for _, d := range cancelled {
			c.quote("cancelled, it was still running: %s", d)
		}
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
	names := []string{}
	for _, f := range []struct {
		name string
		data []byte
	}{{"console", jsonLines(logs.Entries)}, {"network", jsonLines(requests.Events)}} {
		if len(f.data) == 0 {
			continue
		}
		a, err := c.run.SaveFile(f.name+"-"+s.ID()+".jsonl", "application/jsonl", f.data, c.step)
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
		out = append(append(out, mustJSON(item)...), '\n')
	}
	return out
}
