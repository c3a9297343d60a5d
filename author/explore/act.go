package explore

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/internal/pagetext"
)

// do does what an action says, its fields first, and returns what it caused.
func (e *explorer) do(ctx context.Context, a site.Action, as guard.Kind) (Effect, error) {
	if a.Kind == site.Navigate {
		return e.load(ctx, a.URL)
	}
	all := Effect{}
	for _, f := range a.Fields {
		effect, err := e.fill(ctx, f, as, false)
		all = all.with(effect)
		if err != nil {
			return all, err
		}
	}
	effect, err := e.act(ctx, a, as)
	return all.with(effect), err
}

// doFirst does an action for the first time. A field that is gone once others are filled, as
// where what is chosen decides what else is asked for, is none of the action, unless a value of
// the action breaks a rule: it may be that of the field.
func (e *explorer) doFirst(ctx context.Context, a *site.Action, as guard.Kind) (Effect, error) {
	all, filled := Effect{}, a.Fields[:0:0]
	for _, f := range a.Fields {
		effect, err := e.fill(ctx, f, as, len(filled) > 0)
		all = all.with(effect)
		var gone *Gone
		switch {
		case err == nil:
			filled = append(filled, f)
		case !errors.As(err, &gone) || len(filled) == 0 || a.Invalid != "" && a.Invalid != allEmpty:
			return all, err
		default:
			e.o.Log.Debug("a field is left out", "field", f.Element.Name, "err", err)
		}
	}
	a.Fields = filled
	rest := *a
	rest.Fields = nil
	if a.Kind == site.Fill && len(filled) > 0 {
		return all, nil
	}
	effect, err := e.do(ctx, rest, as)
	return all.with(effect), err
}

// record returns what names the record in addresses on which an act is done.
func (e *explorer) record(as guard.Kind) string {
	if as != guard.Others || e.here == nil {
		return ""
	}
	return e.records.of(e.here)
}

// fill gives a field of a form its value. stands says that the page is at rest: see [Act].
func (e *explorer) fill(ctx context.Context, f site.Field, as guard.Kind, stands bool) (Effect, error) {
	act := Act{Kind: site.Fill, Selectors: selectorsOf(f.Element), Value: f.Value, Stands: stands, As: as, Record: e.record(as)}
	switch {
	case f.Option != "":
		act.Kind, act.Option = site.Select, f.Option
	case f.Checked != nil:
		act.Kind, act.On = site.Check, *f.Checked
	default:
		e.records.enters(e.here, &f.Element, f.Value)
	}
	effect, err := e.page.Do(ctx, act)
	if err != nil {
		err = fmt.Errorf("%s: %w", f.Element.Name, err)
	}
	return effect, err
}

// act does an action but for its fields.
func (e *explorer) act(ctx context.Context, a site.Action, as guard.Kind) (Effect, error) {
	record, all := e.record(as), Effect{}
	if a.Element == nil || a.Kind == site.Fill && len(a.Fields) > 0 {
		return all, nil
	}
	if a.Value != "" {
		e.records.enters(e.here, a.Element, a.Value)
	}
	act := Act{Kind: a.Kind, Selectors: selectorsOf(*a.Element), Value: a.Value, Option: a.Option, Key: a.Key, On: true, As: as, Record: record}
	if a.Kind == site.Submit {
		act.Kind = site.Click
		if a.Key != "" {
			act.Kind = site.Press
		}
	}
	if a.Kind == site.Press && a.Value != "" {
		effect, err := e.page.Do(ctx, Act{Kind: site.Fill, Selectors: act.Selectors, Value: a.Value, As: as, Record: record})
		all = all.with(effect)
		if err != nil {
			return all, err
		}
	}
	effect, err := e.page.Do(ctx, act)
	return all.with(effect), err
}

// with adds a later effect.
func (x Effect) with(y Effect) Effect {
	x.Stopped, x.Wrote, x.WroteTo = append(x.Stopped, y.Stopped...), x.Wrote || y.Wrote, append(x.WroteTo, y.WroteTo...)
	x.Loaded = x.Loaded || y.Loaded
	for _, one := range []struct{ to, from *string }{{&x.Dialog, &y.Dialog}, {&x.Popup, &y.Popup}, {&x.Download, &y.Download}} {
		if *one.from != "" {
			*one.to = *one.from
		}
	}
	return x
}

func selectorsOf(el site.Element) []string {
	var out []string
	for _, l := range el.Locators {
		out = append(out, l.Selector)
	}
	return out
}

// perform does the action of a round. What the guard stopped makes it a refused one.
func (e *explorer) perform(ctx context.Context, w *work, as guard.Kind) (Effect, error) {
	effect, err := e.doFirst(ctx, &w.action, as)
	for _, rule := range w.rules {
		e.rules[rule] = true
	}
	var refused *Refused
	if err == nil && len(effect.Stopped) > 0 {
		err = &Refused{Why: "it asked for " + pagetext.Listed(effect.Stopped) + ", which was stopped"}
	}
	if errors.As(err, &refused) && !e.o.AllowWrites && refused.Why.Text().Contains(guard.ReadOnlyRule) {
		return effect, &Refused{Why: refused.Why + "; --allow-writes permits it", Rule: refused.Rule}
	}
	return effect, err
}

// Describe writes an action in a few words.
func Describe(a site.Action) string {
	what := a.URL
	if el := a.Element; el != nil {
		what = strings.TrimSpace(el.Role + " " + quote(el.Name))
		switch {
		case el.Role == "" && el.Name != "":
			what = el.Tag + " " + quote(el.Name)
		case el.Role == "":
			what = el.Selector
		}
	}
	out := a.Kind + " " + what
	if a.Kind == site.Fill && len(a.Fields) > 0 {
		out = "fill the form of " + what
	}
	switch {
	case a.Invalid != "":
		out += " with an invalid value (" + a.Invalid + ")"
	case a.Kind == site.Select:
		out += ": " + a.Option
	case a.Key != "":
		out += ": " + a.Key
	}
	return out
}

func quote(text string) string {
	if text == "" {
		return ""
	}
	return `"` + text + `"`
}
