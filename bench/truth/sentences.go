package truth

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// answered pairs an expectation with what the reader made of it.
type answered struct {
	expectation
	Read    []check `json:"read,omitempty"`
	Why     string  `json:"why,omitempty"` // it was not read
	Verdict reading `json:"verdict"`
}

// sentences has every expectation read, and writes what came of it.
func sentences(o options, stdout io.Writer) error {
	if o.public != "" {
		return publicSentences(o.public, stdout)
	}
	all, err := loadExpectations()
	if err != nil {
		return err
	}
	var answers []answered
	for _, e := range all {
		if o.split != "" && e.Split != o.split {
			continue
		}
		a := answered{expectation: e}
		a.Read, a.Why = read(e.Sentence)
		a.Verdict = e.judge(a.Read)
		answers = append(answers, a)
	}
	if len(answers) == 0 {
		return fmt.Errorf("-split is %q: use %s or %s", o.split, dev, heldOut)
	}
	if o.asJSON {
		return writeJSON(stdout, answers)
	}
	var b strings.Builder
	b.WriteString("| split | language | sentences | checkable | readable at all | understood | misread | unread | rightly unread | understood of the checkable |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, split := range []string{dev, heldOut, ""} {
		for _, language := range append(languages(answers), "") {
			sentencesRow(&b, answers, split, language)
		}
	}
	if o.list {
		listSentences(&b, answers)
	}
	_, err = io.WriteString(stdout, b.String())
	return err
}

// languages returns those that occur, in the order of the file.
func languages(answers []answered) []string {
	var out []string
	for _, a := range answers {
		if !slices.Contains(out, a.Language) {
			out = append(out, a.Language)
		}
	}
	return out
}

// sentencesRow writes the counts of a split and a language; empty is all.
func sentencesRow(b *strings.Builder, answers []answered, split, language string) {
	n, checkable, readable, of := 0, 0, 0, 0
	count := map[reading]int{}
	for _, a := range answers {
		if split != "" && a.Split != split || language != "" && a.Language != language {
			continue
		}
		n++
		count[a.Verdict]++
		if a.readable() {
			readable++
		}
		if a.checkable() {
			checkable++
			if a.Verdict == understood {
				of++
			}
		}
	}
	if n == 0 {
		return
	}
	share := func(k, of int) string { return fmt.Sprintf("%d (%.0f %%)", k, 100*float64(k)/float64(max(1, of))) }
	name := func(s string) string {
		if s == "" {
			return "**all**"
		}
		return s
	}
	fmt.Fprintf(b, "| %s | %s | %d | %d | %d | %s | %s | %s | %s | %s |\n", name(split), name(language), n, checkable, readable,
		share(count[understood], n), share(count[misread], n), share(count[unread], n), share(count[leftOut], n), share(of, checkable))
}

// listSentences lists what is not right. Of the sentences that are held out it
// says nothing: who reads the list would make a reader by them.
func listSentences(b *strings.Builder, answers []answered) {
	b.WriteString("\n| verdict | language | sentence | meant | read |\n|---|---|---|---|---|\n")
	for _, a := range answers {
		if a.Split != dev || a.Verdict == understood || a.Verdict == leftOut {
			continue
		}
		readAs := a.Why
		if len(a.Read) > 0 {
			readAs = fmt.Sprint(a.Read)
		}
		plain := strings.NewReplacer("|", "¦", "\n", " ")
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", a.Verdict, a.Language, plain.Replace(a.Sentence), plain.Replace(fmt.Sprint(a.Claims)), plain.Replace(readAs))
	}
}

// String writes the check as a line.
func (c check) String() string {
	out := c.Type
	if c.Not {
		out = "not " + out
	}
	for _, s := range []string{c.Selector, c.Attribute, c.URL, c.Expected, c.Other, c.Order} {
		if s != "" {
			out += " ‹" + s + "›"
		}
	}
	return out
}
