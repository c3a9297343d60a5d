package rest

// Ink describes a text that was seen on a page since the last act, as its observer knows it.
type Ink struct {
	Text     string
	Live     string // how it announced itself: alert, status or toast; empty: it did not
	Gone     bool   // it is seen no more
	Replaced bool   // and another text stands in its place
	Fits     bool   // it is what was asked for
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
