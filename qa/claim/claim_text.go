package claim

import (
	"fmt"
	"strings"
)

// String returns what the claim was understood as, in plain English.
func (c Claim) String() string {
	return c.subjectText() + " " + c.predicateText()
}

// isAboutPage reports whether the claim is about the page or what it did.
func (c Claim) isAboutPage() bool {
	switch c.Type {
	case "title_equals", "title_contains", "url_matches", "response_ok", "response_status", "console_clean", "request_made", "downloaded", "dialog_shown", "popup_opened", "kpi":
		return true
	}
	return false
}

func (c Claim) subjectText() string {
	switch {
	case c.Type == "kpi":
		return fmt.Sprintf("the figure %q", c.Attribute)
	case c.Type == "title_equals", c.Type == "title_contains":
		return "the page's title"
	case c.Type == "url_matches":
		return "the page's address"
	case c.Type == "response_ok" || c.Type == "response_status":
		if c.URL == "" {
			return "the response with the page's document"
		}
		return "the newest response of " + c.URL
	case c.Type == "console_clean":
		return "the console"
	case c.isAboutPage() || c.Selector == "":
		return "the page"
	case len(c.Alike) > 0:
		return c.Selector + " (or " + strings.Join(c.Alike, ", ") + ")"
	}
	return c.Selector
}

// yesOrNo returns yes, or no where the opposite must hold.
func (c Claim) yesOrNo(yes, no string) string {
	if c.Not {
		return no
	}
	return yes
}

func (c Claim) predicateText() string {
	is, has := c.yesOrNo("is", "is not"), c.yesOrNo("has", "does not have")
	switch c.Type {
	case "text_contains":
		words := ""
		if c.WholeWords {
			words = " (whole words)"
		}
		return c.yesOrNo("shows", "does not show") + fmt.Sprintf(" the text %q", c.Expected) + words
	case "text_equals":
		return has + fmt.Sprintf(" exactly the text %q", c.Expected)
	case "text_matches":
		return has + fmt.Sprintf(" a text that matches %q", c.Expected)
	case "value_equals", "values_equal":
		return has + fmt.Sprintf(" the value %q", c.Expected)
	case "value_contains":
		return c.yesOrNo("has a value with", "has no value with") + fmt.Sprintf(" %q in it (whole words)", c.Expected)
	case "title_contains":
		return c.yesOrNo("contains", "does not contain") + fmt.Sprintf(" %q (whole words)", c.Expected)
	case "selected_label":
		return has + fmt.Sprintf(" %q selected", c.Expected)
	case "count_equals", "count_at_least", "count_at_most":
		return c.countText()
	case "attribute_equals":
		return has + fmt.Sprintf(" the attribute %s = %q", c.Attribute, c.Expected)
	case "css_equals":
		return has + fmt.Sprintf(" the CSS property %s = %q", c.Attribute, c.Expected)
	case "class_contains":
		return has + fmt.Sprintf(" the class %q", c.Expected)
	case "role_equals", "name_equals", "description_equals", "error_message_equals":
		kind := strings.ReplaceAll(strings.TrimSuffix(c.Type, "_equals"), "_", " ")
		return has + fmt.Sprintf(" the %s %q", kind, c.Expected)
	case "title_equals", "kpi":
		return is + fmt.Sprintf(" %q", c.Expected)
	case "in_viewport":
		return is + " in the viewport"
	case "enabled":
		return c.yesOrNo("is enabled", "is disabled")
	case "hidden":
		return c.yesOrNo("is not seen", "is seen")
	case "number_compared":
		return has + " a number " + c.Op + " " + c.Expected
	case "sorted_by":
		by := ""
		if c.Attribute != "" {
			by = fmt.Sprintf(" by %q", c.Attribute)
		}
		return is + " sorted" + by + ", " + c.Expected
	case "comes_before":
		return c.yesOrNo("comes before ", "does not come before ") + c.Expected
	}
	return c.eventText(is)
}

func (c Claim) eventText(is string) string {
	switch c.Type {
	case "url_matches":
		return c.yesOrNo("fits ", "does not fit ") + c.Expected
	case "response_ok":
		return is + " OK (status below 400)"
	case "response_status":
		return c.yesOrNo("has", "does not have") + " status " + c.Expected
	case "console_clean":
		return c.yesOrNo("shows no error", "shows an error")
	case "request_made":
		return c.yesOrNo("made", "did not make") + " the request " + c.Expected
	case "downloaded":
		if c.Expected == "" {
			return c.yesOrNo("downloaded a file", "downloaded no file")
		}
		return c.yesOrNo("downloaded", "did not download") + fmt.Sprintf(" the file %q", c.Expected)
	case "dialog_shown":
		kind := c.Attribute
		if kind == "" {
			kind = "alert, confirm or prompt"
		}
		text := ""
		if c.Expected != "" {
			text = fmt.Sprintf(" with the text %q", c.Expected)
		}
		return c.yesOrNo("opened", "did not open") + " a dialog of the browser (" + kind + ")" + text
	case "popup_opened":
		to := ""
		if c.Expected != "" {
			to = " at " + c.Expected
		}
		return c.yesOrNo("opened", "did not open") + " a new window or tab" + to
	}
	if c.Type == "exists" {
		return c.yesOrNo("is in the document", "is not in the document")
	}
	return is + " " + c.Type
}

func (c Claim) countText() string {
	what := map[string]string{"count_equals": "exactly", "count_at_least": "at least", "count_at_most": "at most"}[c.Type]
	notes := ""
	if c.DataRows {
		notes = " (rows of headers not counted)"
	}
	if c.WholeWords {
		notes = " (whole words)"
	}
	times := "times"
	if c.Expected == "1" {
		times = "time"
	}
	return c.yesOrNo("is seen ", "is not seen ") + what + " " + c.Expected + " " + times + notes
}

// describe returns what several claims were understood as.
func describe(claims []Claim) string {
	var all []string
	for _, c := range claims {
		all = append(all, c.String())
	}
	return strings.Join(all, "; ")
}
