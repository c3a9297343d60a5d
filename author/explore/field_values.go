package explore

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser/scan"
	"github.com/assay-qa/assay/internal/pattern"
)

// FieldValue is what is put into a field.
type FieldValue struct {
	Text   string
	Option string // of a select element: the label
	Check  bool   // of a box or radio button
}

// FieldKind says how a field is filled.
type FieldKind int

// The kinds.
const (
	None FieldKind = iota // it can't be filled
	Text
	FieldChoice
	ListChoice // it opens a list of options, which are known once it is open
	Box
)

// KindOf returns how an element is filled.
func KindOf(e scan.Element) FieldKind {
	f := e.Field
	switch {
	case f == nil || e.Disabled || !e.IsVisible:
		return None
	case f.Opens:
		return ListChoice
	case f.ReadOnly:
		return None
	case e.Tag == "select":
		return FieldChoice
	case e.Type == "checkbox" || e.Type == "radio":
		return Box
	case e.Type == "file" || e.Type == "hidden" || e.Type == "submit" || e.Type == "button" || e.Type == "image" || e.Type == "reset":
		return None
	}
	return Text
}

var payment = pattern.New(`(?i)\bcc-(?:number|csc|exp|name|type)|\bcard.?(?:number|no\b)|credit.?card|\bcvc\b|\bcvv\b|\biban\b|` +
	`kreditkarte|kartennummer|num[eé]ro de carte|n[uú]mero de tarjeta|\bpaypal\b`)

// IsPayment reports whether a field takes a means of payment.
func IsPayment(f *scan.Field) bool {
	return f != nil && payment.MatchString(strings.Join([]string{f.Autocomplete, f.Label, f.Name}, " "))
}

// IsSecret reports whether a field takes a password or a one-time code.
func IsSecret(e scan.Element) bool {
	return e.Field != nil && (e.Type == "password" || e.Field.Secret || strings.Contains(e.Field.Autocomplete, "password") || e.Field.Autocomplete == "one-time-code")
}

// Filler makes values. Equal seeds make equal values.
type Filler struct {
	Seed int64
	Day  time.Time // today, for dates
	Mark string    // a word that only these values have; "": the number of the seed stands for it
}

// Valid returns a value that the constraints of a field accept; false where none is
// known.
func (f Filler) Valid(e scan.Element) (FieldValue, bool) {
	field := e.Field
	switch KindOf(e) {
	case FieldChoice:
		return otherChoice(field, field.Value)
	case Box:
		return FieldValue{Check: true}, true
	case Text:
		text, ok := f.text(e)
		return FieldValue{Text: text}, ok
	case ListChoice:
		return f.typedInto(e), true
	case None:
	}
	return FieldValue{}, false
}

// entersText reports whether a person can type into a field, be it one that offers a list as well.
func entersText(e *scan.Element) bool {
	kind := KindOf(*e)
	return kind == Text || kind == ListChoice && (e.Tag == "input" || e.Tag == "textarea") && !e.Field.ReadOnly
}

// typedInto returns what is typed into a field that opens no list although it may; nothing
// where it takes no text.
func (f Filler) typedInto(e scan.Element) FieldValue {
	if !entersText(&e) {
		return FieldValue{}
	}
	text, _ := f.text(e)
	return FieldValue{Text: text}
}

// otherChoice takes the first option that is a choice, and neither the one that is chosen nor
// the one that was at first: what is sent must differ from what a form sends by itself. Where
// there is no such option, it differs from that of the beginning.
func otherChoice(field *scan.Field, first string) (FieldValue, bool) {
	var found FieldValue
	for _, o := range field.Options {
		switch {
		case o.Value == "" || o.Label == "" || o.Value == first:
		case o.Value != field.Value:
			return FieldValue{Option: o.Label}, true
		default:
			found.Option = o.Label
		}
	}
	return found, found.Option != ""
}

