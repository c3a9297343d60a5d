package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/browser/scan"
	"github.com/assay-qa/assay/internal/address"
	"github.com/assay-qa/assay/internal/pagetext"
)

// do does what an action says, its fields first.
func (e *explorer) do(ctx context.Context, a site.Action, as guard.Kind) error {
	if a.Kind == site.Navigate {
		_, err := e.load(ctx, a.URL)
		return err
	}
	for i := range a.Fields {
		if _, err := e.fill(ctx, &a.Fields[i], as, false); err != nil {
			return err
		}
	}
	_, err := e.act(ctx, &a, as)
	return err
}

// doFirst does an action for the first time, and returns what it caused. A field that has nothing to
// choose is none of the action, and so is one that is gone once others are filled, as where what is
// chosen decides what else is asked for, unless a value of the action breaks a rule: it may be that
// of the field.
func (e *explorer) doFirst(ctx context.Context, a *site.Action, as guard.Kind) (Effect, error) {
	all, filled := Effect{}, a.Fields[:0:0]
	for _, f := range a.Fields {
		effect, err := e.fill(ctx, &f, as, len(filled) > 0)
		all = all.with(effect)
		var gone *Gone
		var none *noChoice
		switch {
		case err == nil:
			filled = append(filled, f)
		case errors.As(err, &none):
			e.o.Log.Debug("a field is left out", "field", f.Element.Name, "err", err)
		case !errors.As(err, &gone) || len(filled) == 0 || a.Invalid != "" && a.Invalid != allEmpty:
			return all, err
		default:
			e.o.Log.Debug("a field is left out", "field", f.Element.Name, "err", err)
		}
	}
	if a.Kind == site.Fill && len(a.Fields) > 0 && len(filled) == 0 {
		return all, &noChoice{}
	}
	a.Fields = filled
	if a.Kind == site.Navigate {
		return e.load(ctx, a.URL)
	}
	effect, err := e.act(ctx, a, as)
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
func (e *explorer) fill(ctx context.Context, f *site.Field, as guard.Kind, stands bool) (Effect, error) {
	if f.Choice != nil {
		return e.chooseInForm(ctx, f, as)
	}
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
func (e *explorer) act(ctx context.Context, a *site.Action, as guard.Kind) (Effect, error) {
	record, all := e.record(as), Effect{}
	switch {
	case a.Element == nil || a.Kind == site.Fill && len(a.Fields) > 0:
		return all, nil
	case a.Choice != nil:
		return e.chooseAlone(ctx, a, as)
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

// noChoice says that a control opens no list with an option that is not chosen yet.
type noChoice struct {
	open bool // what it opens is open
}

func (*noChoice) Error() string { return "it opens no list with an option that is not chosen yet" }

// errLeft says that an option led to another page: what else a form has is not there.
var errLeft = errors.New("the option led to another page")

// chooseInForm takes an option for a field of a form. What it opens in vain is closed, as it may
// lie over the other fields.
func (e *explorer) chooseInForm(ctx context.Context, f *site.Field, as guard.Kind) (Effect, error) {
	all, err := e.choose(ctx, f, as)
	var none *noChoice
	if errors.As(err, &none) && none.open {
		effect, failed := e.page.Do(ctx, Act{Kind: site.Press, Selectors: selectorsOf(f.Element), Key: "Escape", As: as, Record: e.record(as)})
		all, err = all.with(effect), cmp.Or(failed, err)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", f.Element.Name, err)
	}
	return all, err
}

// chooseAlone takes an option of a control that belongs to no form. One that opens no list is
// clicked, or filled where it takes a text.
func (e *explorer) chooseAlone(ctx context.Context, a *site.Action, as guard.Kind) (Effect, error) {
	f := site.Field{Element: *a.Element, Value: a.Value, Option: a.Option, Choice: a.Choice}
	effect, err := e.choose(ctx, &f, as)
	a.Value, a.Option, a.Choice = f.Value, f.Option, f.Choice
	var none *noChoice
	switch {
	case errors.As(err, &none):
		a.Kind, a.Value, a.Choice, err = site.Click, "", nil, nil
	case f.Choice == nil:
		a.Kind = site.Fill
	}
	return effect, err
}

// choose opens the list of a field and takes an option: the one that was chosen before, or the
// first that is not chosen yet. Where no list opens it types the field's value.
func (e *explorer) choose(ctx context.Context, f *site.Field, as guard.Kind) (Effect, error) {
	act := func(kind string, el *site.Element, key, value string) (Effect, error) {
		return e.page.Do(ctx, Act{Kind: kind, Selectors: selectorsOf(*el), Key: key, Value: value, As: as, Record: e.record(as)})
	}
	all, err := act(site.Click, &f.Element, "", "")
	if err != nil {
		return all, err
	}
	with := func(effect Effect, err error) (Effect, error) { return all.with(effect), err }
	if len(f.Choice.Element.Locators) > 0 {
		effect, err := act(site.Click, &f.Choice.Element, "", "")
		if all = all.with(effect); err != nil || !f.Choice.Several {
			return all, err
		}
		return with(act(site.Press, &f.Choice.Element, "Escape", ""))
	}
	page, err := e.page.Scan(ctx)
	if err != nil {
		return all, err
	}
	before := e.optionsHere()
	found, open := firstOption(&page, before, e.promises)
	open = open || isExpanded(&page, &f.Element)
	switch {
	case found == nil && (open || f.Value == ""):
		return all, &noChoice{open}
	case found == nil:
		f.Choice = nil
		e.records.enters(e.here, &f.Element, f.Value)
		return with(act(site.Fill, &f.Element, "", f.Value))
	}
	f.Choice, f.Option, f.Value = found, found.Element.Name, ""
	effect, err := act(site.Click, &found.Element, "", "")
	if all = all.with(effect); err != nil {
		return all, err
	}
	now, err := e.page.Scan(ctx)
	if err != nil {
		return all, err
	}
	if effect.Loaded || address.Page(now.URL) != address.Page(page.URL) {
		return all, errLeft
	}
	if _, open = firstOption(&now, before, e.promises); !open {
		return all, nil
	}
	effect, err = act(site.Press, &found.Element, "Escape", "")
	var gone *Gone
	if errors.As(err, &gone) { // it was closing
		return all.with(effect), nil
	}
	found.Several = true
	return with(effect, err)
}

// promises says whether an option is chosen: never one that leads elsewhere, signs out or may do
// harm by its name; last one without a text, which chooses nothing, and what this exploration made.
func (e *explorer) promises(el *scan.Element) promise {
	own := e.filler.Mark != "" && strings.Contains(strings.ToLower(el.Name), e.filler.Mark)
	switch {
	case el.Href != "" || logOut.MatchString(el.Name+" "+el.AriaLabel), e.o.Destructive != nil && e.o.Destructive(el.Name):
		return never
	case own || strings.TrimSpace(el.Text) == "":
		return last
	}
	return first
}

// optionsHere returns the options that the page showed before the act.
func (e *explorer) optionsHere() map[string]bool {
	out := map[string]bool{}
	if e.here != nil {
		for i := range e.here.page.Elements {
			if el := &e.here.page.Elements[i]; el.Role == "option" && el.IsVisible && !el.Behind {
				out[optionKey(el)] = true
			}
		}
	}
	return out
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
