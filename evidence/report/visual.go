package report

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/qa"
)

// alikeWords say how many pictures are as their baselines, and how many of them
// not in every pixel.
func alikeWords(rows []qa.VisualRow) string {
	alike, within := 0, 0
	for _, v := range rows {
		if v.Status.Passes() {
			alike++
		}
		if v.Status == qa.VisualWithin {
			within++
		}
	}
	text := fmt.Sprintf("%d of %d as their baselines", alike, len(rows))
	if within > 0 {
		text += fmt.Sprintf(", %d within the threshold", within)
	}
	return text
}

// alikeLast puts the pictures that failed first, then those that were not
// compared, then those that differ within the threshold.
func alikeLast(rows []qa.VisualRow) []qa.VisualRow {
	out := slices.Clone(rows)
	at := func(v qa.VisualRow) int {
		if v.Status == qa.VisualWithin {
			return 2
		}
		return map[string]int{"open": 1, "good": 3}[visualMark(v.Status).Class]
	}
	sort.SliceStable(out, func(i, j int) bool { return at(out[i]) < at(out[j]) })
	return out
}

// visualMark returns the mark of a picture's comparison. An unknown status is
// none of the good ones.
func visualMark(s qa.VisualStatus) mark {
	switch s {
	case qa.VisualSame:
		return mark{"good", "✓", "Same"}
	case qa.VisualWithin:
		return mark{"open", "≈", "Within the threshold"}
	case qa.VisualChanged:
		return mark{"bad", "✕", "Changed"}
	case qa.VisualSize:
		return mark{"bad", "✕", "Another size"}
	case qa.VisualCaptured:
		return mark{"open", "?", "No baseline yet"}
	case qa.VisualForeign:
		return mark{"open", "?", "Another environment"}
	case qa.VisualUnsettled:
		return mark{"open", "?", "Not at rest"}
	default:
		word, _ := clip(visible(string(s)), 16)
		return mark{"open", "?", sentence(word)}
	}
}

func visualName(v qa.VisualRow) string {
	return strings.TrimSpace(cmp.Or(qa.ShownName(v.Name), "a picture") + " " + v.Part)
}

// approveCommand returns the command by which a person approves the picture,
// or "". Only an id of ours gets into it.
func approveCommand(v qa.VisualRow) string {
	id := v.ProposalID
	if id == "" && !v.Approved && slices.Contains([]qa.VisualStatus{qa.VisualSame, qa.VisualWithin, qa.VisualCaptured}, v.Status) {
		id = v.BaselineID // its baseline is not approved yet
	}
	if !plainWord.MatchString(id) {
		return ""
	}
	return "assay baseline approve " + id + ` --name "Your Name" --reason "why"`
}

// percentage writes percents with four digits that count.
func percentage(p float64) string {
	short, err := strconv.ParseFloat(strconv.FormatFloat(p, 'g', 4, 64), 64)
	if err != nil {
		short = p
	}
	return strconv.FormatFloat(short, 'f', -1, 64) + " %"
}

// causes returns the sentences of a comparison: what is behind it, else where
// it differs.
func causes(v qa.VisualRow) (out []string) {
	for _, r := range v.Regions {
		if r.Cause && r.Text != "" {
			out = append(out, r.Text)
		}
	}
	return out
}

// mdVisualList lists the compared pictures, what is not right first.
func mdVisualList(b *strings.Builder, rows []qa.VisualRow) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## Pictures: %s\n\n", alikeWords(rows))
	mdList(b, alikeLast(rows), mdVisuals, mdMoreLines, func(v qa.VisualRow) {
		state := visualMark(v.Status)
		sign := state.emoji()
		if v.Status == qa.VisualWithin {
			sign = "🟡"
		}
		fmt.Fprintf(b, "- %s **%s** %s", sign, mdText(state.Word), mdText(visualName(v)))
		if v.Reason != "" {
			fmt.Fprintf(b, ": %s", mdText(v.Reason))
		}
		b.WriteByte('\n')
		mdVisual(b, v)
	})
}

func mdVisual(b *strings.Builder, v qa.VisualRow) {
	mdList(b, causes(v), mdCauses, "  - … and %d more causes in the full report\n", func(text string) { fmt.Fprintf(b, "  - cause: %s\n", mdText(text)) })
	for _, e := range v.Environment {
		fmt.Fprintf(b, "  - environment: %s\n", mdText(e))
	}
	if command := approveCommand(v); command != "" {
		fmt.Fprintf(b, "  - if it should look so: `%s`\n", command)
	}
}
