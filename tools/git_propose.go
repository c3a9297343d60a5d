package tools

import (
	"context"

	"github.com/assay-qa/assay/author/workcopy"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type gitProposeInput struct {
	Branch string   `json:"branch,omitempty" jsonschema:"new, with the configured prefix; default: the prefix and the run's id"`
	Title  string   `json:"title" jsonschema:"one line"`
	Body   string   `json:"body,omitempty"`
	Paths  []string `json:"paths,omitempty" jsonschema:"files that were written; default: all of them"`
}

type gitProposeOutput struct {
	Branch      string `json:"branch"`
	Commit      string `json:"commit"`
	Diff        string `json:"diff"`
	Patch       string `json:"patch" jsonschema:"for git am"`
	PullRequest string `json:"pull_request" jsonschema:"a text for it"`
}

func gitPropose(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "git_propose", Set: tool.Author, Repeat: workspace.Repeat{Nothing: true}, ClosedWorld: true, Publish: true,
		Description: "Commit written files on a new branch of the project's repository. Its files, index and other branches stay as they are, and nothing is pushed.",
	}, func(ctx context.Context, c *tool.Call, in gitProposeInput) (gitProposeOutput, error) {
		branch := in.Branch
		if branch == "" && c.Run != nil {
			branch = ws.Draft.Prefix + c.Run.ID()
		}
		p, err := ws.Draft.Propose(ctx, workcopy.Proposal{Branch: branch, Title: in.Title, Body: in.Body, Paths: in.Paths})
		if err != nil {
			return gitProposeOutput{}, draftProblem(ctx, err)
		}
		c.Say("branch %s, commit %.12s: %d files; not pushed", p.Branch, p.Commit, len(p.Paths))
		c.Say("a person publishes it: git push origin %s", p.Branch)
		return gitProposeOutput{Branch: p.Branch, Commit: p.Commit, Diff: p.Diff, Patch: p.Patch, PullRequest: p.PullRequest}, nil
	})
}
