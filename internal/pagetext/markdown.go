package pagetext

import "strings"

// Markdown returns a text as a part of a line of Markdown, in a table or out of it: no
// character of it has a meaning there, and an address stands as code, so that no reader
// makes a link of it and it can be copied. It must not begin a line. More than limit
// characters are cut, and " …" says so.
func Markdown(t Text, limit int) string {
	line, rest := lineOf(t, limit)
	escape := markdownEscaper()
	words := strings.Split(line, " ")
	for i, w := range words {
		if strings.Contains(w, "://") {
			words[i] = codeSpan(w)
		} else {
			words[i] = escape.Replace(w)
		}
	}
	return strings.Join(words, " ") + rest
}

// MarkdownCode returns a text as a code span of Markdown, in a table or out of it; "–"
// for none. More than limit characters are cut, and " …" says so.
func MarkdownCode(t Text, limit int) string {
	line, rest := lineOf(t, limit)
	if line == "" {
		return "–"
	}
	return codeSpan(line) + rest
}

// lineOf returns a text as one line that can be shown, of limit characters at most, and
// what says that there are more.
func lineOf(t Text, limit int) (line, rest string) {
	line, whole := Clip(strings.Join(strings.Fields(Visible(t)), " "), limit)
	if !whole {
		rest = " …"
	}
	return line, rest
}

// codeSpan makes a code span. In a table a pipe needs a backslash even within code, and
// elsewhere that would show, so a pipe becomes its look-alike; so does a backtick.
func codeSpan(s string) string {
	return "`" + strings.NewReplacer("`", "ˋ", "|", "∣").Replace(s) + "`"
}

// markdownEscaper takes its meaning from every character that has one within a line.
// A backslash before the colon or the dot keeps addresses from becoming links,
// and a space of no width keeps names and numbers from becoming mentions.
func markdownEscaper() *strings.Replacer {
	return strings.NewReplacer(
		`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "|", `\|`, "~", `\~`,
		"&", `\&`, "$", `\$`, "://", `\://`, "www.", `www\.`, "WWW.", `WWW\.`, "@", "@\u200b", "#", "#\u200b",
	)
}
