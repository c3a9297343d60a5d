package truth

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

// publicSources says where the public sentences stand.
//
//go:embed public_sentences.tsv
var publicSources string

// drawn holds what the list says of a sentence.
type drawn struct{ language, split string }

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
		out[fields[3]] = drawn{fields[0], fields[1]}
	}
	return out, nil
}

// publicSentences counts how many of the public sentences are read, by language and
// split. They have no meaning beside them: whether a reading is right a person says.
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
	all, readable := map[drawn]int{}, map[drawn]int{}
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
		all[from]++
		if checks, _ := read(s.Sentence); len(checks) > 0 {
			readable[from]++
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	var b strings.Builder
	b.WriteString("| language | dev | read | held-out | read |\n|---|--:|--:|--:|--:|\n")
	for _, language := range []string{"en", "de", "es", "fr", "it", "nl", "pt", "zh"} {
		d, h := drawn{language, dev}, drawn{language, heldOut}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d |\n", language, all[d], readable[d], all[h], readable[h])
	}
	_, err = io.WriteString(stdout, b.String())
	return err
}
