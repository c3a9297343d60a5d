package assertion

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/selectors"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/kpi"
)

// observer looks once at what an assertion of one type is about.
type observer func(ctx context.Context, k Checker, a qa.Assertion, selector string) (qa.Observation, error)

// facts says which fact of an element an assertion of each type is about.
func facts() map[qa.AssertionType]browser.Fact {
	return map[qa.AssertionType]browser.Fact{
		qa.Exists: browser.FactCount, qa.Visible: browser.FactCount, qa.Hidden: browser.FactCount,
		qa.CountEquals: browser.FactTotal, qa.CountAtLeast: browser.FactTotal, qa.CountAtMost: browser.FactTotal,
		qa.ValueEquals: browser.FactValue, qa.ValueContains: browser.FactValue, qa.ValuesEqual: browser.FactChosenValues, qa.SelectedLabel: browser.FactChosenLabels,
		qa.AttributeEquals: browser.FactAttribute, qa.ClassContains: browser.FactClasses, qa.CSSEquals: browser.FactStyle,
		qa.RoleEquals: browser.FactRole, qa.NameEquals: browser.FactName, qa.DescriptionEquals: browser.FactDescription,
		qa.ErrorMessageEquals: browser.FactErrorMessage,
		qa.Checked:            browser.FactChecked, qa.Indeterminate: browser.FactIndeterminate, qa.Enabled: browser.FactEnabled,
		qa.Editable: browser.FactEditable, qa.Focused: browser.FactFocused, qa.Empty: browser.FactEmpty,
		qa.Expanded: browser.FactExpanded, qa.Pressed: browser.FactPressed, qa.InViewport: browser.FactInViewport,
		qa.NumberCompared: browser.FactText, qa.SortedBy: browser.FactItems,
	}
}

// texts says how an assertion of each type looks for its text.
func texts() map[qa.AssertionType]browser.TextMatch {
	return map[qa.AssertionType]browser.TextMatch{qa.TextContains: browser.AnyPart, qa.TextEquals: browser.WholeText, qa.TextMatches: browser.Expression}
}

// observers says how each type of assertion is looked at.
func observers() map[qa.AssertionType]observer {
	out := map[qa.AssertionType]observer{
		qa.Shown: ofShown, qa.ComesBefore: ofOrder, qa.AriaSnapshot: ofSnapshot,
		qa.URLMatches: ofPage, qa.TitleEquals: ofPage, qa.TitleContains: ofPage, qa.ConsoleClean: ofConsole,
		qa.RequestMade: ofTraffic, qa.ResponseStatus: ofTraffic, qa.ResponseOK: ofTraffic,
		qa.Downloaded: ofEvents(browser.Downloaded), qa.DialogShown: ofEvents(browser.DialogShown), qa.PopupOpened: ofEvents(browser.PopupOpened),
	}
	for kind, fact := range facts() {
		out[kind] = ofFact(fact)
	}
	for kind, how := range texts() {
		out[kind] = ofText(how)
	}
	return out
}

// Observe looks once at what the assertion is about.
func (k Checker) Observe(ctx context.Context, a qa.Assertion, selector string) (qa.Observation, error) {
	k.absent = a.Absent()
	return observers()[a.Type](ctx, k, a, selector)
}

// ofFact looks at a fact of the element.
func ofFact(fact browser.Fact) observer {
	return func(ctx context.Context, k Checker, a qa.Assertion, selector string) (qa.Observation, error) {
		look, err := k.look(ctx, selector, fact, k.asked(fact, a))
		o := qa.Observation{Count: look.Count, Seen: look.Seen, Paintless: look.Paintless, Unseen: look.Unseen, Doubt: look.Doubt,
			Value: look.Value, Values: look.Values, On: look.On, Why: look.Why, Disabled: look.Disabled, Ending: look.Ending,
			Moved: look.Moved, Partly: look.Around, Reaches: look.Reaches, Stood: look.Stood, Same: look.Same, There: look.There, Left: look.Left}
		for _, item := range look.Items {
			o.Items, o.Keys = append(o.Items, item.Text), append(o.Keys, item.Key)
		}
		if fact == browser.FactText && look.Count > 0 {
			text := strings.Join(o.Items, " ")
			o.Text = &text
		}
		if len(o.Items) > 0 && (a.Type == qa.NumberCompared || a.As == "number") {
			var doubt string
			if o.Numbers, doubt = kpi.ReadList(o.Items, kpi.Writing(look.Writing)); o.Doubt == "" {
				o.Doubt = doubt
			}
		}
		return o, err
	}
}

