package explore

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/browser/scan"
	"github.com/assay-qa/assay/internal/address"
)

// offerForm adds one valid submission of a form, and one for each constraint that its
// fields have. A form that would write is only filled where writing is not permitted,
// and its submission is listed.
func (e *explorer) offerForm(v *view, n int) {
	f, number := v.page.Forms[n], n+1
	how, valid, sent := submissions(&v.page, number)
	if !sent {
		return
	}
	fields, indexes, why := e.fields(v, number)
	how.Fields, valid.Fields = fields, fields
	if why != "" {
		e.leaveOnce(v.state.site.ID, how, site.ByGuard, why)
		return
	}
	class, kin := e.formClass(v, f, number, valid.Element)
	var least []site.Field
	if asksForNew(&v.page, number) {
		least = required(v, fields, indexes)
	}
	one := Action{State: v.state.site.ID, Kind: site.Submit, Index: -number * 100, Class: class, Place: v.id.Place, Door: door(v, strings.ToUpper(f.Method), f.Action)}
	standing := e.records.standing(v)
	one.Makes = standing == guard.Others && e.records.makes(v, number)
	edits := e.records.edits(v, number)
	one.Kin, one.Others, one.Own = kin, edits || standing == guard.Others && !one.Makes, standing == guard.Own
	one.Script = e.records.isScript(v)
	one.Called = one.Kin
	writes := f.Method == http.MethodPost
	if writes {
		one.Once = true
	}
	if writes || e.o.AllowWrites && f.Method == "" && !f.Declared && !f.Search { // a script sends it
		one.Rank = Writes
	}
	fill := writes && !e.o.AllowWrites
	if fill {
		e.leaveOnce(v.state.site.ID, valid, site.ByWrites, "it sends POST "+shown(f.Action)+": --allow-writes permits it")
		one.Kind, one.Rank = site.Fill, Ordinary
		how.Kind, valid.Kind = site.Fill, site.Fill
	}
	switch {
	case writes && !fill && signsOut(valid.Element, f.Action):
		one.Rank = LogsOut
	case writes && !fill && edits: // what its page refuses by itself is never sent
		e.leaveOnce(v.state.site.ID, valid, site.ByGuard, notOurs)
		if !f.NoValidate {
			e.offerInvalid(v, one, how, indexes)
		}
		return
	case writes && !fill && !one.Makes && e.records.touches(v, f.Action):
		e.leaveOnce(v.state.site.ID, valid, site.ByGuard, notOurs)
		return
	case max(e.harm[class], e.harm[one.Called]) != Ordinary:
		if one.Rank, one.Once = max(e.harm[class], e.harm[one.Called]), true; e.records.standing(v) != guard.Own {
			e.leaveOnce(v.state.site.ID, valid, site.ByGuard, notOurs)
			return
		}
	}
	if f.Search && len(fields) > 0 && e.filler.Mark != "" {
		e.offerNothing(one, how)
	}
	if (!f.NoValidate || !fill) && one.Rank < Removes {
		e.offerInvalid(v, one, how, indexes)
	}
	if !fill || len(fields) > 0 {
		e.put(one, &work{action: valid, bare: least})
	}
}

// submissions returns how a form is sent as it is, and how once its fields have values: what is
// disabled until then is for these alone. sent is false where nothing sends it.
func submissions(page *scan.Page, number int) (how, valid site.Action, sent bool) {
	at := func(i int, key string) site.Action {
		el := element(page, i)
		return site.Action{Kind: site.Submit, Element: &el, Key: key}
	}
	button, late, text := submitter(page, number), lateSubmitter(page, number), firstText(page, number)
	switch {
	case strings.EqualFold(page.Forms[number-1].Method, onlyCloses):
		return how, valid, false
	case button >= 0:
		how = at(button, "")
	case text >= 0:
		how = at(text, "Enter")
	case late >= 0:
		how = at(late, "")
	default:
		return how, valid, false
	}
	if valid = how; button < 0 && late >= 0 {
		valid = at(late, "")
	}
	return how, valid, true
}

// required returns those of the fields of a form that must be given, and its first text.
func required(v *view, fields []site.Field, indexes []int) (out []site.Field) {
	texts := 0
	for at, i := range indexes {
		el := v.page.Elements[i]
		if KindOf(el) == Text {
			texts++
		}
		if el.Field.Required || texts == 1 && KindOf(el) == Text {
			out = append(out, fields[at])
		}
	}
	if len(out) == len(fields) {
		return nil
	}
	return out
}

