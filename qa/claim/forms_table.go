package claim

import "strings"

// Forms returns the table of forms in Markdown, a part for each language: the form's
// name, an example, and the check that it demands.
func Forms() string {
	var b strings.Builder
	for i, g := range grammars() {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString("**" + g.language.name + "**\n\n| form | for example | understood as |\n|---|---|---|\n")
		for _, f := range g.language.forms {
			claims := readExample(g, f.example)
			types := make([]string, len(claims))
			for i, c := range claims {
				types[i] = "`" + c.Type + "`"
			}
			b.WriteString("| " + f.name + " | " + cell(f.example) + " | " + cell(describe(claims)) + " (" + strings.Join(types, ", ") + ") |\n")
		}
	}
	return b.String()
}

// ActForms returns the table of what steps do in Markdown: a row for each kind of act, with
// an example in each language.
func ActForms() string {
	var head, line strings.Builder
	rows := map[string]string{}
	var order []string
	for _, g := range grammars() {
		head.WriteString(" " + g.language.name + " |")
		line.WriteString("---|")
		for _, f := range g.acts {
			if f.example == "" {
				continue
			}
			if rows[f.name] == "" {
				order = append(order, f.name)
			}
			rows[f.name] += " " + cell(f.example) + " |"
		}
	}
	out := "|" + head.String() + "\n|" + line.String() + "\n"
	for _, name := range order {
		out += "|" + rows[name] + "\n"
	}
	return out
}

// cell keeps a text from ending its cell or becoming HTML.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`, "_", `\_`).Replace(s)
}
