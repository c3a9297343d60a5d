package peer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/assay-qa/assay/bench/measure"
	"github.com/assay-qa/assay/bench/wire"
)

// cold records what one fresh process of a side did in one round.
type cold struct {
	ready, job      time.Duration
	bytes, pictures int // of the job's answers
	list            int // bytes of the answer to tools/list
	memory          measure.Memory
	steps           []time.Duration
	looks, fresh    int // looks after a change, and those that showed it
}

// measurement collects pairs: ours first, theirs second, whichever ran first.
type measurement struct {
	setup
	site      string
	temporary string
	progress  io.Writer

	calls io.Writer // gets each answer of the jobs

	rounds  [][bothSides]cold
	flows   []flowRound
	warm    map[string][][bothSides]time.Duration
	jobs    map[string][][bothSides]jobRound
	folders [bothSides]string // with the files that jobs upload
	exports map[string]exported
	noProc  bool // memory was not measured
}

// order alternates who goes first: ours, theirs, theirs, ours, …
func order(i int) [bothSides]int {
	if i%2 == 1 {
		return [bothSides]int{theirs, ours}
	}
	return [bothSides]int{ours, theirs}
}

func (m *measurement) take(ctx context.Context, rounds, pairs int) error {
	for i := range rounds {
		var pair [bothSides]cold
		for _, who := range order(i) {
			var err error
			if pair[who], err = m.round(ctx, m.sides[who]); err != nil {
				return fmt.Errorf("round %d: %w", i+1, err)
			}
		}
		fmt.Fprintf(m.progress, "round %d/%d: job %d ms, theirs %d ms\n", i+1, rounds, pair[ours].job.Milliseconds(), pair[theirs].job.Milliseconds())
		m.rounds = append(m.rounds, pair)
	}
	if err := m.takeWarm(ctx, pairs); err != nil {
		return err
	}
	if err := m.takeFlows(ctx, pairs); err != nil {
		return err
	}
	return m.takeJobs(ctx, rounds)
}

// round runs the job on a fresh process.
func (m *measurement) round(ctx context.Context, s side) (c cold, err error) {
	server, err := s.start(ctx)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	if _, err := server.Within(server.Client.Initialize); err != nil {
		return c, err
	}
	c.ready = time.Since(server.Started)
	if err := m.job(server, &c); err != nil {
		return c, err
	}
	c.memory, err = measure.Of(server.Pid())
	if errors.Is(err, measure.ErrNoProc) {
		m.noProc, err = true, nil
	}
	if err != nil {
		return c, err
	}
	list, err := server.Within(func() (wire.Answer, error) { return server.Client.Request("tools/list", map[string]any{}) })
	c.list = list.Bytes
	return c, err
}

// job does the job and notes what it took.
func (m *measurement) job(s *server, c *cold) error {
	start := time.Now()
	for _, st := range jobSteps(m.site) {
		a, err := s.do(st)
		if err != nil {
			return err
		}
		c.steps = append(c.steps, a.Took)
		c.bytes += a.Bytes
		c.pictures += a.Pictures
		if st.shows != "" {
			c.looks++
			if strings.Contains(a.Text, st.shows) {
				c.fresh++
			}
		}
	}
	c.job = time.Since(start)
	return nil
}

// signedIn starts a server on which the job is done.
func (m *measurement) signedIn(ctx context.Context, s side) (*server, error) {
	server, err := s.start(ctx)
	if err != nil {
		return nil, err
	}
	if _, err = server.Within(server.Client.Initialize); err == nil {
		err = m.job(server, new(cold))
	}
	if err != nil {
		return nil, errors.Join(err, server.Stop())
	}
	return server, nil
}

// bothSignedIn starts both servers and signs in with each. stop ends both.
func (m *measurement) bothSignedIn(ctx context.Context) (servers [bothSides]*server, stop func() error, err error) {
	a, err := m.signedIn(ctx, m.sides[ours])
	if err != nil {
		return servers, nil, err
	}
	b, err := m.signedIn(ctx, m.sides[theirs])
	if err != nil {
		return servers, nil, errors.Join(err, a.Stop())
	}
	return [bothSides]*server{ours: a, theirs: b}, func() error { return errors.Join(a.Stop(), b.Stop()) }, nil
}

// takeWarm has both servers running at once and makes each call on one and
// then on the other.
func (m *measurement) takeWarm(ctx context.Context, pairs int) (err error) {
	servers, stop, err := m.bothSignedIn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	m.warm = map[string][][bothSides]time.Duration{}
	for i := range pairs {
		for _, st := range warmSteps(m.site) {
			var took [bothSides]time.Duration
			for _, who := range order(i) {
				a, err := servers[who].do(st.step)
				if err != nil {
					return fmt.Errorf("warm calls: %w", err)
				}
				took[who] = a.Took
			}
			if st.figure != "" {
				m.warm[st.figure] = append(m.warm[st.figure], took)
			}
		}
	}
	fmt.Fprintf(m.progress, "%d pairs of warm calls\n", pairs)
	return nil
}
