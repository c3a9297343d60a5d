package health

import (
	"strings"

	"github.com/assay-qa/assay/pattern"
)

var (
	// An expression in double braces, percent braces, dollar braces or angle percents.
	braces = pattern.New(`\{\{\s*[#/^>&!:@]?\s*[\pL_$'"][^{}\n]{0,120}\}\}|\{%-?\s*(if|for|end\w*|else|elif|block|include|extends|set|load|url|trans|csrf_token)\b[^%]{0,120}%\}|\$\{\s*[A-Za-z_][^{}\n]{0,120}\}|<%[=\-#]?\s*[^%]{1,120}%>|` +
		`#\{\s*[A-Za-z_][\w.()\[\]]{0,60}\s*\}|\bt\(['"][\w.]+['"]\)|__MSG_\w+__|\{\{\s*\}\}`)
	// A verb of printf as a word. "100 %d" would be one, "50%s" is not.
	verbs = pattern.New(`(?:^|[\s("'“:#€$£,/-])(%(?:\d\$)?[sdifu@]|%\(\w+\)[sdf]|%\.\df|%l?ld)(?:$|[\s).,!?:;"'”%/-])`)
	// A single pair of braces around a name.
	single = pattern.New(`(?:^|[\s(])\{(?:name|user|count|total|date|time|email|title|value|amount|number|price|[a-z]+(?:_[a-z]+|[A-Z][a-z]+)+)\}(?:$|[\s).,!?:])|(?:^|\s)\{\d\}(?:$|[\s.,!?])`)
	object = pattern.New(`\[object [A-Z]\w{2,40}\]|\bfunction\s*\w*\s*\([^)]*\)\s*\{\s*\[native code\]\s*\}`)
	noDate = pattern.New(`\bInvalid Date(Time)?\b|^Invalid date$`)
	// What is no date is a message about what was typed.
	typed     = pattern.New(`(?i)invalid date\S*\s+(format|range|entered|value|selected|for|in|was|is|please|provided|must|use)|(please|enter|must|gültig|format)`)
	brokenDay = pattern.New(`\bNaN([/.:-])NaN\b|\bNaN (days?|hours?|minutes?|seconds?|years?|months?|weeks?)\b|\bundefined (NaN|\d{1,2}), |\b\d{1,2} undefined \d{4}\b`)
	reference = pattern.New(`&(amp|lt|gt|quot|nbsp|copy|mdash|ndash|hellip|[aou]uml|szlig|[ae]acute|#\d{2,6}|#x[0-9a-fA-F]{2,5});`)
	markup    = pattern.New(`</(p|b|i|a|strong|em|span|div|li|ul|h[1-6])>|<br\s*/?>|<(strong|span|div|p)( [^<>]*)?>`)
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
