package claim

import (
	"slices"
	"strings"
)

// optionClaims returns the claims on options of a dropdown. Closed it shows none, so that
// only attachment can be checked.
func optionClaims(things []subject, c *captures) (claims func(not bool) ([]Claim, bool), is bool) {
	around, _ := c.get("around").([]subject)
	if len(around) != 1 || len(things) == 0 || !slices.Contains(dropdowns, around[0].role) || around[0].inside != nil ||
		slices.ContainsFunc(things, func(s subject) bool { return s.role != "option" || !s.named || s.inside != nil }) {
		return nil, false
	}
	return func(not bool) ([]Claim, bool) {
		var out []Claim
		for _, s := range things {
			s.inside = &around[0]
			c := s.claim("exists", not)
			if !not {
				out = append(out, c)
				continue
			}
			for _, selector := range append([]string{c.Selector}, c.Alike...) {
				out = append(out, Claim{Selector: selector, Type: "exists", Not: true})
			}
		}
		if not {
			out = append(out, around[0].claim("visible", false))
		}
		return out, around[0].named && (!c.has("no") || sharesNo(things))
	}, true
}

var dropdowns = strings.Fields("dropdown combobox")
