package report

import (
	"fmt"

	"github.com/assay-qa/assay/qa"
)

// shownPlaces bounds the places of a picture that are drawn and listed.
const shownPlaces = 60

// comparison holds a picture beside its baseline, as the page shows it.
type comparison struct {
	qa.VisualRow
	Number              int
	Causes, Follows     []place
	Before, After, Diff *pane
	Unshown             int // places beyond the list
}

// pane holds one of the pictures of a comparison. Those of one comparison are
// drawn to one scale.
type pane struct {
	file
	First bool    // the page shows it here for the first time: its anchor is here
	Share float64 // of the width of the widest
	Wide  int     // width of the widest of the pictures, in pixels
	Boxes []place
}

// place holds a region with its number in the list, and its box in percent of
// the picture that it is drawn over.
type place struct {
	qa.VisualRegion
	Number                   int
	Left, Top, Width, Height float64
}

// Style of a box: numbers only, so nothing of a page gets into it.
func (p place) Style() markup {
	return markup(fmt.Sprintf("left:%.2f%%;top:%.2f%%;width:%.2f%%;height:%.2f%%", p.Left, p.Top, p.Width, p.Height))
}

// Style of a pane: numbers only.
func (p pane) Style() markup { return markup(fmt.Sprintf("--share:%.5f", p.Share)) }

// Plate returns the style of the panes' container: none is drawn larger than
// it is.
func (c comparison) Plate() markup {
	for _, p := range []*pane{c.Before, c.After, c.Diff} {
		if p != nil {
			return markup(fmt.Sprintf("--wide:%dpx", p.Wide))
		}
	}
	return ""
}

// Both reports whether there are two pictures to look from one to the other.
func (c comparison) Both() bool { return c.Before != nil && c.After != nil }

// Title returns the name of the picture, with the element if it is of one.
func (c comparison) Title() string { return visible(visualName(c.VisualRow)) }

// Numbers say how much differs, and how much may.
func (c comparison) Numbers() (out []condition) {
	if c.BeforeSize != "" && c.BeforeSize != c.AfterSize {
		out = append(out, condition{"Size", c.BeforeSize + " → " + c.AfterSize})
	}
	if c.Compared == 0 {
		return out
	}
	out = append(out, []condition{
		{"Differs", percentage(c.DiffPercentage)}, {"Deciding limit", percentage(c.Threshold * 100)},
		{"Changed pixels", grouped(int64(c.ChangedPixels))}, {"Different in any bit", grouped(int64(c.RawPixels))},
	}...)
	if c.PalePixels > 0 {
		out = append(out, condition{"In pale areas", grouped(int64(c.PalePixels))})
	}
	return append(out, condition{"Compared pixels", grouped(int64(c.Compared))})
}

// Basis says what the picture was compared with.
func (c comparison) Basis() string {
	switch {
	case c.Version == 0:
		return "none"
	case c.Approved:
		return fmt.Sprintf("version %d, approved", c.Version)
	default:
		return fmt.Sprintf("version %d, not approved yet", c.Version)
	}
}

// comparisonsOf puts the pictures beside their baselines, what is not right first, and
// notes in files which of them are shown so.
func comparisonsOf(rows []qa.VisualRow, files *fileSet) (out []comparison) {
	for i, row := range alikeLast(rows) {
		c := comparison{VisualRow: row, Number: i + 1, Unshown: row.Omitted}
		c.Before, c.After, c.Diff = panes(row, files)
		for n, r := range row.Regions {
			if n == shownPlaces {
				c.Unshown += len(row.Regions) - n
				break
			}
			if r.Cause {
				c.Causes = append(c.Causes, place{VisualRegion: r})
			} else {
				c.Follows = append(c.Follows, place{VisualRegion: r})
			}
		}
		n := 0
		for _, list := range [][]place{c.Causes, c.Follows} {
			for k := range list {
				n++
				list[k].Number = n
				c.draw(list[k])
			}
		}
		out = append(out, c)
	}
	return out
}

// panes returns the pictures of a row that the report holds, drawn to one scale.
func panes(row qa.VisualRow, files *fileSet) (before, after, diff *pane) {
	before, after, diff = files.pane(row.Before), files.pane(row.After), files.pane(row.Diff)
	wide := 0
	for _, x := range []*pane{before, after, diff} {
		if x != nil {
			wide = max(wide, x.file.Width)
		}
	}
	for _, x := range []*pane{before, after, diff} {
		if x != nil {
			x.Share, x.Wide = float64(x.file.Width)/float64(wide), wide
		}
	}
	return before, after, diff
}

// draw puts a place over the picture that it is in: what was removed is in the
// baseline's only.
func (c *comparison) draw(at place) {
	on := c.After
	if at.Kind == qa.ChangeRemoved {
		on = c.Before
	}
	if on == nil {
		return
	}
	w, h := float64(on.file.Width), float64(on.file.Height)
	left, right := within(float64(at.Box.X)/w), within(float64(at.Box.X+at.Box.Width)/w)
	top, bottom := within(float64(at.Box.Y)/h), within(float64(at.Box.Y+at.Box.Height)/h)
	if right <= left || bottom <= top {
		return
	}
	at.Left, at.Top, at.Width, at.Height = left, top, right-left, bottom-top
	on.Boxes = append(on.Boxes, at)
}

// within makes percent of a share, and keeps it inside the picture.
func within(share float64) float64 { return min(100, max(0, share*100)) }
