package visualcheck

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/visual"
)

// facts holds what the outcome of one comparison follows from.
type facts struct {
	Version    int               // of the baseline
	Size       *visual.SizeError // the pictures have different sizes: there is no Diff
	Diff       visual.Diff
	Threshold  float64 // share of the compared pixels that may differ
	Components []component
	Named      []qa.VisualRegion // changes that anybody would name, and that pixels show
	Foreign    []string          // in what the environments of the two pictures differ
}

// component holds a place of the picture that has a threshold of its own.
type component struct {
	Selector  string
	Threshold float64 // share of its pixels that may differ
	Missing   bool    // the page has no such place
	Counted   int     // pixels that count as different
	Compared  int     // pixels
}

// ruling holds the outcome of one comparison.
type ruling struct {
	Status    qa.VisualStatus
	Reason    string
	Threshold float64 // that decided
}

// rule decides the outcome of a comparison. A difference counts where a pixel
// was perceived as changed, or belongs to a large pale area; a change that has a
// name counts wherever a pixel shows it. The threshold is for what has none.
func (f facts) rule() ruling {
	r := ruling{Threshold: f.Threshold}
	r.Status, r.Reason, r.Threshold = f.difference()
	if len(f.Foreign) > 0 && r.Status != qa.VisualSame {
		r.Status = qa.VisualForeign
		r.Reason += "; but the two pictures come from different environments, so whose fault that is cannot be decided"
	}
	return r
}

func (f facts) difference() (qa.VisualStatus, string, float64) {
	if f.Size != nil {
		return qa.VisualSize, fmt.Sprintf("the picture is %s, that of version %d is %s: pictures of different sizes are not compared",
			sizeWords(f.Size.After), f.Version, sizeWords(f.Size.Before)), f.Threshold
	}
	d := f.Diff
	counted := d.Changed + d.Pale
	switch {
	case d.Raw == 0:
		return qa.VisualSame, fmt.Sprintf("equal to version %d in every pixel%s", f.Version, f.compared()), f.Threshold
	case counted == 0 && len(f.Named) == 0:
		return qa.VisualSame, fmt.Sprintf("no pixel differs from version %d that counts; %d differ too little to be perceived, or by anti-aliasing only%s", f.Version, d.Raw, f.compared()), f.Threshold
	}
	for _, c := range f.Components {
		if c.Missing {
			return qa.VisualChanged, fmt.Sprintf("component %s is not on the page any more", c.Selector), c.Threshold
		}
		if s := share(c.Counted, c.Compared); s > c.Threshold {
			return qa.VisualChanged, fmt.Sprintf("%s of component %s differ from version %d, more than its own threshold of %s",
				Percent(s), c.Selector, f.Version, Percent(c.Threshold)), c.Threshold
		}
	}
	s := share(counted, d.Compared)
	if s > f.Threshold {
		return qa.VisualChanged, fmt.Sprintf("%s of the pixels differ from version %d, more than the threshold of %s", Percent(s), f.Version, Percent(f.Threshold)), f.Threshold
	}
	if len(f.Named) > 0 {
		return qa.VisualChanged,
			fmt.Sprintf("%s since version %d, in %s of the pixels: what has a name fails whatever the threshold of %s", f.named(), f.Version, Percent(s), Percent(f.Threshold)), f.Threshold
	}
	return qa.VisualWithin, fmt.Sprintf("%s of the pixels differ from version %d, within the threshold of %s%s", Percent(s), f.Version, Percent(f.Threshold), f.compared()), f.Threshold
}

// named says how many changes have a name, by kind, without a word of the page.
func (f facts) named() string {
	words := []struct {
		kind qa.VisualChange
		word string
	}{{qa.ChangeText, "text"}, {qa.ChangeAdded, "added"}, {qa.ChangeRemoved, "removed"}, {qa.ChangeImage, "image"},
		{qa.ChangeStyle, "style"}, {qa.ChangeMoved, "moved"}, {qa.ChangeResized, "resized"}, {qa.ChangePixels, "pixels"}}
	var kinds []string
	for _, w := range words {
		n := 0
		for _, r := range f.Named {
			if r.Kind == w.kind {
				n++
			}
		}
		if n == 1 {
			kinds = append(kinds, w.word)
		} else if n > 1 {
			kinds = append(kinds, fmt.Sprintf("%d %s", n, w.word))
		}
	}
	if len(f.Named) == 1 {
		return fmt.Sprintf("a named change (%s)", kinds[0])
	}
	return fmt.Sprintf("%d named changes (%s)", len(f.Named), strings.Join(kinds, ", "))
}

// compared says how much of the picture was looked at, if not all of it.
func (f facts) compared() string {
	d := f.Diff
	if all := d.Width * d.Height; d.Compared < all {
		return fmt.Sprintf(" (%s of the picture were compared, the rest is ignored)", Percent(share(d.Compared, all)))
	}
	return ""
}

// share returns the part of compared pixels that counts, 0 to 1.
func share(counted, compared int) float64 {
	if compared == 0 {
		return 0 // whoever compares nothing is refused before
	}
	return float64(counted) / float64(compared)
}

// Percent prints a share so that a small one is not printed as none.
func Percent(share float64) string {
	if share > 0 && share < 1e-5 {
		return "less than 0.001 %"
	}
	return strconv.FormatFloat(share*100, 'g', 3, 64) + " %"
}

func sizeWords(size [2]int) string { return fmt.Sprintf("%d×%d", size[0], size[1]) }

// foreign returns in what two environments differ, in words; nil if in nothing.
func foreign(then, now qa.VisualEnvironment) []string {
	var out []string
	for _, f := range []struct{ what, then, now string }{
		{"browser", then.Browser, now.Browser},
		{"browser version", then.Version, now.Version},
		{"viewport", then.Viewport, now.Viewport},
		{"scale", fmt.Sprint(then.Scale), fmt.Sprint(now.Scale)},
		{"locale", then.Locale, now.Locale},
		{"operating system", then.OS, now.OS},
	} {
		if f.then != f.now {
			out = append(out, fmt.Sprintf("%s %s instead of %s", f.what, f.now, f.then))
		}
	}
	if then.Fonts != now.Fonts {
		out = append(out, "fonts are drawn differently")
	}
	return out
}