// offerBare adds the submission of a form without the fields that the page names where one
// with a value for each has led nowhere, or, where it names none, with no more than what must
// be given: what an optional field takes may be said in words alone.
func (e *explorer) offerBare(a Action, from, now *view, w *work, came []site.Element) {
	stayed := address.Page(now.page.URL) == address.Page(from.page.URL) || comesBack(now, w.action.Fields) && e.records.standing(now) != guard.Own // what was made may be shown in its form
	if !stayed || w.action.Invalid != "" || strings.HasSuffix(a.Class, bare) {
		return
	}
	how := w.action
	how.Fields, how.Reason = unnamed(w.action.Fields, came), "with each field filled it led nowhere"
	if n := len(how.Fields); n == 0 || n == len(w.action.Fields) {
		how.Fields = w.bare
	}
	if len(how.Fields) == 0 {
		return
	}
	a.Index, a.Class, a.Kin = a.Index-98, a.Class+bare, ""
	for _, s := range e.familyOf(from).states {
		if s.direct != "" || s.linked != "" { // where its fields are empty
			a.State = s.site.ID
			break
		}
	}
	e.add(a, &work{action: how})
}

// bare ends the class of such a submission.
const bare = "\x1fbare"

// unnamed returns the fields that no text that came names, as what is refused is named.
func unnamed(fields []site.Field, came []site.Element) (out []site.Field) {
	for _, f := range fields {
		label := strings.TrimRight(f.Element.Name, " :*")
		if label == "" || !slices.ContainsFunc(came, func(el site.Element) bool {
			return names(cmp.Or(el.Name, el.Text), label)
		}) {
			out = append(out, f)
		}
	}
	return out
}

// names reports whether a text holds a label among other words.
func names(text, label string) bool {
	before, after, found := strings.Cut(strings.ToLower(text), strings.ToLower(label))
	return found && strings.TrimSpace(strings.Trim(before+after, " :*")) != ""
}

// comesBack reports whether a page shows each text that was entered in its field: the form
// comes back, be it at another address.
func comesBack(now *view, entered []site.Field) bool {
	texts := 0
	for _, f := range entered {
		if f.Value == "" {
			continue
		}
		texts++
		if !slices.ContainsFunc(now.page.Elements, func(el scan.Element) bool {
			return el.Field != nil && el.Name == f.Element.Name && el.Field.Value == f.Value
		}) {
			return false
		}
	}
	return texts > 0
}

// allEmpty is the rule that a form breaks whose texts are all left empty.
const allEmpty = "empty"

// notOurs is why what changes records of others is not tried.
const notOurs = "it changes a record that this exploration did not make"

// signsOut reports whether a control or where it leads has a word of those that sign out.
// What signs out without one is known once it was tried.
func signsOut(el *site.Element, address string) bool {
	return logOut.MatchString(el.Name + " " + el.AriaLabel + " " + lastSegment(address))
}

// offerNothing adds a search for what nothing holds.
func (e *explorer) offerNothing(one Action, how site.Action) {
	how.Fields = append([]site.Field(nil), how.Fields...)
	for i := range how.Fields {
		if how.Fields[i].Value != "" {
			how.Fields[i].Value = "no " + e.filler.Mark
		}
	}
	how.Reason = "nothing matches it"
	one.Index, one.Class, one.Kin, one.Once = one.Index-99, one.Class+"\x1fnothing", "", true
	e.put(one, &work{action: how})
}

// offerInvalid adds one submission for each constraint, with a value that breaks it.
func (e *explorer) offerInvalid(v *view, one Action, how site.Action, indexes []int) {
	nth, texts := 0, 0
	empty := how
	empty.Fields = append([]site.Field(nil), how.Fields...)
	defer func() {
		form := v.page.Forms[-one.Index/100-1]
		sent := one.Kind == site.Submit && e.o.AllowWrites && !one.Others && !form.Search && !strings.EqualFold(form.Method, http.MethodGet)
		if sent && nth == 0 && texts > 0 { // only its server may say what it refuses
			rule := one.Class + "\x1fempty"
			e.constraints[rule] = true
			empty.Invalid = allEmpty
			one.Index, one.Class, one.Kin, one.Once = one.Index-1, rule, "", true
			e.put(one, &work{action: empty, rules: []string{rule}})
		}
	}()
	for at, i := range indexes {
		el := v.page.Elements[i]
		if entersText(&el) {
			empty.Fields[at].Value = ""
			texts++
		}
		for _, c := range e.filler.Constraints(el) {
			nth++
			rule := one.Class + "\x1f" + fieldName(el) + "\x1f" + c.Constraint
			e.constraints[rule] = true
			broken := how
			broken.Fields = append([]site.Field(nil), how.Fields...)
			broken.Fields[at].Value = c.Value.Text
			broken.Invalid = fieldName(el) + ": " + c.Constraint
			other := one
			other.Index, other.Class, other.Kin, other.Once = one.Index-nth, rule, "", true
			e.put(other, &work{action: broken, rules: []string{rule}})
		}
	}
}

