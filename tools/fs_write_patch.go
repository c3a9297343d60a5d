package tools

import (
	"context"
	"errors"

	"github.com/assay-qa/assay/author/draft"
	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa/code"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type fsWritePatchInput struct {
	Path    string `json:"path" jsonschema:"such as tests/login.spec.ts or test-plan/shop.md"`
	Content string `json:"content,omitempty" jsonschema:"the whole file"`
	Patch   string `json:"patch,omitempty" jsonschema:"or a change of it, as git diff writes it"`
	Reason  string `json:"reason" jsonschema:"why, in a sentence"`
}

func fsWritePatch(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "fs_write_patch", Set: tool.Author, Repeat: workspace.Repeat{Nothing: true}, ClosedWorld: true, Publish: true,
		Description: "Write a Playwright test or a plan into a working copy of the project's last commit; the project itself stays as it is. " +
			"Tests are plain JavaScript without types that import expect and test alone, take one path, and await what they expect.",
	}, func(ctx context.Context, c *tool.Call, in fsWritePatchInput) (draft.Written, error) {
		change := draft.Change{Path: in.Path}
		if in.Content != "" {
			change.Content = &in.Content
		}
		if in.Patch != "" {
			change.Patch = &in.Patch
		}
		if in.Reason == "" {
			return draft.Written{}, engine.InvalidInput("say in a sentence why the file is written", "reason is empty")
		}
		out, err := ws.Draft.Write(ctx, change)
		if err != nil {
			return out, draftProblem(ctx, err)
		}
		c.Say("written: %s in %s (not in the project yet: git_propose)", out.Path, out.Folder)
		if out.Diff == "" {
			c.Say("it is as it was in the last commit")
		}
		return out, nil
	})
}

// draftProblem turns an error of a draft into one with a code and a next step.
func draftProblem(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}
	var missing *driver.InstallError
	if errors.As(err, &missing) {
		return missingRunner(missing)
	}
	return engine.InvalidInput("change what is named, and call again", "%v", err)
}

// missingRunner says which command installs what runs, reads or formats tests.
func missingRunner(err *driver.InstallError) error {
	return &engine.Error{Code: code.DriverMissing, Message: pagetext.Sentencef("%v", err), Hint: "run: " + err.Remedy}
}
