package health

import (
	"strings"
)

var (
	// An expression in double braces, percent braces, dollar braces or angle percents.
	braces = leftovers.Pattern("braces")
	// A verb of printf as a word. "100 %d" would be one, "50%s" is not.
	verbs = leftovers.Pattern("verbs")
	// A single pair of braces around a name.
	single = leftovers.Pattern("single")
	object = leftovers.Pattern("object")
	noDate = leftovers.Pattern("no-date")
	// What is no date is a message about what was typed.
	typed     = leftovers.Pattern("typed")
	brokenDay = leftovers.Pattern("broken-day")
	reference = leftovers.Pattern("reference")
	markup    = leftovers.Pattern("markup")
)

// checkText looks at one text for what was left in it.
func (j *judge) checkText(t Text) {
	if isLiteralContext(t) {
		return
	}
	j.checkLeftovers(t)
	j.checkDates(t)
	j.checkValue(t)
	if wrong := mojibake(t.Text); wrong != "" && !about.MatchString(t.Text) {
		j.add(Mojibake, !j.technical, t.Selector, "%s in %s", wrong, quoted(t.Text))
	}
}

func (j *judge) checkLeftovers(t Text) {
	if found := braces.FindString(t.Text); found != "" && !j.mentions(t, found) {
		j.add(TemplateLeft, !j.technical, t.Selector, "%s", quoted(t.Text))
	} else if found := verbs.FindStringSubmatch(t.Text); found != nil && !j.mentions(t, found[1]) && !dateFormat(t.Text) {
		j.add(TemplateLeft, !j.technical, t.Selector, "%s", quoted(t.Text))
	} else if found := single.FindString(t.Text); found != "" && !j.mentions(t, strings.TrimSpace(found)) && !j.technical {
		j.add(TemplateLeft, false, t.Selector, "%s", quoted(t.Text))
	}
	if found := object.FindString(t.Text); found != "" && !j.mentions(t, found) {
		j.add(ObjectShown, !j.technical, t.Selector, "%s", quoted(t.Text))
	}
	if j.technical || about.MatchString(t.Text) {
		return
	}
	if reference.MatchString(t.Text) || markup.MatchString(t.Text) {
		j.add(MarkupShown, false, t.Selector, "%s", quoted(t.Text))
	}
}

// dateFormat reports whether a text explains a format, such as %d/%m/%Y.
func dateFormat(s string) bool { return strings.Count(s, "%") > 2 && strings.Contains(s, "%Y") }

func (j *judge) checkDates(t Text) {
	found := noDate.FindString(t.Text)
	switch {
	case found == "":
		if day := brokenDay.FindString(t.Text); day != "" && !j.mentions(t, day) {
			j.add(InvalidDate, !j.technical, t.Selector, "%s", quoted(t.Text))
		}
	case t.Alert || typed.MatchString(t.Text) || j.mentions(t, found):
	case found == "Invalid date" && !t.Cell && t.Tag != "time": // it may be a message about an input
		j.add(InvalidDate, false, t.Selector, "%s", quoted(t.Text))
	case t.Prose && words(t.Text) > 12:
		j.add(InvalidDate, false, t.Selector, "%s", quoted(t.Text))
	default:
		j.add(InvalidDate, !j.technical, t.Selector, "%s", quoted(t.Text))
	}
}
