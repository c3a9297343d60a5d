package browser

// SelectorPart is one part of a selector, for those who say it in another
// language. A snapshot line has a Role, anything else an Engine.
type SelectorPart struct {
	Role  string
	Name  string
	Named bool // the line has a name, which may be empty
	Nth   int  // among the lines like it, from 1; 0: it is the only one

	Engine string // css, xpath, text, role, testid, label, nth or visible
	Body   string
	Quoted bool // a text, label or test id stood in quotes, which are off
}

// SelectorParts takes a selector apart: the frames to enter, outermost first, and
// what is chained by >> in the last of them. What a line says about the state of
// its element is left out.
func SelectorParts(selector string) (frames, chain []SelectorPart, err error) {
	t, err := parse(selector)
	if err != nil {
		return nil, nil, err
	}
	for _, hop := range t.hops {
		frames = append(frames, hop.part())
	}
	for _, p := range t.parts {
		if p.line != nil {
			chain = append(chain, p.line.part())
			continue
		}
		part := SelectorPart{Engine: p.engine, Body: p.body}
		if p.engine == "text" || p.engine == "testid" || p.engine == "label" {
			if text, ok := unwrapQuotes(p.body); ok {
				part.Body, part.Quoted = text, true
			}
		}
		chain = append(chain, part)
	}
	return frames, chain, nil
}

func (l snapshotLine) part() SelectorPart {
	return SelectorPart{Role: l.role, Name: l.name, Named: l.named, Nth: l.nth}
}
