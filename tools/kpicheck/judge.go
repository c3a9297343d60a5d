package kpicheck

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/kpi"
	"github.com/assay-qa/assay/tools/engine"
)

// verdict holds what became of one KPI in one range.
type verdict struct {
	status     qa.KPIStatus
	cause      qa.KPICause
	difference string
	observed   string
	hint       pagetext.Sentence // what settles it
	place      *kpi.Place
	rival      *kpi.Place // another place that says something else
	hidden     *kpi.Place // where it would be, if people saw it
}

// judge holds what the last look found against what the oracle said.
func (k *check) judge(r *rangeCheck, label string) verdict {
	if text := r.look.errors[label]; text != "" {
		return verdict{status: qa.KPIAmbiguous, hint: pagetext.Sentencef("%s: give a selector that finds one element", text)}
	}
	pick := r.look.picks[label]
	if pick.Best == nil {
		return notFound(r, label, pick)
	}
	o := kpi.Compare(pick.Best.Value, r.want[label], k.Tolerance.For(label))
	v := verdict{status: o.Status, cause: o.Cause, difference: o.Difference, observed: pick.Best.Value.Text, hint: pagetext.Quoted(pagetext.Text(o.Hint)), place: pick.Best}
	if pick.Best.Doubt != "" {
		v.status, v.cause, v.hint = qa.KPIAmbiguous, "", pagetext.Sentencef("%q cannot be read for sure: %s", pagetext.Text(pick.Best.Value.Text), pagetext.Text(pick.Best.Doubt))
		return v
	}
	if groups := k.otherGroups(r, label, pick, v.status == qa.KPIOk); groups != "" {
		v.status, v.cause, v.hint = qa.KPIAmbiguous, "", groups
		return v
	}
	if v.status != qa.KPIOk {
		return v
	}
	if text := pick.Best.Why; text != "" {
		v.status, v.hint = qa.KPIAmbiguous, pagetext.Sentencef("%q cannot be read for sure: %s", pagetext.Text(pick.Best.Value.Text), pagetext.Text(text))
		return v
	}
	for i, other := range pick.Others {
		if other.Loose || other.How == "table total" || kpi.Agree(pick.Best.Value, other.Value) || !k.contradicts(r, label, other) {
			continue
		}
		v.status, v.cause, v.rival = qa.KPIMismatch, qa.CauseDuplicate, &pick.Others[i]
		v.observed += " and " + other.Value.Text
		if len(other.Value.Readings) > 0 {
			v.difference = kpi.Difference(other.Value.Readings[0].Value, pick.Best.Value.Readings[0].Value)
		}
		break
	}
	return v
}

// contradicts reports whether another place of a label shows for sure what is not
// expected: a figure that is open contradicts nothing.
func (k *check) contradicts(r *rangeCheck, label string, other kpi.Place) bool {
	return other.Doubt == "" && kpi.Compare(other.Value, r.want[label], k.Tolerance.For(label)).Status == qa.KPIMismatch
}

// notFound judges a KPI for which no one place was found.
func notFound(r *rangeCheck, label string, pick kpi.Pick) verdict {
	switch {
	case len(pick.Parts) > 0:
		return verdict{status: qa.KPIAmbiguous, observed: pick.Ambiguous[0].Value.Text,
			hint: pagetext.Sentencef("the page says %s, of which %s is a part: call the KPI as its card does, or name the element in selectors {%s: selector}",
				pagetext.Text(quoteAll(pick.Parts)), label, label)}
	case len(pick.Ambiguous) > 0:
		var texts []string
		for _, p := range pick.Ambiguous {
			texts = append(texts, p.Value.Text+" ("+p.Selector+")")
		}
		return verdict{status: qa.KPIAmbiguous, observed: strings.Join(texts[:min(4, len(texts))], " or "),
			hint: pagetext.Sentencef("several values could be %s: name the right one in selectors {%s: selector}", label, label)}
	case pick.Hidden != nil:
		return verdict{status: qa.KPIMissing, cause: qa.CauseNotShown, hidden: pick.Hidden}
	case pick.Picture != "":
		return verdict{status: qa.KPIAmbiguous, hint: pagetext.Sentencef("where the value of %s would stand is %s, which can't be read: name an element that says it as text "+
			"in selectors {%s: selector}, or compare the picture with a baseline", label, pagetext.Text(pick.Picture), label)}
	default:
		return verdict{status: qa.KPIMissing, cause: qa.CauseNotShown, hint: unreadHint(r)}
	}
}

// otherGroups says which groups of the page have a figure of the same label with
// another value, where that leaves open which of them is meant: the value of one
// group contradicts that of no other. "" where there is none.
func (k *check) otherGroups(r *rangeCheck, label string, pick kpi.Pick, holds bool) pagetext.Sentence {
	for _, other := range pick.Others {
		if other.Loose || other.How == "table total" || other.How == "chart" || !inOtherGroup(other, *pick.Best) || kpi.Agree(pick.Best.Value, other.Value) {
			continue
		}
		if fits := kpi.Compare(other.Value, r.want[label], k.Tolerance.For(label)).Status == qa.KPIOk; fits == holds {
			continue // both fit, or neither does
		}
		return pagetext.Sentencef("%s stands in several groups, %s with %s and %s with %s: call the KPI by its group, such as %q, or name the element in selectors {%s: selector}", label,
			groupName(*pick.Best), shownValue(*pick.Best), groupName(other), shownValue(other), pagetext.Text(pathTo(*pick.Best, other)+" / "+label), label)
	}
	return ""
}