func (f Filler) text(e scan.Element) (string, bool) {
	field := e.Field
	switch e.Type {
	case "number", "range":
		return number(field), true
	case "date":
		return f.within(field, "2006-01-02"), true
	case "month":
		return f.within(field, "2006-01"), true
	case "week":
		y, w := f.Day.ISOWeek()
		return fmt.Sprintf("%04d-W%02d", y, w), true
	case "time":
		return orElse(field.Min, "10:30"), true
	case "datetime-local":
		return f.within(field, "2006-01-02T15:04"), true
	case "color":
		return "#336699", true
	}
	text := f.words(e)
	if field.Value == text && f.Mark != "" { // the field has it from before: a change must be seen
		text = changed(text)
	}
	if field.Pattern != "" {
		re, err := regexp.Compile("^(?:" + field.Pattern + ")$")
		if err != nil { // a pattern of JavaScript's that Go doesn't know
			return "", false
		}
		for _, candidate := range append([]string{text, fromPattern(field.Pattern)}, samples...) {
			for _, c := range []string{candidate, stretched(candidate, field.MinLength)} {
				if n := len([]rune(c)); c != "" && re.MatchString(c) && n >= field.MinLength && (field.MaxLength == 0 || n <= field.MaxLength) {
					return c, true
				}
			}
		}
		return "", false
	}
	for len([]rune(text)) < field.MinLength {
		text += " and more"
	}
	if field.MaxLength > 0 && len([]rune(text)) > field.MaxLength {
		text = string([]rune(text)[:field.MaxLength])
	}
	return text, true
}

// changed returns another value of the same kind as a text or mail address.
func changed(text string) string {
	if name, host, ok := strings.Cut(text, "@"); ok {
		return name + ".new@" + host
	}
	if strings.Contains(text, "://") {
		return text + "-new"
	}
	return text + " anew"
}

// stretched repeats the last character of a text until it is long enough.
func stretched(text string, length int) string {
	runes := []rune(text)
	for len(runes) > 0 && len(runes) < length {
		runes = append(runes, runes[len(runes)-1])
	}
	return string(runes)
}

// samples are tried where a pattern wants something special.
var samples = []string{"12345", "1234", "123456", "ABC-123", "AB12 3CD", "abc", "ABC", "abc123", "A1", "+4915112345678", "2026-01-15", "10:30", "Sample", "https://example.com", "qa@example.com"}

// fromPattern writes a text for the simplest patterns: classes with counts and plain
// characters.
func fromPattern(pattern string) string {
	var out strings.Builder
	pieces := patternPiece.FindAllStringSubmatch(pattern, -1)
	whole := 0
	for _, p := range pieces {
		whole += len(p[0])
		count := 1
		if p[2] != "" {
			count, _ = strconv.Atoi(strings.Split(strings.Trim(p[2], "{}"), ",")[0])
			count = max(count, 1)
		}
		out.WriteString(strings.Repeat(sampleOf(p[1]), count))
	}
	if whole != len(pattern) {
		return ""
	}
	return out.String()
}

var patternPiece = pattern.New(`(\[[^\]]+\]|\\.|[^\\\[\](){}|*+?.^$])(\{\d+(?:,\d*)?\}|[+*?])?`)

