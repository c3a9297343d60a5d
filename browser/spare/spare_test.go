package spare_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/assay-qa/assay/browser/spare"
	"github.com/assay-qa/assay/internal/wait"
)

// shelf keeps numbers, made of a name in a second each.
type shelf struct {
	*spare.Keeper[string, int]
	made, dropped int
	fails         error
}

func newShelf(ctx context.Context) *shelf {
	s := &shelf{}
	s.Keeper = &spare.Keeper[string, int]{Life: ctx, Idle: time.Minute, Same: func(a, b string) bool { return a == b },
		Make: func(ctx context.Context, _ string) (int, error) {
			s.made++
			n := s.made
			_ = wait.For(context.WithoutCancel(ctx), time.Second)
			return n, s.fails
		},
		Drop: func(int) { s.dropped++ },
	}
	return s
}

// after lets time pass, and all that goes on in it.
func after(d time.Duration) { _ = wait.For(context.Background(), d); synctest.Wait() }

// What stands by is had at once, what is being made is waited for, and each by one alone.
func TestTake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShelf(t.Context())
		if _, found, _ := s.Take(t.Context(), "a"); found {
			t.Error("there is one that nobody prepared")
		}
		s.Prepare("a", 0)
		s.Prepare("a", 0)
		synctest.Wait()
		began := time.Now()
		if n, found, err := s.Take(t.Context(), "a"); n != 1 || !found || err != nil || time.Since(began) != time.Second {
			t.Errorf("under way: %d, %v, %v after %v", n, found, err, time.Since(began))
		}
		if _, found, _ := s.Take(t.Context(), "a"); found {
			t.Error("one was handed out twice")
		}
		s.Prepare("a", 0)
		after(2 * time.Second)
		began = time.Now()
		if n, found, err := s.Take(t.Context(), "a"); n != 2 || !found || err != nil || time.Since(began) != 0 {
			t.Errorf("made: %d, %v, %v after %v", n, found, err, time.Since(began))
		}
		after(time.Hour)
		if s.made != 2 || s.dropped != 0 {
			t.Errorf("%d were made and %d of those that were taken dropped", s.made, s.dropped)
		}
	})
}

// What nobody takes is dropped: after its time, at the end of the keeper's life, when
// something else is asked for, and when who waits for it gives up.
func TestDropped(t *testing.T) {
	for name, c := range map[string]struct {
		left          func(s *shelf, end func())
		made, dropped int
	}{
		"after its time":         {func(*shelf, func()) { after(time.Minute + time.Second) }, 1, 1},
		"not before":             {func(*shelf, func()) { after(time.Minute) }, 1, 0},
		"at the end":             {func(_ *shelf, end func()) { after(2 * time.Second); end() }, 1, 1},
		"at the end, half made":  {func(_ *shelf, end func()) { end(); after(time.Second) }, 1, 1},
		"another one is asked":   {func(s *shelf, _ func()) { after(2 * time.Second); _, _, _ = s.Take(context.Background(), "b") }, 1, 1},
		"another one, half made": {func(s *shelf, _ func()) { _, _, _ = s.Take(context.Background(), "b"); after(time.Second) }, 1, 1},
		"prepared after the end": {func(s *shelf, end func()) { end(); after(time.Second); s.Prepare("a", 0) }, 1, 1},
		"who waits has given up": {func(s *shelf, _ func()) {
			gone, end := context.WithCancel(context.Background())
			end()
			_, _, _ = s.Take(gone, "a")
			after(time.Second)
		}, 1, 1},
		"what failed is not": {func(s *shelf, _ func()) {
			after(time.Hour)
			s.fails = errors.New("no")
			s.Prepare("a", 0)
			after(time.Hour)
		}, 2, 1},
		"taken, then one prepared": {func(s *shelf, _ func()) {
			_, _, _ = s.Take(context.Background(), "a")
			s.Prepare("a", time.Second)
			after(time.Hour)
		}, 2, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				life, end := context.WithCancel(t.Context())
				defer end()
				s := newShelf(life)
				s.Prepare("a", 0)
				synctest.Wait()
				c.left(s, end)
				synctest.Wait()
				if s.made != c.made || s.dropped != c.dropped {
					t.Errorf("%d made and %d dropped, want %d and %d", s.made, s.dropped, c.made, c.dropped)
				}
			})
		})
	}
}

// None is made while somebody goes on asking, and a failure is told to who takes it.
func TestPrepareLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShelf(t.Context())
		s.Prepare("a", time.Second)
		after(time.Second / 2)
		if _, found, err := s.Take(t.Context(), "a"); found || err != nil || s.made != 0 {
			t.Errorf("before its time: %v, %v, and %d made", found, err, s.made)
		}
		after(time.Hour)
		if s.made != 0 {
			t.Error("one was made though another way was gone")
		}
		s.fails = errors.New("no driver")
		s.Prepare("a", time.Second)
		after(time.Second)
		if _, found, err := s.Take(t.Context(), "a"); !found || !errors.Is(err, s.fails) {
			t.Errorf("what fails while it is waited for: %v, %v", found, err)
		}
	})
}
