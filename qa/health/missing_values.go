package health

import (
	"slices"
	"strings"

	"github.com/assay-qa/assay/pattern"
)

const (
	none     = `(?:undefined|NaN|null)`
	currency = `(?:[$€£¥₹₽₩₺₴₿]|\b(?:USD|EUR|GBP|CHF|JPY|CNY|INR|SEK|NOK|DKK|PLN|CZK|BRL|AUD|CAD|kr|zł|Kč|R\$))`
	unit     = `(?:%|‰|°[CF]?|(?:k|M|G|T)?B|[KMGT]iB|kg|mg|g|lbs?|km/h|km|cm|mm|m²|mi|kWh|kW|MW|ms|sec|mins?|min|hrs?|h|px|pts?|bpm|rpm|Hz|GHz|MHz|x|/\s?\d+)`
	noun     = `(?:items?|results?|users?|orders?|products?|messages?|notifications?|comments?|reviews?|views?|likes?|files?|tasks?|members?|followers?|posts?|days?|hours?|minutes?|seconds?|weeks?|months?|years?|points?|stars?|votes?|` +
		`customers?|pages?|entries|entry|rows?|records?|visits?|visitors?|sessions?|sales|units?|pieces|guests?|nights?|people|tickets?|invoices?|steps?|credits?|left|remaining|total|new|unread|selected|of|ago|` +
		`Artikel|Ergebnisse|Bestellungen|Nutzer|Benutzer|Nachrichten|Tage|Stunden|Minuten|Stück|Einträge|articles?|résultats|commandes|jours|heures|produits|artículos|resultados|pedidos|días|horas)`
)

var (
	bare   = pattern.New(`^[("'\s+−-]*` + none + `(?:[\s,/|·:x×–-]+` + none + `)*[)"'\s.!]*$`)
	priced = pattern.New(currency + `\s?[-−+]?` + none + `\b|\b` + none + `\s?` + currency)
	sized  = pattern.New(`\b` + none + `\s?` + unit + `(?:$|[\s).,;:!?/])|\bInfinity\s?%|` + currency + `\s?Infinity\b`)
	counts = pattern.New(`(?:^|[\s("+-])` + none + ` ` + noun + `\b|\b\d+ (?:of|/|von|sur|de) ` + none + `\b|\b` + none + ` (?:of|/|von|sur|de) (?:\d+|` + none + `)\b`)
	// A label, a colon, and the value at the end.
	label = pattern.New(`^[\pL][\pL\pN ()./&'’-]{0,40}\s?[:：=]\s*["“]?` + none + `["”]?\.?$`)
	greet = pattern.New(`(?i:^|\b)(?i:hello|hi|hey|dear|welcome(?: back)?|good (?:morning|afternoon|evening)|hallo|guten (?:tag|morgen|abend)|willkommen(?: zurück)?|bonjour|bienvenue|hola|bienvenid[oa]|ciao|benvenut[oa]|olá|by|von|par)[, ]+` + none + `(?:$|[\s!,.])`)
	// What a page of a program's interface says of values.
	meta = pattern.New(`(?i)^(type|default|returns?|value|values|initial|if|when|optional|nullable|required)\b`)
	word = pattern.New(`\b` + none + `\b`)
)

// checkValue looks for what stands where a value should be.
func (j *judge) checkValue(t Text) {
	if !word.MatchString(t.Text) && !strings.Contains(t.Text, "Infinity") || brokenDay.MatchString(t.Text) {
		return
	}
	if priced.MatchString(t.Text) || sized.MatchString(t.Text) {
		if !j.proseMentions(t) {
			j.add(NoValue, !j.technical, t.Selector, "%s", quoted(t.Text))
		}
		return
	}
	whole := bare.MatchString(t.Text)
	short := words(t.Text) <= 8
	switch {
	case meta.MatchString(t.Text), !whole && j.proseMentions(t):
		return
	case whole && j.usedAsName(t):
		return
	case whole, short && (label.MatchString(t.Text) || greet.MatchString(t.Text) || j.inOwnElement(t)), words(t.Text) <= 20 && counts.MatchString(t.Text):
		j.add(NoValue, !j.technical, t.Selector, "%s", quoted(t.Text))
	}
}

// inOwnElement reports whether the value stands in an element of its own, at an end of
// a short text: a badge behind its label.
func (j *judge) inOwnElement(t Text) bool {
	if t.Prose && words(t.Text) > 4 {
		return false
	}
	return slices.ContainsFunc(t.Own, func(own string) bool { return strings.HasPrefix(t.Text, own) || strings.HasSuffix(t.Text, own) })
}

func (j *judge) proseMentions(t Text) bool {
	return j.mentions(t, word.FindString(t.Text))
}

// usedAsName reports whether the page uses a word as a name: its prose
// mentions or quotes it.
func (j *judge) usedAsName(t Text) bool {
	name := word.FindString(t.Text)
	if name == "NaN" {
		return false
	}
	for _, other := range append([]Text{{Text: j.facts.Title}}, j.facts.Texts...) {
		if other.Text == t.Text || other.Code || !strings.Contains(other.Text, name) {
			continue
		}
		if quotes(other.Text, name) || words(other.Text) > 4 && speaks.MatchString(other.Text) && !counts.MatchString(other.Text) && !greet.MatchString(other.Text) {
			return true
		}
	}
	return false
}

// speaks matches a sentence that says something of a name.
var speaks = pattern.New(`(?:^|[\s(])(?:undefined|null) (?:is|was|are|has|by|means|comes|makes|lets|offers|brings|gives|sells|ist|war|wird|est|es|è)\b|\b(?:from|with|by|called|about|of|the|our|von|bei|mit|de|avec) (?:undefined|null)\b`)
