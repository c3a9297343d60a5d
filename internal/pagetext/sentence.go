package pagetext

import (
	"errors"
	"fmt"
	"strings"
)

// Sentence is a sentence of ours that quotes a page: where the page's words stand in it
// stays known, so that whoever prints it can mark or escape these and show ours as they
// are. A constant is a sentence of our words alone, sentences are joined with +, and
// [Sentencef] makes one of words of both. In JSON it is a plain string; one that is read
// from JSON is the page's from end to end, as nobody knows any more.
type Sentence string

// The page's words stand between two characters that no text may interchange, and
// neither ours nor the page's have them.
const (
	beginQuote = "\ufdd0"
	endQuote   = "\ufdd1"
)

// Sentencef formats a sentence. What is a [Text] in it is quoted; a Sentence keeps its
// quotes, and so does an error that has a method Sentence. An error that only wraps one is
// the page's whole, since its string has lost them.
func Sentencef(format string, args ...any) Sentence {
	parts := make([]any, len(args))
	for i, arg := range args {
		parts[i] = partOf(arg)
	}
	return Sentence(fmt.Sprintf(format, parts...))
}

// Quoted returns a sentence of nothing but words of a page.
func Quoted(t Text) Sentence { return Sentence(quote(string(t))) }

// Listed returns words of a page with commas of ours between them.
func Listed(all []Text) Sentence {
	var out Sentence
	for i, t := range all {
		if i > 0 {
			out += ", "
		}
		out += Quoted(t)
	}
	return out
}

// Text returns all of the sentence, as the page's words.
func (s Sentence) Text() Text { return Text(withoutQuotes(string(s))) }

// Line returns the sentence as a part of one line of a terminal, which is what an error's
// string must be: it may be logged, and printed by whoever knows nothing of pages.
func (s Sentence) Line() string {
	var b strings.Builder
	s.eachPart(func(part string, quoted bool) {
		if quoted {
			part = Terminal(Text(part))
		}
		b.WriteString(part)
	})
	return b.String()
}

// Says reports whether our own words in the sentence have a part. What the page says does
// not count.
func (s Sentence) Says(part string) bool {
	found := false
	s.eachPart(func(own string, quoted bool) { found = found || !quoted && strings.Contains(own, part) })
	return found
}

// Begins reports whether the sentence begins with words of ours.
func (s Sentence) Begins(with string) bool { return strings.HasPrefix(string(s), with) }

// Replace returns the sentence with other words of ours in place of the first ones that
// are old.
func (s Sentence) Replace(old, with string) Sentence {
	return Sentence(strings.Replace(string(s), old, withoutQuotes(with), 1))
}

// Map returns what f makes of our words and, piece by piece, of the page's.
func (s Sentence) Map(f func(string) string) Sentence {
	var b strings.Builder
	s.eachPart(func(part string, quoted bool) {
		if part = withoutQuotes(f(part)); quoted {
			part = quote(part)
		}
		b.WriteString(part)
	})
	return Sentence(b.String())
}

// QuotesPage reports whether words of a page stand in the sentence.
func (s Sentence) QuotesPage() bool { return strings.Contains(string(s), beginQuote) }

// MarshalText returns the sentence as a file has it.
func (s Sentence) MarshalText() ([]byte, error) { return []byte(withoutQuotes(string(s))), nil }

// UnmarshalText reads the sentence of a file.
func (s *Sentence) UnmarshalText(text []byte) error {
	*s = Quoted(Text(text))
	return nil
}

// Format prints the sentence where it is printed by mistake.
func (s Sentence) Format(f fmt.State, verb rune) { fmt.Fprintf(f, fmt.FormatString(f, verb), s.Line()) }

// apart returns the sentence with what number returns in place of the page's words.
func (s Sentence) apart(number func(Text) string) string {
	var b strings.Builder
	s.eachPart(func(part string, quoted bool) {
		if quoted {
			part = number(Text(part))
		}
		b.WriteString(part)
	})
	return b.String()
}

// eachPart goes through the parts that are ours, and those that are quoted.
func (s Sentence) eachPart(do func(part string, quoted bool)) {
	rest := string(s)
	for rest != "" {
		own, after, found := strings.Cut(rest, beginQuote)
		if own != "" {
			do(own, false)
		}
		if !found {
			return
		}
		var words string
		words, rest, _ = strings.Cut(after, endQuote)
		do(words, true)
	}
}

// partOf returns what stands for an argument of a sentence.
func partOf(arg any) any {
	switch arg := arg.(type) {
	case nil, bool, int, int64, uint64, float64:
		return arg
	case Sentence:
		return raw(arg)
	case Text:
		return quotation(arg)
	case []Text:
		all := make([]quotation, len(arg))
		for i, t := range arg {
			all[i] = quotation(t)
		}
		return all
	case error:
		return errorPart(arg)
	}
	return ours{arg}
}

// errorPart returns what stands for an error.
func errorPart(err error) any {
	if worded, ok := err.(interface{ Sentence() Sentence }); ok {
		return raw(worded.Sentence())
	}
	var within interface{ Sentence() Sentence }
	if errors.As(err, &within) && within.Sentence().QuotesPage() {
		return quotation(err.Error())
	}
	return ours{err}
}

// raw is a sentence within another.
type raw Sentence

func (r raw) Format(f fmt.State, verb rune) {
	if verb != 's' && verb != 'v' { // the quotes would not outlive it
		quotation(Sentence(r).Text()).Format(f, verb)
		return
	}
	_, _ = f.Write([]byte(r))
}

// quotation is words of a page within a sentence.
type quotation string

func (q quotation) Format(f fmt.State, verb rune) {
	words := fmt.Sprintf(fmt.FormatString(f, verb), string(q))
	if n := len(words); verb == 'q' && n > 1 { // the marks are our own
		_, _ = f.Write([]byte(words[:1] + quote(words[1:n-1]) + words[n-1:]))
		return
	}
	_, _ = f.Write([]byte(quote(words)))
}

// ours is a value whose words are ours.
type ours struct{ value any }

func (o ours) Format(f fmt.State, verb rune) {
	_, _ = f.Write([]byte(withoutQuotes(fmt.Sprintf(fmt.FormatString(f, verb), o.value))))
}

func quote(words string) string {
	if words = withoutQuotes(words); words == "" {
		return ""
	}
	return beginQuote + words + endQuote
}

func withoutQuotes(s string) string {
	if !strings.ContainsAny(s, beginQuote+endQuote) {
		return s
	}
	return strings.NewReplacer(beginQuote, "", endQuote, "").Replace(s)
}
