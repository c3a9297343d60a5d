package kpi

// maxPictureCard limits how many elements a card may have between a label and the
// picture of its value.
const maxPictureCard = 4

// unreadable returns what stands where the value of a label would, and can't be
// read: a picture, a canvas, a counter of CSS. "" where there is none.
func (f *valueFinder) unreadable() string {
	for label, t := range f.Texts {
		if is, _ := f.isLabel(t.Text); !is || t.Kind != "text" || f.inMenu(t.Box) {
			continue
		}
		found, levels := "", 0
		f.up(t.Box, func(b int) bool {
			levels++
			if f.holdsOtherLabels(b, label) || len(f.figures(f.members[b])) > 0 {
				return false
			}
			for _, m := range f.members[b] {
				if p := f.Texts[m]; p.Kind == "picture" && p.Why == "" {
					found = p.Doubt
				}
			}
			return found == "" && levels < maxPictureCard
		})
		if found != "" {
			return found
		}
	}
	return ""
}
