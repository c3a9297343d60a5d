package site

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/assay-qa/assay/internal/pattern"
)

// asker runs the program with arguments, and returns what it prints.
type asker func(ctx context.Context, args ...string) (string, error)

// help is what the program says of one of its commands.
type help struct {
	words                                     []string // of the command, behind assay
	about                                     string   // what stands before the usage
	usage, examples, flags, global, exitCodes string
	below                                     []string // names of the commands below it
}

var (
	helpParts   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^[A-Z][A-Za-z ]+:$`) })
	listedNames = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^  ([a-z][a-z-]*)  +\S`) })
	listedFlags = pattern.New(`^ +(?:(-\w), )?(--[\w-]+)(?: (\S+))? {2,}(.*)$`)
)

// readHelp takes apart what the program prints for assay help WORDS.
func readHelp(words []string, printed string) (help, error) {
	h := help{words: words}
	at := helpParts().FindAllStringIndex(printed, -1)
	if len(at) == 0 {
		return h, fmt.Errorf("assay help %s prints no Usage: %.200q", strings.Join(words, " "), printed)
	}
	h.about = strings.TrimSpace(printed[:at[0][0]])
	for i, place := range at {
		end := len(printed)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		text := printed[place[1]:end]
		if cut := strings.Index(text, "\n\n"); cut >= 0 {
			text = text[:cut]
		}
		switch title := strings.TrimSuffix(printed[place[0]:place[1]], ":"); title {
		case "Usage":
			h.usage = text
		case "Examples":
			h.examples = text
		case "Flags":
			h.flags = text
		case "Global Flags":
			h.global = text
		case "Aliases":
		default: // a group of commands
			for _, name := range listedNames().FindAllStringSubmatch(text, -1) {
				h.below = append(h.below, name[1])
			}
		}
	}
	return h, nil
}

// helps asks the program for the help of each command, those below others behind them.
func helps(ctx context.Context, ask asker) ([]help, error) {
	codes, err := ask(ctx, "help", "exit-codes")
	if err != nil {
		return nil, err
	}
	var out []help
	var visit func(words []string) error
	visit = func(words []string) error {
		printed, err := ask(ctx, append([]string{"help"}, words...)...)
		if err != nil {
			return err
		}
		h, err := readHelp(words, printed)
		if err != nil {
			return err
		}
		h.exitCodes = codes
		out = append(out, h)
		for _, name := range h.below {
			if err := visit(append(words[:len(words):len(words)], name)); err != nil {
				return err
			}
		}
		return nil
	}
	err = visit(nil)
	return out, err
}

// commandPages returns a page for each command, and one that lists them.
func commandPages(ctx context.Context, ask asker) ([]page, error) {
	all, err := helps(ctx, ask)
	if err != nil {
		return nil, err
	}
	notRun, err := examplesNotRun()
	if err != nil {
		return nil, err
	}
	var out []page
	list := strings.Builder{}
	list.WriteString("# Commands\n\nWritten from what `assay help` prints.\n\n| command | what it does |\n|---|---|\n")
	for _, h := range all {
		if len(h.words) == 0 {
			continue
		}
		name := strings.Join(h.words, "-")
		out = append(out, page{Path: "commands/" + name + ".md", Text: h.page(notRun)})
		first, _, _ := strings.Cut(h.about, "\n\n")
		fmt.Fprintf(&list, "| [`assay %s`](commands/%s.md) | %s |\n", strings.Join(h.words, " "), name, inCell(asMarkdown(first)))
	}
	return append(out, page{Path: "commands.md", Text: list.String()}), nil
}

// CommandExamples returns the lines that help shows as examples, in its order, without what
// they say of themselves. Those that no test runs come with the reason.
func (b Build) CommandExamples(ctx context.Context) (run []string, notRun map[string]string, err error) {
	all, err := helps(ctx, b.ask)
	if err != nil {
		return nil, nil, err
	}
	if notRun, err = examplesNotRun(); err != nil {
		return nil, nil, err
	}
	shown := map[string]bool{}
	for _, h := range all {
		for _, line := range h.exampleLines() {
			if !shown[line] && notRun[line] == "" {
				run = append(run, line)
			}
			shown[line] = true
		}
	}
	for line := range notRun {
		if !shown[line] {
			return nil, nil, fmt.Errorf("%s: no help shows %q any more: take it away", notRunFile, line)
		}
	}
	return run, notRun, nil
}