// inOtherGroup reports whether a place stands in a group that another has not.
func inOtherGroup(p, than kpi.Place) bool {
	return slices.ContainsFunc(p.Groups, func(name string) bool { return !slices.Contains(than.Groups, name) })
}

// groupName quotes the innermost group of a place.
func groupName(p kpi.Place) pagetext.Sentence {
	if len(p.Groups) == 0 {
		return "one without a name"
	}
	return pagetext.Sentencef("%q", engine.OneLine(pagetext.Text(p.Groups[0])))
}

// shownValue returns the figure of a place as the page has it.
func shownValue(p kpi.Place) pagetext.Text { return pagetext.Text(p.Value.Text).Trim() }

// pathTo returns a group that one of two places has and the other has not.
func pathTo(a, b kpi.Place) string {
	for _, pair := range [][2]kpi.Place{{a, b}, {b, a}} {
		for _, name := range pair[0].Groups {
			if !slices.Contains(pair[1].Groups, name) {
				return name
			}
		}
	}
	return "group"
}

// unreadHint says what of the page was not read, which may hold what is missing.
func unreadHint(r *rangeCheck) pagetext.Sentence {
	switch {
	case len(r.look.unread) > 0:
		return "not read: " + pagetext.Quoted(pagetext.Join(r.look.unread[:min(3, len(r.look.unread))], "; "))
	case r.look.capped:
		return "the page has more texts than are read: name the element in selectors"
	default:
		return ""
	}
}

// final returns the judgement when the range is over: what had not settled was not
// compared, and what is missing from a page that could not be read whole is not
// known to be.
func (k *check) final(r *rangeCheck, label string) verdict {
	v := k.judge(r, label)
	track := r.tracks[label]
	switch {
	case !k.isStill(r, label):
		v.status, v.hint = qa.KPIUnsettled,
			pagetext.Sentencef("%s went on changing, %d times, and never stood still for %s: raise timeout_ms, or add a wait to the range's steps",
				Subject(label, r.Name), track.changes, k.waits.FigureStill)
	case v.status != qa.KPIOk && len(r.pending) > 0:
		v.status, v.hint = qa.KPIUnsettled, pagetext.Sentencef("a request was still under way (%s %s): raise timeout_ms", r.pending[0].Method, pagetext.Text(r.pending[0].URL))
	case v.status == qa.KPIMissing && v.hint != "":
		v.status = qa.KPIUnsettled
	}
	return v
}

// cases returns all KPIs of all ranges, for whoever explains one of them.
func (k *check) cases() []kpi.Case {
	var out []kpi.Case
	for _, r := range k.ranges {
		if r.err != nil || r.broken {
			continue
		}
		for _, label := range k.labels {
			out = append(out, k.caseOf(r, label))
		}
	}
	return out
}

func (k *check) caseOf(r *rangeCheck, label string) kpi.Case {
	c := kpi.Case{KPI: label, Range: r.Name, Want: r.want[label], Tolerance: k.Tolerance.For(label)}
	if best := r.look.picks[label].Best; best != nil {
		c.Shown = best.Value
	}
	return c
}

// explain says in a sentence what is wrong, with its cause.
func (k *check) explain(r *rangeCheck, label string, v verdict) (qa.KPICause, string) {
	subject := Subject(label, r.Name)
	switch {
	case v.status == qa.KPIMissing && v.hidden != nil:
		return v.cause, fmt.Sprintf("%s is on the page, but can't be seen: %q is %s (%s)", subject, strings.TrimSpace(v.hidden.Value.Text), v.hidden.Why, v.hidden.Selector)
	case v.status == qa.KPIMissing:
		return v.cause, subject + " is not on the page"
	case v.status != qa.KPIMismatch:
		return "", fmt.Sprintf("%s could not be compared: %s", subject, v.hint.Line())
	case v.cause == qa.CauseDuplicate && v.rival.How == "chart":
		return v.cause, subject + " differs between its card and its chart"
	case v.cause == qa.CauseDuplicate:
		return v.cause, subject + " is shown more than once, with different values"
	case v.cause == qa.CauseNotANumber || len(r.want[label].Readings) == 0:
		return v.cause, subject + " shows " + strings.TrimSpace(cmp.Or(v.observed, "nothing")) + " instead of a value"
	}
	others := slices.DeleteFunc(k.cases(), func(c kpi.Case) bool { return c.KPI == label && c.Range == r.Name })
	return kpi.Explain(k.caseOf(r, label), others)
}

// quoteAll quotes a few labels.
func quoteAll(labels []string) string {
	var out []string
	for _, l := range labels[:min(3, len(labels))] {
		out = append(out, fmt.Sprintf("%q", engine.OneLine(l)))
	}
	return strings.Join(out, ", ")
}

// Subject names a KPI in a range.
func Subject(label, rangeName string) string {
	if rangeName == "" {
		return label
	}
	return label + " (" + strings.TrimSpace(rangeName) + ")"
}
