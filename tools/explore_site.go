package tools

import (
	"context"
	"errors"
	"time"

	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type exploreSiteInput struct {
	Action        string `json:"action" jsonschema:"start, poll or cancel"`
	ExplorationID string `json:"exploration_id,omitempty" jsonschema:"of poll and cancel"`
	WaitMS        int    `json:"wait_ms,omitempty" jsonschema:"of poll: wait for the end, at most 40000"`
	URL           string `json:"url,omitempty" jsonschema:"of start"`
	Role          string `json:"role,omitempty" jsonschema:"who is signed in"`
	StayOnPath    bool   `json:"stay_on_path,omitempty" jsonschema:"stay below the path of url"`
	AllowWrites   bool   `json:"allow_writes,omitempty" jsonschema:"send forms; nothing destructive all the same"`
	MaxActions    int    `json:"max_actions,omitempty"`
	MaxStates     int    `json:"max_states,omitempty"`
	MaxTimeMS     int    `json:"max_time_ms,omitempty"`
	Seed          int64  `json:"seed,omitempty"`
}

func exploreSite(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "explore_site", Set: tool.Author, Destructive: true,
		Description: "Find the states of a site and what leads from one to another, in the background and without a model: site.json, pictures, a test plan. Start it, then poll.",
	}, func(ctx context.Context, c *tool.Call, in exploreSiteInput) (workspace.ExploreStatus, error) {
		s, err := explorationFor(ctx, ws, in)
		switch {
		case errors.Is(err, workspace.ErrNoExploration):
			return s, engine.InvalidInput("use the exploration_id that action start answered with", "%v", err)
		case errors.Is(err, workspace.ErrExplorationRefused):
			return s, engine.InvalidInput("fix what is named, and start again", "%v", err)
		case err != nil:
			return s, err
		}
		sayExploration(c, s)
		return s, nil
	})
}

func explorationFor(ctx context.Context, ws *workspace.Workspace, in exploreSiteInput) (workspace.ExploreStatus, error) {
	switch in.Action {
	case "start":
		if in.URL == "" || min(in.MaxActions, in.MaxStates, in.MaxTimeMS) < 0 {
			return workspace.ExploreStatus{}, engine.InvalidInput("give url, and limits of 0 or more", "url is empty or a limit is negative")
		}
		return ws.Explorations.Start(ctx, ws, workspace.ExploreRequest{URL: in.URL, Role: in.Role, StayOnPath: in.StayOnPath, AllowWrites: in.AllowWrites,
			MaxActions: in.MaxActions, MaxStates: in.MaxStates, MaxTimeMS: in.MaxTimeMS, Seed: in.Seed})
	case "poll":
		waiting, cancel := context.WithTimeout(ctx, min(time.Duration(max(in.WaitMS, 0))*time.Millisecond, longestWait))
		defer cancel()
		return ws.Explorations.Status(waiting, in.ExplorationID)
	case "cancel":
		return ws.Explorations.Cancel(ctx, in.ExplorationID)
	}
	return workspace.ExploreStatus{}, engine.InvalidInput("use start, poll or cancel", "action %q is unknown", in.Action)
}

// sayExploration says where an exploration stands, as a model reads it.
func sayExploration(c *tool.Call, s workspace.ExploreStatus) {
	c.Say("exploration %s: %s, %d states, %d actions", s.ExplorationID, s.State, s.States, s.Actions)
	if s.Problem != "" {
		c.Quote("problem: %s", engine.OneLine(s.Problem))
	}
	for _, f := range s.Findings {
		c.Quote("found %s", engine.OneLine(f))
	}
	for _, u := range s.Untried {
		c.Quote("untried %s", engine.OneLine(u))
	}
	if s.State == "running" {
		c.Say("next: explore_site with action poll and wait_ms")
		return
	}
	c.Say("stopped: %s", s.Stopped)
	if s.Hint != "" {
		c.Quote("next: %s", engine.OneLine(s.Hint))
	}
	c.Say("site: %s", s.Site)
	c.Say("plan: %s", s.Plan)
}
