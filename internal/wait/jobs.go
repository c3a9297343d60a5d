package wait

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"sync"
)

// worked is what holds a [Job]: a job itself, or what embeds one.
type worked interface {
	comparable
	job() *Job
}

func (j *Job) job() *Job { return j }

// Jobs are the works of one kind in the background of a server, by their ids. The zero
// Jobs have none. T embeds a *[Job].
type Jobs[T worked] struct {
	mu sync.Mutex
	by map[string]T
}

// Add registers what build makes of an id and a new job, and returns it with the context
// of its work: that of ctx without its end. allow is asked before, with what is running by
// its id: its error refuses the work. An id that is taken gets a number behind it.
func (s *Jobs[T]) Add(ctx context.Context, id string, allow func(running map[string]T) error, build func(id string, j *Job) T) (T, context.Context, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	free := id
	for n := 2; ; n++ {
		if _, taken := s.by[free]; !taken {
			break
		}
		free = id + "-" + strconv.Itoa(n)
	}
	return s.put(ctx, free, allow, build)
}

// Replace is [Jobs.Add], and forgets the job that has had the id before.
func (s *Jobs[T]) Replace(ctx context.Context, id string, allow func(running map[string]T) error, build func(id string, j *Job) T) (T, context.Context, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.put(ctx, id, allow, build)
}

func (s *Jobs[T]) put(ctx context.Context, id string, allow func(running map[string]T) error, build func(id string, j *Job) T) (T, context.Context, error) {
	var none T
	running := maps.Clone(s.by)
	maps.DeleteFunc(running, func(_ string, one T) bool { return !one.job().Running() })
	if err := allow(running); err != nil {
		return none, nil, err
	}
	own, work := NewJob(ctx)
	if s.by == nil {
		s.by = map[string]T{}
	}
	one := build(id, own)
	s.by[id] = one
	return one, work, nil
}

// Find returns the job of an id, and whether there is one.
func (s *Jobs[T]) Find(id string) (T, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one, ok := s.by[id]
	return one, ok
}

// Close cancels all jobs, and waits until they have ended or ctx has.
func (s *Jobs[T]) Close(ctx context.Context) {
	s.mu.Lock()
	all := slices.Collect(maps.Values(s.by))
	s.mu.Unlock()
	for _, one := range all {
		one.job().Stop()
	}
	for _, one := range all {
		one.job().Await(ctx)
	}
}
