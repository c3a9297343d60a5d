package tools

import (
	"embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/tools/schema"
	"github.com/assay-qa/assay/tools/workspace"
)

// Prompt holds a text that a person chooses for their model.
type Prompt struct {
	Name        string
	Title       string
	Description string
	Arguments   []PromptArgument
	// Render makes the text. Arguments that are unknown, missing or too long are
	// an [ErrPromptArguments].
	Render func(arguments map[string]string) (string, error)
}

// PromptArgument holds one argument of a prompt.
type PromptArgument struct {
	Name        string
	Description string
	Required    bool
}

// ErrPromptArguments says that a prompt can't be made with these arguments.
var ErrPromptArguments = errors.New("prompt arguments")

// maxPromptArgument bounds an argument, in characters.
const maxPromptArgument = 500

// The texts, so that each can be read as one.
//
//go:embed prompts/*.md
var promptTexts embed.FS

// Prompts returns the prompts on offer. They name only tools that are.
func Prompts(ws *workspace.Workspace) []Prompt {
	all := []Prompt{
		{Name: "qa_agent", Title: "Verify changes", Description: "How to verify a web application: after a change, before marking work done, on demand",
			Arguments: []PromptArgument{
				{Name: "base_url", Description: "address of the application"},
				{Name: "focus", Description: "what to look at, in a sentence"},
			}},
		{Name: "dashboard_sanity", Title: "Check a dashboard", Description: "Check a dashboard: it loads, its figures are true in every range, its filters work",
			Arguments: []PromptArgument{
				{Name: "route", Description: "address or route of the dashboard", Required: true},
				{Name: "role", Description: "who is signed in"},
				{Name: "ranges", Description: "such as today, 7d, 30d"},
			}},
		{Name: "explore_and_plan", Title: "Explore a site", Description: "Find out what a site has, what is broken on it, and which tests it needs",
			Arguments: []PromptArgument{
				{Name: "url", Description: "where to begin", Required: true},
				{Name: "role", Description: "who is signed in"},
				{Name: "focus", Description: "what to look at first, in a sentence"},
			}},
	}
	offered := sync.OnceValue(func() map[string]bool { // a catalogue takes milliseconds to make
		has := map[string]bool{}
		for _, t := range Catalogue(ws) {
			has[t.Definition.Name] = true
		}
		return has
	})
	for i, p := range all {
		all[i].Render = func(arguments map[string]string) (string, error) { return p.render(arguments, offered()) }
	}
	return all
}

func (p Prompt) render(arguments map[string]string, has map[string]bool) (string, error) {
	values := map[string]any{"has": has}
	var names []string
	for _, a := range p.Arguments {
		names = append(names, a.Name)
		values[a.Name] = strings.TrimSpace(arguments[a.Name])
		if a.Required && values[a.Name] == "" {
			return "", fmt.Errorf("%w: prompt %s needs %s: %s", ErrPromptArguments, p.Name, a.Name, a.Description)
		}
	}
	for _, name := range schema.SortedKeys(arguments) {
		switch value := arguments[name]; {
		case !slices.Contains(names, name):
			return "", fmt.Errorf("%w: prompt %s has no argument %q%s; it takes %s", ErrPromptArguments, p.Name, name, text.Hint(name, names), strings.Join(names, ", "))
		case utf8.RuneCountInString(value) > maxPromptArgument:
			return "", fmt.Errorf("%w: %s has more than %d characters", ErrPromptArguments, name, maxPromptArgument)
		case strings.ContainsFunc(value, unicode.IsControl):
			return "", fmt.Errorf("%w: %s must be one line", ErrPromptArguments, name)
		}
	}
	source, err := promptTexts.ReadFile("prompts/" + p.Name + ".md")
	if err != nil {
		return "", fmt.Errorf("read prompt %s: %w", p.Name, err)
	}
	text, err := text.Fill(string(source), values)
	if err != nil {
		return "", fmt.Errorf("write prompt %s: %w", p.Name, err)
	}
	return text, nil
}

// The instructions are a file, so that they can be read as one.
//
//go:embed instructions.md
var instructions string

// Instructions returns the server's instructions for a model that attaches.
func Instructions() string { return instructions }
