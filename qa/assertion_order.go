package qa

import (
	"cmp"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/pattern"
)

// DeclareNumberLocale says what settles how a page writes numbers.
const DeclareNumberLocale = "declare number_locale in the task or the environment, such as de-DE"

// compareNumber compares the number that is seen in an element. Where it can be read in
// several ways they must agree.
func (a Assertion) compareNumber(o Observation) comparison {
	s := comparison{expected: a.Op + " " + a.Value}
	if o.Text == nil {
		return s.withoutSubject(noElement)
	}
	shown := shorten(normalizeSpace(*o.Text))
	s.observed = pagetext.Text(shown)
	want, told := a.threshold(), false
	for _, reading := range o.Numbers {
		if firstUnreadable(reading) >= 0 || want == nil {
			continue
		}
		holds := satisfies(reading[0].Cmp(want), a.Op)
		if told && holds != s.holds {
			s.doubt = fmt.Sprintf("%q can be read as several numbers: %s", shown, DeclareNumberLocale)
		}
		s.holds, told = holds, true
	}
	if !told {
		return s.withoutSubject(("no number: " + s.observed).Trim())
	}
	return s
}

// satisfies reports whether a comparison came out as the operator says.
func satisfies(c int, op string) bool {
	switch op {
	case "<":
		return c < 0
	case "<=":
		return c <= 0
	case "==":
		return c == 0
	case ">=":
		return c >= 0
	case ">":
		return c > 0
	default:
		return c != 0
	}
}

// compareSorted reports whether the items are in order, as they stand on the screen. Equal
// ones may follow each other.
func (a Assertion) compareSorted(o Observation) comparison {
	s := a.sorted(o)
	if o.Moved {
		s.observed += "; in the document they stand in another order than on the screen"
	}
	return s
}

func (a Assertion) sorted(o Observation) comparison {
	words := map[string]string{"asc": "ascending", "desc": "descending"}[a.Order]
	s := comparison{expected: words + " by " + a.As, observed: pagetext.Text(shorten(strings.Join(o.Items, ", ")))}
	if len(o.Items) < 2 {
		return s.withoutSubject(pagetext.Text(elements(len(o.Items)) + " seen: an order needs two"))
	}
	readings := o.Numbers
	switch a.As {
	case "text":
		s.holds, s.observed = a.inOrder(o.Items, func(i int) int { return cmp.Compare(o.Keys[i-1], o.Keys[i]) })
		return s
	case "date":
		readings = readDates(o.Items)
	}
	told := false
	for _, reading := range readings {
		if firstUnreadable(reading) >= 0 {
			continue
		}
		holds, observed := a.inOrder(o.Items, func(i int) int { return reading[i-1].Cmp(reading[i]) })
		if told && holds != s.holds {
			s.doubt = "the items can be read as " + a.As + "s in several ways"
			if a.As == "number" {
				s.doubt += ": " + DeclareNumberLocale
			}
		}
		s.holds, s.observed, told = holds, observed, true
	}
	if !told {
		at := 0
		if len(readings) > 0 {
			at = max(0, firstUnreadable(readings[0]))
		}
		return s.withoutSubject(pagetext.Sprintf("%q is no %s", shorten(o.Items[at]), a.As))
	}
	return s
}

// firstUnreadable returns the first item that is not to be read, -1 where all are.
func firstUnreadable(reading []*big.Rat) int {
	for i, n := range reading {
		if n == nil {
			return i
		}
	}
	return -1
}

// inOrder reports whether each item follows the one before it, and which does
// not.
func (a Assertion) inOrder(items []string, compare func(i int) int) (holds bool, observed pagetext.Text) {
	for i := 1; i < len(items); i++ {
		if c := compare(i); a.Order == "asc" && c > 0 || a.Order == "desc" && c < 0 {
			return false, pagetext.Sprintf("%q comes before %q", shorten(items[i-1]), shorten(items[i]))
		}
	}
	return true, pagetext.Text(shorten(strings.Join(items, ", ")))
}

var (
	yearFirst = pattern.New(`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:Z| ?UTC)?)?$`)
	yearLast  = pattern.New(`^(\d{1,2})([-/.])(\d{1,2})[-/.](\d{4})(?:,? +(\d{1,2}):(\d{2})(?::(\d{2}))?)?$`)
)

// monthNameLayouts returns dates with the name of the month, in English.
func monthNameLayouts() []string {
	return []string{"2 January 2006", "2 Jan 2006", "January 2, 2006", "Jan 2, 2006", "January 2006", "Jan 2006", "Monday, January 2, 2006", "Mon, Jan 2, 2006",
		"Mon, 2 Jan 2006", "Jan 2, 2006 15:04", "Jan 2, 2006, 15:04", "Jan 2, 2006, 3:04 PM", "2 Jan 2006 15:04", "2 Jan 2006, 15:04", time.RFC3339, time.RFC1123, time.RFC1123Z}
}

// readDates reads texts as dates, day first and month first; what is not to be
// read is nil. Dates with the month before or after the day are alike to both
// ways, where one of the numbers is above 12.
func readDates(texts []string) [][]*big.Rat {
	var out [][]*big.Rat
	for _, dayFirst := range []bool{true, false} {
		reading := make([]*big.Rat, len(texts))
		for i, text := range texts {
			if at, ok := readDate(strings.TrimSpace(text), dayFirst); ok {
				reading[i] = new(big.Rat).SetInt64(at.Unix())
			}
		}
		out = append(out, reading)
	}
	return out
}

func readDate(text string, dayFirst bool) (time.Time, bool) {
	if m := yearFirst.FindStringSubmatch(text); m != nil {
		return dateOf(m[1], m[2], m[3], m[4:])
	}
	if m := yearLast.FindStringSubmatch(text); m != nil {
		if dayFirst || m[2] == "." {
			return dateOf(m[4], m[3], m[1], m[5:])
		}
		return dateOf(m[4], m[1], m[3], m[5:])
	}
	for _, layout := range monthNameLayouts() {
		if at, err := time.Parse(layout, normalizeSpace(text)); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

// dateOf makes a date of its numbers, and fails for one that no calendar has.
func dateOf(year, month, day string, clock []string) (time.Time, bool) {
	n := func(s string) int {
		v, _ := strconv.Atoi(s) // digits, or nothing
		return v
	}
	at := time.Date(n(year), time.Month(n(month)), n(day), n(clock[0]), n(clock[1]), n(clock[2]), 0, time.UTC)
	return at, at.Day() == n(day) && int(at.Month()) == n(month) && n(clock[0]) < 24 && n(clock[1]) < 60 && n(clock[2]) < 60
}
