package qa

import (
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/address"
	"github.com/assay-qa/assay/internal/pattern"
)

// checkAddress refuses a pattern that fits nothing: it would fail a page for a slip
// of whoever wrote it.
func (a Assertion) checkAddress() error {
	if a.Expected == "" {
		return nil
	}
	_, err := address.Parse(a.Expected)
	return err
}

func (a Assertion) checkRequest() error {
	_, err := address.ParseRequest(a.Expected)
	return err
}

func (a Assertion) checkResponse() error {
	r, err := address.ParseRequest(a.URL)
	if err == nil && r.Outcome != "" {
		err = fmt.Errorf("%s takes no status in url %q; response_status takes it as expected", a.Type, a.URL)
	}
	return err
}

// maxExpression bounds a regular expression, in bytes.
const maxExpression = 1000

// checkRegexp refuses what is no regular expression, and one that fits any
// text.
func (a Assertion) checkRegexp() error {
	if len(a.Expected) > maxExpression {
		return fmt.Errorf("text_matches takes an expression of at most %d bytes, not %d", maxExpression, len(a.Expected))
	}
	re, err := regexp.Compile(a.Expected)
	if err != nil {
		return fmt.Errorf("text_matches needs a regular expression (RE2) as expected: %w", err)
	}
	if re.MatchString("") {
		return fmt.Errorf("text_matches: %q matches the empty text, so the check would prove nothing", a.Expected)
	}
	return nil
}

func operators() []string { return []string{"<", "<=", "==", ">=", ">", "!="} }

// plainNumber matches a number as it is written in a file.
var plainNumber = pattern.New(`^-?\d{1,30}(?:\.\d{1,30})?$`)

// threshold returns Value as a number, nil where it is none.
func (a Assertion) threshold() *big.Rat {
	if !plainNumber.MatchString(a.Value) {
		return nil
	}
	n, _ := new(big.Rat).SetString(a.Value)
	return n
}

func (a Assertion) checkComparison() error {
	var op, value error
	if !slices.Contains(operators(), a.Op) {
		op = fmt.Errorf("number_compared: op is %q; accepted: %s", a.Op, describeField("op"))
	}
	if a.threshold() == nil {
		value = fmt.Errorf("number_compared: value is %q; accepted: %s", a.Value, describeField("value"))
	}
	return together(op, value)
}

// together returns all faults as one, in one line; nil if there are none.
func together(faults ...error) error {
	faults = slices.DeleteFunc(faults, func(err error) bool { return err == nil })
	switch len(faults) {
	case 0:
		return nil
	case 1:
		return faults[0] // with what it tells beside its words
	}
	said := make([]string, len(faults))
	for i, err := range faults {
		said[i] = err.Error()
	}
	return errors.New(strings.Join(said, "; "))
}

func (a Assertion) checkOrder() error {
	var order, as error
	if a.Order != "asc" && a.Order != "desc" {
		order = fmt.Errorf("sorted_by: order is %q; accepted: %s", a.Order, describeField("order"))
	}
	if !slices.Contains([]string{"text", "number", "date"}, a.As) {
		as = fmt.Errorf("sorted_by: as is %q; accepted: %s", a.As, describeField("as"))
	}
	return together(order, as)
}

// maxLines bounds the lines of a snapshot that are expected.
const maxLines = 200

// checkSnapshot refuses what no snapshot prints.
func (a Assertion) checkSnapshot() error {
	lines := nonEmptyLines(a.Expected)
	if len(lines) == 0 || len(lines) > maxLines {
		return fmt.Errorf("aria_snapshot needs 1 to %d lines of a snapshot as expected, not %d", maxLines, len(lines))
	}
	for _, line := range lines {
		if _, ok := parseSnapshotLine(line); !ok {
			return fmt.Errorf("aria_snapshot: %q is no line of a snapshot, such as button \"Save\" [disabled]", strings.TrimSpace(line))
		}
	}
	return nil
}

// dialogKinds lists the kinds of dialogs that dialog_shown takes.
var dialogKinds = []string{"alert", "confirm", "prompt"}

func (a Assertion) checkDialog() error {
	if a.Attribute == "" || slices.Contains(dialogKinds, a.Attribute) {
		return nil
	}
	return fmt.Errorf("dialog_shown: attribute is the kind of the dialog, and %q is none; accepted: %s", a.Attribute, strings.Join(dialogKinds, ", "))
}