// asked returns what a look is asked for beside the fact: an attribute, or the
// language that figures are written in.
func (k Checker) asked(fact browser.Fact, a qa.Assertion) string {
	if fact == browser.FactText || fact == browser.FactItems {
		return k.NumberLocale
	}
	return a.Attribute
}

// ofText looks for the text that is expected.
func ofText(how browser.TextMatch) observer {
	return func(ctx context.Context, k Checker, a qa.Assertion, selector string) (qa.Observation, error) {
		way := how
		if a.WholeWords {
			way = browser.WholeWords
		}
		text, err := k.read(ctx, selector, a.Expected, way)
		return qa.Observation{Count: text.Count, Text: text.Text, TextFits: text.Fits && text.Doubt == "", Place: text.Place,
			Ending: text.Ending, Why: text.Why, Doubt: text.Doubt, Frame: text.Frame, Typed: text.Typed, Stood: count(text.Stood)}, err
	}
}

func count(one bool) int {
	if one {
		return 1
	}
	return 0
}

func ofOrder(ctx context.Context, k Checker, a qa.Assertion, selector string) (qa.Observation, error) {
	look, err := k.order(ctx, selector, a.Other)
	return qa.Observation{On: look.Before, Why: look.Why, Doubt: look.Doubt}, err
}

func ofSnapshot(ctx context.Context, k Checker, _ qa.Assertion, selector string) (qa.Observation, error) {
	outline, there, err := k.outline(ctx, selector)
	if err != nil || !there {
		return qa.Observation{}, err
	}
	o := qa.Observation{Count: 1, Lines: strings.Split(strings.TrimSpace(strings.TrimSuffix(outline.Text, outline.Cut)), "\n")}
	if outline.Cut != "" {
		o.Doubt = outline.Cut
	}
	return o, nil
}

func ofPage(ctx context.Context, k Checker, a qa.Assertion, _ string) (qa.Observation, error) {
	state, err := k.page(ctx)
	o := qa.Observation{URL: state.URL, Title: state.Title}
	if a.Type == qa.URLMatches {
		o.URLFits, o.Elsewhere = k.Session.AddressFits(a.Expected, state.URL)
	}
	return o, err
}

func ofConsole(ctx context.Context, k Checker, _ qa.Assertion, _ string) (qa.Observation, error) {
	state, err := k.page(ctx) // a round trip: what the page logged is in
	return qa.Observation{Errors: k.ConsoleErrors(state.URL)}, err
}

// ofEvents looks at what the last act brought beside a change of the page.
func ofEvents(kind string) observer {
	return func(ctx context.Context, k Checker, a qa.Assertion, _ string) (qa.Observation, error) {
		if _, err := k.Session.State(ctx); err != nil { // a round trip: what happened is in
			return qa.Observation{}, err
		}
		var o qa.Observation
		var others []string
		happened, lost := k.Session.SinceAct(kind)
		for _, h := range happened {
			fits := (a.Expected == "" || browser.Fits(h, a.Expected)) && (a.Attribute == "" || h.Dialog == a.Attribute)
			switch {
			case h.Running && fits:
				o.Doubt = "the download of " + h.Text + " is still running"
			case fits && h.Failed == "":
				o.Came++
			case h.Failed != "":
				others = append(others, fmt.Sprintf("%s was not saved: %s", h.Text, h.Failed))
			default:
				others = append(others, fmt.Sprintf("%s %q", cmp.Or(h.Dialog, kind), h.Text))
			}
		}
		if o.Came > 0 {
			o.Doubt = ""
		} else if lost > 0 && o.Doubt == "" {
			o.Doubt = fmt.Sprintf("%d dialogs, popups and downloads are no longer kept", lost)
		}
		o.Others = strings.Join(others[:min(len(others), 3)], ", ")
		return o, nil
	}
}

