package rest

import "time"

// Ink describes a text that was seen on a page since the last act, as its observer knows it.
type Ink struct {
	Text     string
	Live     string // how it announced itself: alert, status or toast; empty: it did not
	Gone     bool   // it is seen no more
	Replaced bool   // and another text stands in its place
	Fits     bool   // it is what was asked for
	Place    int    // the block that it is in
	Around   int    // the element around that block
	Later    bool   // it is what was asserted after that

	Came, Went time.Duration // how long ago; Went only of one that is gone
}

// takesPlaceOf reports whether a text stands in the block of an older one, or came beside it
// as that went.
func (ink Ink) takesPlaceOf(older Ink) bool {
	return ink.Place == older.Place || ink.Around == older.Around && older.Gone && (ink.Came-older.Went).Abs() <= meanwhile
}

// WentAway returns the newest announcement that fits, of inks newest first: one that was
// seen and went away by itself, as announcements do. One in whose place the page has put
// another text was taken back, and so was one that an alert has followed.
func WentAway(inks []Ink) (Ink, bool) {
	for _, ink := range inks {
		switch {
		case ink.Live != "" && ink.Fits:
			return ink, ink.Gone && !ink.Replaced
		case ink.Live == "alert":
			return Ink{}, false
		}
	}
	return Ink{}, false
}

// Superseded returns the newest text that fits, of inks newest first, where it was seen and
// is gone, and what was asserted after it stands in its place: the state of before, which
// was as it should be. What came in its place and was not asserted has taken it back.
func Superseded(inks []Ink) (Ink, bool) {
	for i, ink := range inks {
		if !ink.Fits {
			continue
		}
		for _, newer := range inks[:i] {
			if newer.takesPlaceOf(ink) {
				return ink, ink.Gone && newer.Later && !newer.Gone
			}
		}
		return Ink{}, false
	}
	return Ink{}, false
}
