package browser

import "github.com/assay-qa/assay/browser/seen"

// textsAnswer are the texts of a document or an element.
type textsAnswer struct {
	Top    bool        `json:"top"`
	Drawn  string      `json:"drawn"` // the canvas that most of the window is
	Pieces []pieceJSON `json:"pieces"`
}

func (a textsAnswer) pieces() []seen.Piece {
	out := make([]seen.Piece, len(a.Pieces))
	for i, p := range a.Pieces {
		out[i] = p.piece()
	}
	return out
}

// pieceJSON is a piece as the engine writes it.
type pieceJSON struct {
	Text  string   `json:"t"`
	Shown string   `json:"s"`
	Gap   seen.Gap `json:"g"`
	Apart bool     `json:"a"`
	Why   string   `json:"w"`
	Typed bool     `json:"y"`
}

func (p pieceJSON) piece() seen.Piece {
	return seen.Piece{Text: p.Text, Shown: p.Shown, Gap: p.Gap, Apart: p.Apart, Why: p.Why}
}

// load reads the pieces. foreign: they stand in a frame of another site.
func (r *reading) load(all bool) (foreign bool, err error) {
	var answer textsAnswer
	if err := r.q.ask(engineAsk{Op: "texts", All: all, Apart: r.apart}, &answer); err != nil {
		return false, err
	}
	r.pieces, r.drawn, r.typed = answer.pieces(), answer.Drawn, map[int]bool{}
	for i, p := range answer.Pieces {
		if p.Typed {
			r.typed[i] = true
		}
	}
	return !answer.Top, nil
}

func (r *reading) rendered(i int) bool { return r.pieces[i].Why == "" }