func fieldName(el scan.Element) string {
	for _, name := range []string{el.Name, el.Field.Label, el.Field.Name} {
		if name = strings.TrimRight(name, " :*"); name != "" {
			return name
		}
	}
	return el.Selector
}

// formClass returns what a form has in common with those that are expected to do alike: where
// it is sent to, whatever page it stands on, as one that was refused may come back at another
// address. kin is that of a form on other pages: the page that it is sent to is left out where
// that is its own.
func (e *explorer) formClass(v *view, f scan.Form, number int, submits *site.Element) (class, kin string) {
	var names []string
	for _, el := range v.page.Elements {
		if el.Form == number && el.Field != nil {
			names = append(names, el.Field.Name+":"+NameClass(fieldName(el)))
		}
	}
	kin = strings.Join([]string{"", "form", NameClass(submits.Name), f.Method, strconv.Itoa(len(names)), strings.Join(names, ",")}, "\x1f")
	own := address.Page(f.Action) == address.Page(v.page.URL) // whatever the query
	switch {
	case !own:
		kin = PlaceTemplate(f.Action) + kin
		return kin, kin
	case f.Search || everywhere.MatchString(submits.Landmark):
		return kin, kin
	}
	return pathOfPlace(v.id.Place) + kin, kin
}

// fields returns valid values for the fields of a form; why says why it must not be
// filled.
func (e *explorer) fields(v *view, number int) (out []site.Field, indexes []int, why string) {
	radios := map[string]bool{}
	for i, el := range v.page.Elements {
		if el.Form != number || el.Field == nil {
			continue
		}
		switch {
		case IsPayment(el.Field):
			return nil, nil, "it takes a means of payment"
		case IsSecret(el):
			return nil, nil, site.TakesPassword
		case KindOf(el) == None:
			if el.Field.Required && el.IsVisible && el.Type == "file" {
				return nil, nil, "it takes a file"
			}
			continue
		}
		kind := KindOf(el)
		if kind == Box && el.Field.Checked || el.Type == "radio" && radios[el.Field.Name] {
			continue
		}
		value, ok := e.filler.Valid(el)
		if kind == FieldChoice {
			value, ok = otherChoice(el.Field, e.chosenFirst(v, el.Field))
		}
		if !ok {
			if el.Field.Required && !el.Field.Filled {
				return nil, nil, "no value is known that " + fieldName(el) + " takes"
			}
			continue
		}
		f := site.Field{Element: element(&v.page, i)}
		switch kind {
		case Box:
			radios[el.Field.Name] = true
			on := true
			f.Checked = &on
		case FieldChoice:
			f.Option = value.Option
		case Text:
			f.Value = value.Text
		case ListChoice:
			f.Value, f.Choice = value.Text, &site.Choice{}
		case None:
		}
		out, indexes = append(out, f), append(indexes, i)
	}
	return out, indexes, ""
}

// chosenFirst returns the value that a field of choice had when it was first looked at: a form
// that was refused has what was sent.
func (e *explorer) chosenFirst(v *view, field *scan.Field) string {
	key := pathOfPlace(v.id.Place) + "\x1f" + field.Name
	if _, known := e.choices[key]; !known {
		e.choices[key] = field.Value
	}
	return e.choices[key]
}

// popups is where the indexes of addresses begin that were opened in other tabs.
const popups = 1_000_000

// openPopup adds the address of a page that an act opened in another tab.
func (e *explorer) openPopup(from *state, address string) {
	if address == "" || e.outside(address) != "" {
		return
	}
	one := Action{State: from.site.ID, Kind: site.Navigate, Index: -popups - len(e.site.Edges), Class: "popup\x1f" +
		PlaceTemplate(address), Goal: NormalText(address), Visit: PlaceTemplate(address), Free: true}
	e.add(one, &work{action: site.Action{Kind: site.Navigate, URL: address, Reason: "it was opened in another tab"}})
}
