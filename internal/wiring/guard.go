package wiring

import (
	"context"
	"errors"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/server"
)

// Judge makes the guard that a setting of guard.destructive means, and says whether a
// person can permit what it stops; nil where everything is allowed.
func Judge(g config.Guard) (judge *guard.Guard, asks bool, err error) {
	if g.Destructive == "allow" {
		return nil, false, nil
	}
	if judge, err = newGuard(g); err != nil {
		return nil, false, err
	}
	if g.Destructive == "as-written" {
		judge = judge.ByActs()
	}
	return judge, g.Destructive != "deny", nil
}

func newGuard(g config.Guard) (*guard.Guard, error) {
	judge, err := guard.New(g.ClickPatterns, g.RequestPatterns)
	if err == nil {
		judge, err = judge.Allowing(g.AllowRequests)
	}
	if err != nil {
		return nil, config.Usage("%w", err)
	}
	return judge, nil
}

// guarded adds to a pool's options what happens to destructive actions.
func guarded(o browser.Options, g config.Guard) (browser.Options, error) {
	judge, asks, err := Judge(g)
	if err != nil {
		return o, err
	}
	o.Guard = judge
	if asks {
		o.Confirm = Confirm
	}
	return o, nil
}

// Confirm asks the person at the client.
func Confirm(ctx context.Context, question string) (bool, error) {
	accepted, err := server.Ask(ctx, question)
	if errors.Is(err, server.ErrCannotAsk) {
		err = browser.ErrNobodyToAsk
	}
	return accepted, err
}

// ExploreGuard makes the guard of explorations: nothing destructive is done, whatever
// the configuration permits elsewhere, and nothing is written unless that is allowed.
func ExploreGuard(g config.Guard, allowWrites bool) (*guard.Guard, error) {
	judge, err := newGuard(g)
	if err != nil {
		return nil, err
	}
	if g.Destructive != "deny" {
		judge = judge.ByActs()
	}
	if !allowWrites {
		judge = judge.OnlyReading()
	}
	return judge, nil
}

// Destructive returns what tells destructive controls by their names, whatever the
// configuration permits elsewhere.
func Destructive(g config.Guard) (func(name string) bool, error) {
	judge, err := guard.New(g.ClickPatterns, g.RequestPatterns)
	if err != nil {
		return nil, config.Usage("%w", err)
	}
	return func(name string) bool {
		_, destructive := judge.Click(name)
		return destructive
	}, nil
}