// subject returns what is looked at for an assertion, where a look together with others can
// decide it, in the page's own document.
func (k Checker) subject(a qa.Assertion, selector string) (browser.Subject, bool) {
	if a.SinceAct() || a.Absent() && isOfTheLast(selector) {
		return browser.Subject{}, false
	}
	switch a.Type {
	case qa.TitleEquals, qa.TitleContains, qa.URLMatches, qa.ConsoleClean:
		return browser.Subject{Kind: browser.OfPage}, true
	}
	if how, ok := texts()[a.Type]; ok {
		if a.WholeWords {
			how = browser.WholeWords
		}
		return browser.Subject{Kind: browser.OfText, Selector: selector, Wanted: a.Expected, How: how, Absent: a.Absent()}, true
	}
	switch a.Type {
	case qa.ComesBefore:
		return browser.Subject{Kind: browser.OfOrder, Selector: selector, Other: a.Other, Absent: a.Absent()}, true
	case qa.AriaSnapshot:
		return browser.Subject{Kind: browser.OfOutline, Selector: selector, Absent: a.Absent()}, true
	}
	fact, ok := facts()[a.Type]
	return browser.Subject{Selector: orBody(selector), Fact: fact, Attribute: k.asked(fact, a), Absent: a.Absent()}, ok
}

// orBody returns the selector of a fact: without one it is one of the page's body.
func orBody(selector string) string {
	if selector == "" {
		return "css=body"
	}
	return selector
}

// beside returns what else is looked at where an assertion held: whether the caller typed it,
// and whether it holds with another word.
func (k Checker) beside(one qa.Asked, other string) []browser.Subject {
	var out []browser.Subject
	if asksWhatWasTyped(one.A) {
		out = append(out, browser.Subject{Kind: browser.OfTyped, Selector: one.Selector})
	}
	if one.A.Absent() {
		return append(out, besideAbsence(one.A, one.Selector)...)
	}
	altered, elsewhere := k.altered(one.A, one.Selector, other)
	if elsewhere != one.Selector || altered.Other != one.A.Other {
		if subject, ok := k.subject(altered, elsewhere); ok {
			out = append(out, subject)
		}
	}
	return out
}

// besideAbsence returns what else is looked at where something is absent: the other frames, and
// what is there where it looks.
func besideAbsence(a qa.Assertion, selector string) []browser.Subject {
	out := []browser.Subject{{Kind: browser.OfBeyond, Selector: selector}}
	if _, ok := texts()[a.Type]; ok {
		return append(out, browser.Subject{Kind: browser.OfAnyWord, Selector: selector})
	}
	if !countsElements(a) {
		return nil
	}
	if role := selectors.RoleSelector(selector); role != "" {
		return append(out, browser.Subject{Selector: role, Fact: browser.FactCount})
	}
	return append(out, browser.Subject{Kind: browser.OfAnyWord})
}

// sights holds what one look at several subjects has found.
type sights struct {
	of    map[browser.Subject]browser.Sight
	other string // the word of a check with other words
}

// Why a subject can't be told of by a look at several.
var (
	errNotSeen   = errors.New("it was not seen with the others")
	errNoElement = errors.New("nothing matched when it was looked at with the others")
	errLacks     = fmt.Errorf("%w, nor can it come", errNoElement)
)

// lookAt returns a checker that knows what one look at the subjects found, and no more.
func (k Checker) lookAt(ctx context.Context, looks *browser.Together, subjects []browser.Subject, other string) Checker {
	k.sights = &sights{map[browser.Subject]browser.Sight{}, other}
	if len(subjects) == 0 {
		return k
	}
	for i, sight := range looks.Look(ctx, subjects) {
		k.sights.of[subjects[i]] = sight
	}
	return k
}

// lookTogether returns a checker that knows what one look at several assertions found.
func (k Checker) lookTogether(ctx context.Context, all []qa.Asked) Checker {
	return k.lookAt(ctx, k.Session.Together(), k.subjects(all), "")
}

// known returns what a look at several has found of one of them.
func (k Checker) known(ctx context.Context, one qa.Asked) (Result, error) {
	if _, ok := k.subject(one.A, one.Selector); !ok {
		return Result{}, errNotSeen
	}
	return k.Once(ctx, one.A, one.Selector)
}

