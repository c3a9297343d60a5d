package tools

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/qa/flow"
)

// FlowRules are what this build accepts in a flow beyond its form. Addresses
// may be relative; [flow.Flow.Resolve] makes them absolute.
func FlowRules() flow.Rules {
	return flow.Rules{
		URL: func(address string) error {
			u, err := url.Parse(strings.TrimSpace(address))
			if err == nil && u.Scheme == "" && u.Host == "" && (strings.HasPrefix(u.Path, "/") || u.Path == "" && u.RawQuery != "") {
				return nil
			}
			return inWords(browser.CheckURL(address))
		},
		Selector:  func(s string) error { return inWords(browser.CheckSelector(s)) },
		Assertion: checkPattern,
		Action: func(action string) error {
			if slices.Contains(laterActions(), action) {
				return errors.New("action " + action + " is not in this version")
			}
			return nil
		},
	}
}

// inWords is an error without its code, and with its hint.
func inWords(err error) error {
	var be *browser.Error
	if errors.As(err, &be) && be.Hint != "" {
		return errors.New(be.Message + " (" + be.Hint + ")")
	}
	return err
}

// laterActions are the actions that sessions of this version can't do. Where a
// session can, take its name off this list and fill in the method below.
func laterActions() []string { return []string{"upload", "dialog"} }

// upload gives files to a file control.
func (p *flowPage) upload(context.Context, string, []string, time.Duration) error {
	return invalidInput("leave the step out", "action upload is not in this version")
}

// dialog says how the dialogs that follow are answered: accept, with a text for
// prompts, or dismiss.
func (p *flowPage) dialog(_, _ string) error {
	return invalidInput("leave the step out", "action dialog is not in this version")
}