const notRunFile = "packaging/site/commands_not_run.json"

//go:embed commands_not_run.json
var notRunJSON []byte

// examplesNotRun has the examples of help that no test runs as they are, and why.
func examplesNotRun() (map[string]string, error) {
	var out map[string]string
	if err := json.Unmarshal(notRunJSON, &out); err != nil {
		return nil, fmt.Errorf("%s: %w", notRunFile, err)
	}
	return out, nil
}

// exampleLines are the commands of the examples, without remarks.
func (h help) exampleLines() (out []string) {
	for line := range strings.SplitSeq(h.examples, "\n") {
		line, _, _ = strings.Cut(line, " #")
		if line = strings.TrimSpace(line); line != "" && len(h.words) > 0 && h.words[0] != "completion" { // whose help is the library's
			out = append(out, line)
		}
	}
	return out
}

// page renders the help of a command as Markdown.
func (h help) page(notRun map[string]string) string {
	var w strings.Builder
	fmt.Fprintf(&w, "# assay %s\n\n", strings.Join(h.words, " "))
	for paragraph := range strings.SplitSeq(h.about, "\n\n") {
		if strings.HasPrefix(paragraph, "  ") || strings.HasPrefix(paragraph, "\t") {
			fmt.Fprintf(&w, "```text\n%s\n```\n\n", paragraph)
		} else {
			fmt.Fprintf(&w, "%s\n\n", asMarkdown(paragraph))
		}
	}
	fmt.Fprintf(&w, "```text\n%s\n```\n", unindented(h.usage))
	if h.examples != "" {
		fmt.Fprintf(&w, "\n## Examples\n\n```sh\n%s\n```\n", unindented(h.examples))
		for _, line := range h.exampleLines() {
			if why := notRun[line]; why != "" {
				fmt.Fprintf(&w, "\nNo test runs `%s` as it stands here: %s.\n", line, plain(why))
			}
		}
	}
	if len(h.below) > 0 {
		w.WriteString("\n## Commands below it\n\n")
		for _, name := range h.below {
			path := strings.Join(append(h.words[:len(h.words):len(h.words)], name), " ")
			fmt.Fprintf(&w, "- [`assay %s`](%s.md)\n", path, strings.ReplaceAll(path, " ", "-"))
		}
	}
	writeFlags(&w, "Flags", h.flags)
	writeFlags(&w, "Flags of all commands", h.global)
	w.WriteString("\nEvery setting of `mcp.toml` is a flag, too: [Settings](../settings.md).\n\n## Exit codes\n\n| code | when |\n|--:|---|\n")
	for line := range strings.Lines(h.exitCodes) {
		if code, when, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			fmt.Fprintf(&w, "| %s | %s |\n", code, inCell(strings.TrimSpace(when)))
		}
	}
	return w.String()
}

// writeFlags writes the flags that help lists as a table. A line that is no flag goes on
// with the one before it.
func writeFlags(w *strings.Builder, title, listed string) {
	if strings.TrimSpace(listed) == "" {
		return
	}
	fmt.Fprintf(w, "\n## %s\n\n| flag | |\n|---|---|\n", title)
	open := false
	for line := range strings.SplitSeq(listed, "\n") {
		flag := listedFlags.FindStringSubmatch(line)
		switch {
		case flag != nil:
			if open {
				w.WriteString(" |\n")
			}
			open = true
			name := strings.TrimSpace(flag[2] + " " + flag[3])
			if flag[1] != "" {
				name = flag[1] + ", " + name
			}
			fmt.Fprintf(w, "| `%s` | %s", strings.ReplaceAll(name, "|", `\|`), inCell(asMarkdown(flag[4])))
		case open && strings.TrimSpace(line) != "":
			w.WriteString(" " + inCell(asMarkdown(strings.TrimSpace(line))))
		}
	}
	if open {
		w.WriteString(" |\n")
	}
}

// unindented takes away the two columns by which help indents.
func unindented(text string) string {
	return strings.TrimPrefix(strings.ReplaceAll(strings.Trim(text, "\n"), "\n  ", "\n"), "  ")
}

// asMarkdown keeps what help says in plain text from being read as Markdown.
func asMarkdown(text string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "#", `\#`, "`", "\\`").Replace(plain(text))
}