// sought returns what is looked at for several assertions, and for their checks with another
// word.
func (k Checker) sought(all []qa.Asked, other string) []browser.Subject {
	out := k.subjects(all)
	for _, one := range all {
		if _, ok := k.subject(one.A, one.Selector); ok {
			out = append(out, k.beside(one, other)...)
		}
	}
	return out
}

// subjects returns what is looked at for those that can be looked at together.
func (k Checker) subjects(all []qa.Asked) (out []browser.Subject) {
	for _, one := range all {
		if subject, ok := k.subject(one.A, one.Selector); ok {
			out = append(out, subject)
		}
	}
	return out
}

func (s *sights) at(subject browser.Subject) (browser.Sight, error) {
	sight := s.of[subject]
	switch {
	case sight.Known:
		return sight, nil
	case sight.Lacks:
		return sight, errLacks
	case sight.None:
		return sight, errNoElement
	}
	return sight, errNotSeen
}

func (k Checker) look(ctx context.Context, selector string, fact browser.Fact, attribute string) (browser.Look, error) {
	if k.sights == nil {
		return k.Session.Look(ctx, selector, fact, attribute)
	}
	subject := browser.Subject{Selector: orBody(selector), Fact: fact, Attribute: attribute, Absent: k.absent}
	sight, err := k.sights.at(subject)
	return sight.Look, err
}

func (k Checker) order(ctx context.Context, selector, other string) (browser.OrderLook, error) {
	if k.sights == nil {
		return k.Session.LookOrder(ctx, selector, other)
	}
	sight, err := k.sights.at(browser.Subject{Kind: browser.OfOrder, Selector: selector, Other: other, Absent: k.absent})
	return sight.Order, err
}

// outline returns the lines of an element, or of the page. there: there is such an element.
func (k Checker) outline(ctx context.Context, selector string) (lines browser.Outline, there bool, err error) {
	if k.sights != nil {
		sight, err := k.sights.at(browser.Subject{Kind: browser.OfOutline, Selector: selector, Absent: k.absent})
		return sight.Lines, true, err
	}
	if selector != "" {
		look, err := k.Session.Look(ctx, selector, browser.FactCount, "")
		if err != nil || look.Count == 0 {
			return lines, false, err
		}
	}
	lines, _, err = k.Session.Snapshot(ctx, browser.OutlineOptions{Root: selector, MaxChars: browser.MaxOutlineChars})
	return lines, true, err
}

func (k Checker) read(ctx context.Context, selector, wanted string, how browser.TextMatch) (browser.TextLook, error) {
	if k.sights == nil {
		return k.Session.ReadAs(ctx, selector, wanted, how)
	}
	sight, err := k.sights.at(browser.Subject{Kind: browser.OfText, Selector: selector, Wanted: wanted, How: how, Absent: k.absent})
	return sight.Text, err
}

func (k Checker) typed(ctx context.Context, selector string) (typed, stood bool, err error) {
	if k.sights == nil {
		return k.Session.Typed(ctx, selector)
	}
	sight, err := k.sights.at(browser.Subject{Kind: browser.OfTyped, Selector: selector})
	return sight.Typed, sight.Stood, err
}

func (k Checker) page(ctx context.Context) (browser.PageState, error) {
	if k.sights == nil {
		return k.Session.State(ctx)
	}
	sight, err := k.sights.at(browser.Subject{Kind: browser.OfPage})
	return sight.Page, err
}

// nothingBeyond reports whether a look at several tells that nothing may come for an absence where
// the page is scrolled to.
func (k Checker) nothingBeyond(one qa.Asked) bool {
	_, err := k.sights.at(browser.Subject{Kind: browser.OfBeyond, Selector: one.Selector})
	return one.A.Absent() && err == nil
}

func (k Checker) beyond(ctx context.Context, selector string) (browser.Beyond, error) {
	if k.sights == nil {
		return k.Session.LookBeyond(ctx, selector)
	}
	sight, err := k.sights.at(browser.Subject{Kind: browser.OfBeyond, Selector: selector})
	return sight.Past, err
}

// otherWord returns the word that a check with other words is made with.
func (k Checker) otherWord() string {
	if k.sights == nil || k.sights.other == "" {
		return randomWord()
	}
	return k.sights.other
}
