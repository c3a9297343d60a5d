package tools

import (
	"context"
	"fmt"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/schema"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type browserLaunchInput struct {
	BrowserType string         `json:"browser_type,omitempty"`
	Options     *launchOptions `json:"options,omitempty" jsonschema:"device: such as Pixel 7; role: signed in as; storage_state: a path"`
}

type launchOptions struct {
	Headless     *bool         `json:"headless,omitempty"`
	Viewport     *viewport     `json:"viewport,omitempty"`
	TimeoutMS    schema.Millis `json:"timeout_ms,omitempty" jsonschema:"of an action, unless the call says another"`
	Device       string        `json:"device,omitempty" jsonschema:"Playwright device name, such as Pixel 7"`
	Locale       string        `json:"locale,omitempty" jsonschema:"such as en-US"`
	Timezone     string        `json:"timezone,omitempty" jsonschema:"such as Europe/Berlin"`
	AllowedHosts []string      `json:"allowed_hosts,omitempty" jsonschema:"reach only these of the hosts that the configuration allows"`
	Trace        *bool         `json:"trace,omitempty" jsonschema:"file a Playwright trace at browser_close; in runs that is so anyway"`
	Role         string        `json:"role,omitempty" jsonschema:"role of the environment to be signed in as"`
	StorageState string        `json:"storage_state,omitempty" jsonschema:"path of a Playwright state file"`
}

type viewport struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

type browserLaunchOutput struct {
	SessionID string   `json:"session_id"`
	Browser   string   `json:"browser"`
	Version   string   `json:"version"`
	Viewport  viewport `json:"viewport"`
	Headless  bool     `json:"headless"`
}

func browserLaunch(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "browser_launch", Set: tool.Core, Repeat: workspace.Repeat{Step: (*workspace.FlowBuilder).Launch}, Plain: []string{"options"},
		Unlisted: []string{"options.allowed_hosts"}, Enums: map[string][]string{"browser_type": {"chromium", "firefox", "webkit"}},
		Description: "Open an isolated session. Tools open a default one by themselves.",
	}, func(ctx context.Context, c *tool.Call, in browserLaunchInput) (browserLaunchOutput, error) {
		lo := browser.LaunchOptions{Type: in.BrowserType}
		if o := in.Options; o != nil {
			lo.Device, lo.Locale, lo.Timezone, lo.StorageState = o.Device, o.Locale, o.Timezone, o.StorageState
			lo.AllowedHosts = o.AllowedHosts
			if lo.Timeout = o.TimeoutMS.Duration(); lo.Timeout > ws.Limit {
				return browserLaunchOutput{},
					engine.InvalidInput(fmt.Sprintf("use up to %d; a call may ask for more by its own timeout_ms", ws.Limit.Milliseconds()), "options.timeout_ms is %d", o.TimeoutMS)
			}
			if o.Headless != nil {
				headed := !*o.Headless
				lo.Headed = &headed
			}
			if o.Viewport != nil {
				if o.Viewport.Width < 1 || o.Viewport.Height < 1 {
					return browserLaunchOutput{}, engine.InvalidInput("use 1 to 10000 pixels a side, such as 1280×720", "viewport %d×%d is out of range", o.Viewport.Width, o.Viewport.Height)
				}
				lo.Width, lo.Height = o.Viewport.Width, o.Viewport.Height
			}
		}
		c.Progress("starting the browser")
		s, err := launchAs(ctx, c, in.Options, lo)
		if err != nil {
			return browserLaunchOutput{}, err
		}
		if in.Options != nil {
			ws.RequestTrace(s.ID(), in.Options.Trace)
		}
		c.SetSession(s)
		info := s.Info()
		c.Say("session %s: %s %s, %d×%d", info.ID, info.Browser, info.Version, info.Width, info.Height)
		return browserLaunchOutput{SessionID: info.ID, Browser: info.Browser, Version: info.Version,
			Viewport: viewport{info.Width, info.Height}, Headless: info.Headless}, nil
	})
}

// launchAs opens a session, signed in where the caller names a role.
func launchAs(ctx context.Context, c *tool.Call, o *launchOptions, lo browser.LaunchOptions) (*browser.Session, error) {
	switch {
	case o == nil || o.Role == "":
		return c.Workspace.Launch(ctx, lo)
	case o.StorageState != "":
		return nil, engine.InvalidInput("leave one of them out: a role has a stored sign-in of its own", "role and storage_state exclude each other")
	}
	s, err := c.SignedIn(ctx, o.Role, lo)
	if err == nil {
		c.Say("signed in as %s", o.Role)
	}
	return s, err
}
