package tools

import (
	"context"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type pageUploadInput struct {
	tool.OnElement
	Paths []string `json:"paths" jsonschema:"files below network.upload_roots"`
	Drop  bool     `json:"drop,omitempty"`
}

func pageUpload(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "page_upload", Set: tool.Core, ChangesPage: true, Destructive: true,
		Repeat: workspace.Repeat{Step: func(r *workspace.FlowBuilder, in workspace.RecordedInput) error {
			action := "upload"
			if in.Drop {
				action = "drop"
			}
			r.Flow.Steps = append(r.Flow.Steps, qa.FlowStep{Action: action, Selector: in.Selector, Value: in.Files(), Intent: in.Intent, TimeoutMS: in.TimeoutMS})
			return nil
		}},
		Description: "Give files to a file input, its label or the button of its file chooser, or drop them.",
	}, func(ctx context.Context, c *tool.Call, in pageUploadInput) (browser.Acted, error) {
		s, err := c.SessionFor(ctx, in.SessionID)
		if err != nil {
			return browser.Acted{}, err
		}
		if err := c.Identify(ctx, s, in.Selector, in.TimeoutMS); err != nil {
			return browser.Acted{}, err
		}
		return c.Act(ctx, s, "uploaded to", in.Selector, func() (browser.Acted, error) {
			c.Progress("copying the files")
			if in.Drop {
				return s.Drop(ctx, in.Selector, in.Paths, in.TimeoutMS.Duration())
			}
			return s.Upload(ctx, in.Selector, in.Paths, in.TimeoutMS.Duration())
		})
	})
}
