package truth

import "github.com/assay-qa/assay/qa/claim"

// read asks the product what a sentence says. It answers nothing where that is
// not read, with the reason. What a sentence takes for granted is looked at by
// the product, too; it is no part of what the sentence says.
func read(sentence string) (checks []check, why string) {
	claims, not := claim.Parse(sentence)
	if not != nil {
		return nil, not.Why
	}
	for _, c := range claims {
		if c.Presumed { // the sentence does not say it
			continue
		}
		checks = append(checks, check{Selector: c.Selector, Type: c.Type, Expected: c.Expected, Not: c.Not, Attribute: c.Attribute, URL: c.URL, alike: c.Alike})
	}
	return checks, ""
}