func sampleOf(class string) string {
	switch {
	case class == `\d` || strings.Contains(class, "0-9") && !strings.Contains(class, "A-Z") && !strings.Contains(class, "a-z"):
		return "7"
	case class == `\w` || strings.Contains(class, "a-z"):
		return "a"
	case strings.Contains(class, "A-Z"):
		return "A"
	case strings.HasPrefix(class, "["):
		return class[1:2]
	case strings.HasPrefix(class, `\`):
		return class[1:]
	}
	return class
}

func orElse(text, other string) string {
	if text != "" {
		return text
	}
	return other
}

// number returns a number between the bounds, on a step.
func number(field *scan.Field) string {
	low, hasLow := parse(field.Min)
	high, hasHigh := parse(field.Max)
	step, hasStep := parse(field.Step)
	if !hasStep || step <= 0 {
		step = 1
	}
	base := 0.0
	if hasLow {
		base = low
	}
	value := base + 3*step
	if hasHigh && value > high {
		value = base
		if !hasLow {
			value = high
		}
	}
	return strconv.FormatFloat(value, 'f', -1, 64)
}

func parse(text string) (float64, bool) {
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil
}

// within returns a day between the bounds of a field, as near to today as they allow.
func (f Filler) within(field *scan.Field, layout string) string {
	at := f.Day
	if low, err := time.Parse(layout, field.Min); err == nil && at.Before(low) {
		at = low
	}
	if high, err := time.Parse(layout, field.Max); err == nil && at.After(high) {
		at = high
	}
	return at.Format(layout)
}

// wordRule says what a field takes that has such words in its label, name or
// autocomplete.
type wordRule struct {
	words *pattern.Pattern
	text  string // {n} is a number that the seed gives, {word} and {title} the mark, {day} the day
}

var wordRules = []wordRule{
	{pattern.New(`e-?mail`), "qa.{word}@example.com"},
	{pattern.New(`phone|telefon|mobile|\btel\b`), "+49 30 5550{n}"},
	{pattern.New(`website|homepage|\burl\b`), "https://example.com/{word}"},
	{pattern.New(`zip|postal|plz|postcode`), "10115"},
	{pattern.New(`given-name|first ?name|vorname`), "Robin"},
	{pattern.New(`family-name|last ?name|surname|nachname`), "Tester"},
	{pattern.New(`country|land\b`), "Germany"},
	{pattern.New(`city|town|\bort\b|stadt`), "Berlin"},
	{pattern.New(`street|address|straße|adresse`), "Sample Street 7"},
	{pattern.New(`amount|quantity|qty|count|price|menge|betrag|preis|age\b`), "7"},
	{pattern.New(`\bdate\b|datum`), "{day}"},
	{pattern.New(`search|query|filter|suche|find`), "a"},
	{pattern.New(`user ?name|login|benutzer`), "qa{word}"},
	{pattern.New(`\bname\b`), "Robin Tester {title}"},
}

func (f Filler) words(e scan.Element) string {
	n := strconv.FormatInt(f.Seed%9000+1000, 10)
	word, title := n, n
	if f.Mark != "" {
		word, title = f.Mark, strings.ToUpper(f.Mark[:1])+f.Mark[1:]
	}
	field := e.Field
	switch {
	case e.Type == "email", strings.Contains(field.Autocomplete, "email"), field.InputMode == "email":
		return "qa." + word + "@example.com"
	case e.Type == "tel", strings.HasPrefix(field.Autocomplete, "tel"), field.InputMode == "tel":
		return "+49 30 5550" + n
	case e.Type == "url", field.Autocomplete == "url", field.InputMode == "url":
		return "https://example.com/" + word
	case field.InputMode == "numeric":
		return "7"
	case field.InputMode == "decimal":
		return "7.5"
	}
	about := strings.ToLower(strings.Join([]string{field.Autocomplete, field.Label, field.Name}, " "))
	made := strings.NewReplacer("{n}", n, "{word}", word, "{title}", title, "{day}", f.Day.Format("2006-01-02"))
	for _, r := range wordRules {
		if r.words.MatchString(about) {
			return made.Replace(r.text)
		}
	}
	return "Sample " + title
}

// InvalidValues is a value that breaks one constraint of a field.
type InvalidValues struct {
	Constraint string // such as "required" or "max 10"
	Value      FieldValue
}

// Constraints lists the constraints of a field, each with a value that breaks it. A
// length that the browser itself keeps is none that a person can break.
func (f Filler) Constraints(e scan.Element) []InvalidValues {
	field := e.Field
	kind := KindOf(e)
	if kind == None {
		return nil
	}
	var out []InvalidValues
	if field.Required && kind == Text {
		out = append(out, InvalidValues{"required", FieldValue{}})
	}
	if kind != Text {
		return out
	}
	switch e.Type {
	case "email":
		out = append(out, InvalidValues{"type email", FieldValue{Text: "no address"}})
	case "url":
		out = append(out, InvalidValues{"type url", FieldValue{Text: "no address"}})
	case "number":
		if v, ok := parse(field.Min); ok {
			out = append(out, InvalidValues{"min " + field.Min, FieldValue{Text: strconv.FormatFloat(v-1, 'f', -1, 64)}})
		}
		if v, ok := parse(field.Max); ok {
			out = append(out, InvalidValues{"max " + field.Max, FieldValue{Text: strconv.FormatFloat(v+1, 'f', -1, 64)}})
		}
		if v, ok := parse(field.Step); ok && v > 0 {
			low, _ := parse(field.Min)
			out = append(out, InvalidValues{"step " + field.Step, FieldValue{Text: strconv.FormatFloat(low+v*1.5, 'f', -1, 64)}})
		}
	}
	if field.Pattern != "" {
		out = append(out, InvalidValues{"pattern", FieldValue{Text: "§"}})
	}
	if field.MinLength > 1 {
		out = append(out, InvalidValues{"minlength " + strconv.Itoa(field.MinLength), FieldValue{Text: "x"}})
	}
	return out
}

// markOf makes up a word that can be said and that no other exploration has used: values
// of forms hold it, by which what was made is known again.
func markOf(seed int64, at time.Time) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	n := uint64(at.Unix()) + uint64(seed)*2_654_435_761
	var b strings.Builder
	for i := range 8 {
		letters := consonants
		if i%2 == 1 {
			letters = vowels
		}
		b.WriteByte(letters[n%uint64(len(letters))])
		n /= uint64(len(letters))
	}
	return b.String()
}
