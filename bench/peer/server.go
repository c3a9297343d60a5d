package peer

import (
	"context"
	"fmt"

	"github.com/assay-qa/assay/bench/wire"
)

// server holds a running server of one side.
type server struct {
	side
	*wire.Process
	page string // what the last look showed
}

func (s side) start(ctx context.Context) (*server, error) {
	p, err := s.program.Start(ctx)
	if err != nil {
		return nil, err
	}
	return &server{side: s, Process: p}, nil
}

// do performs one step in this server's own way.
func (s *server) do(st step) (wire.Answer, error) {
	call, err := s.hands.call(st, s.page)
	if err != nil {
		return wire.Answer{}, fmt.Errorf("%s: %s: %w", s.Name, st, err)
	}
	a, err := s.Within(func() (wire.Answer, error) { return s.Client.Tool(call) })
	if err != nil {
		return a, err
	}
	if a.Failed || (st.verb == check || st.verb == reads) && !s.hands.passed(a) {
		return a, fmt.Errorf("%s: %s: %s", s.Name, st, a.Text)
	}
	if st.verb == look {
		s.page = a.Text
	}
	return a, nil
}
