package selectors

// Step describes one part of a selector, for those who say it in another
// language. A snapshot line has a Role, anything else an Engine.
type Step struct {
	Role  string
	Name  string
	Named bool // the line has a name, which may be empty
	Nth   int  // among the lines like it, from 1; 0: it is the only one

	Column string // of a row: the head of the column whose cell is meant

	Engine string // css, xpath, text, role, testid, label, nth or visible
	Body   string
	Quoted bool // a text, label or test id stood in quotes, which are off
}

// Steps splits a selector: the frames to enter, outermost first, and
// what is chained by >> in the last of them. What a line says about the state of
// its element is left out.
func Steps(selector string) (frames, chain []Step, err error) {
	t, err := Parse(selector)
	if err != nil {
		return nil, nil, err
	}
	for _, hop := range t.Frames {
		frames = append(frames, hop.step())
	}
	for _, p := range t.Parts {
		if p.Line != nil {
			chain = append(chain, p.Line.step())
			continue
		}
		part := Step{Engine: p.Engine, Body: p.Body}
		if p.Engine == "text" || p.Engine == "testid" || p.Engine == "label" {
			if text, ok := Unquote(p.Body); ok {
				part.Body, part.Quoted = text, true
			}
		}
		chain = append(chain, part)
	}
	return frames, chain, nil
}

func (l Line) step() Step {
	return Step{Role: l.Role, Name: l.Name, Named: l.Named, Nth: l.Nth, Column: l.Column}
}
