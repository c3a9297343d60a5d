package truth

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode"

	"github.com/assay-qa/assay/qa/claim"
)

// publicSources says where the public sentences stand.
//
//go:embed public_sentences.tsv
var publicSources string

// notCheckable lists the words that a sentence about a page does not have.
//
//go:embed checkable.tsv
var notCheckable string

// drawn holds what the list says of a sentence.
type drawn struct {
	language, split string
	step            bool // the translation of a step definition, into whose places the draw put words
}

// loadDrawn returns the list by the hashes of its sentences.
func loadDrawn() (map[string]drawn, error) {
	out := map[string]drawn{}
	for line := range strings.Lines(publicSources) {
		rest, listed := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "\t")
		if !listed {
			continue
		}
		fields := strings.Split(rest, "\t")
		if len(fields) != 5 || fields[1] != dev && fields[1] != heldOut {
			return nil, fmt.Errorf("public_sentences.tsv: %q is not language, split, line, sha and path", rest)
		}
		out[fields[3]] = drawn{fields[0], fields[1], strings.HasSuffix(fields[4], ".xliff")}
	}
	return out, nil
}

// aboutPage tells which sentences are about a page that anybody can look at.
type aboutPage struct{ once, twice, places map[string][]string } // by language

// loadAboutPage reads checkable.tsv.
func loadAboutPage() (aboutPage, error) {
	out := aboutPage{map[string][]string{}, map[string][]string{}, map[string][]string{}}
	for line := range strings.Lines(notCheckable) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if len(fields) != 3 {
			return out, fmt.Errorf("checkable.tsv: %q is not language, kind and words", line)
		}
		list := out.once
		switch fields[1] {
		case "twice":
			list = out.twice
		case "place":
			list = out.places
		}
		list[fields[0]] = append(list[fields[0]], strings.Fields(fields[2])...)
	}
	return out, nil
}

// says reports whether a sentence is about a page.
func (a aboutPage) says(from drawn, sentence string) bool {
	language := from.language
	for _, q := range claim.Quotes(sentence) {
		sentence = strings.ReplaceAll(sentence, q, " ")
	}
	sentence = strings.ToLower(sentence)
	count := map[string]int{}
	for _, w := range strings.FieldsFunc(sentence, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' && r != '\'' }) {
		count[w]++
		if _, elided, ok := strings.Cut(w, "'"); ok { // l'elemento
			count[elided]++
		}
	}
	if from.step && slices.ContainsFunc(a.places[language], func(w string) bool { return count[w] > 0 }) {
		return false
	}
	for _, w := range a.once[language] {
		if count[w] > 0 || language == "zh" && strings.Contains(sentence, w) {
			return false
		}
	}
	return !slices.ContainsFunc(a.twice[language], func(w string) bool { return count[w] > 1 })
}

// readCount counts sentences, those that are read, and both of those about a page.
type readCount struct{ all, read, checkable, understood int }

func (t *readCount) add(about, read bool) {
	t.all++
	if read {
		t.read++
	}
	if about {
		t.checkable++
	}
	if about && read {
		t.understood++
	}
}

func (t *readCount) String() string {
	share := "–"
	if t.checkable > 0 {
		share = fmt.Sprintf("%d (%d %%)", t.understood, (200*t.understood+t.checkable)/(2*t.checkable))
	}
	return fmt.Sprintf("%d | %d | %d | %s", t.all, t.read, t.checkable, share)
}

// publicSentences counts how many of the public sentences are read, by language and
// split, and of those about a page. They have no meaning beside them: whether a reading is right a person says.
func publicSentences(file string, stdout io.Writer) error {
	list, err := loadDrawn()
	if err != nil {
		return err
	}
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("the public sentences are no part of this tree: %w", err)
	}
	defer f.Close()
	about, err := loadAboutPage()
	if err != nil {
		return err
	}
	counts := map[drawn]*readCount{} // steps are counted with the others
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		var s struct{ Sentence, SHA string }
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			return fmt.Errorf("%s:%d: %w", file, n, err)
		}
		from, ok := list[s.SHA]
		if !ok {
			return fmt.Errorf("%s:%d: %q is not on the list of public_sentences.tsv", file, n, s.SHA)
		}
		about := about.says(from, s.Sentence)
		if from.step = false; counts[from] == nil {
			counts[from] = &readCount{}
		}
		checks, _ := read(s.Sentence)
		counts[from].add(about, len(checks) > 0)
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	var b strings.Builder
	b.WriteString("| language | split | sentences | read | about a page | read of these |\n|---|---|--:|--:|--:|--:|\n")
	for _, language := range []string{"en", "de", "es", "fr", "it", "nl", "pt", "zh"} {
		for _, split := range []string{dev, heldOut} {
			if t := counts[drawn{language: language, split: split}]; t != nil {
				fmt.Fprintf(&b, "| %s | %s | %s |\n", language, split, t)
			}
		}
	}
	_, err = io.WriteString(stdout, b.String())
	return err
}
