package claim

import "slices"

// buildIs: a field, a box of options or a heading "is" something.
func buildIs(c *captures) ([]Claim, bool) {
	not, ok := denied(c)
	s, known := singleSubject(c)
	if !known {
		s, known = withoutNameFromText(c)
	}
	value := c.text("value")
	if !ok || !known || s.says != "" {
		return nil, false
	}
	switch {
	case slices.Contains(fields, s.calledAs()):
		out := s.claim("value_equals", not)
		out.Expected = value
		return []Claim{out}, true
	case s.calledAs() == "dropdown" || s.calledAs() == "combobox":
		out := s.claim("selected_label", not)
		out.Expected = value
		return []Claim{out}, value != ""
	case !s.isDefinite() && s.role == "heading" && !not:
		return subject{role: s.role, name: value, named: true}.claimSeen(false)
	}
	return nil, false
}

// buildKind: a text is an element of some role.
func buildKind(c *captures) ([]Claim, bool) {
	s, ok := withText(c.text("role"), c.text("quote"), "")
	if !ok || c.denials() > 0 || s.says != "" {
		return nil, false // what it is instead is not said
	}
	return s.claimSeen(false)
}
