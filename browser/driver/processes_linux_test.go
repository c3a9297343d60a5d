package driver

import (
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"testing"
)

// TestBelow counts a process that this one started, by its kind, and forgets it when it has ended.
func TestBelow(t *testing.T) {
	child := exec.Command("sh", "-c", "read line; :", "--type=renderer")
	if _, err := child.StdinPipe(); err != nil { // which it waits for
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Skip(err)
	}
	find := func() (found bool) {
		all, err := Below(os.Getpid())
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range all {
			if p.PID == child.Process.Pid {
				found = true
				if p.Private <= 0 || p.Private > 100<<20 {
					t.Errorf("it uses %d bytes", p.Private)
				}
			}
		}
		return found
	}
	if !find() {
		t.Error("the child is not listed")
	}
	all, err := Below(os.Getpid())
	if err != nil || Renderers(all, map[int]bool{child.Process.Pid: true}) == 0 {
		t.Errorf("the child is no renderer: %+v, %v", all, err)
	}
	if Renderers(all, map[int]bool{}) != 0 {
		t.Error("a renderer counts that was not asked for")
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait()
	if find() {
		t.Error("the child is listed after its end")
	}
}

// script answers as a browser whose trace names some frames.
type script struct {
	handlers map[string]func(map[string]any)
	frames   []any
	fails    error
	silent   bool
}

func (s *script) On(name string, handler any) { s.handlers[name] = handler.(func(map[string]any)) }

func (s *script) Send(method string, _ map[string]any) (any, error) {
	if method == "Tracing.end" && !s.silent {
		s.handlers["Tracing.dataCollected"](map[string]any{"value": []any{map[string]any{"name": "Layout"},
			map[string]any{"name": "TracingStartedInBrowser", "args": map[string]any{"data": map[string]any{"frames": s.frames}}}}})
		s.handlers["Tracing.tracingComplete"](nil)
	}
	return nil, s.fails
}

// TestTracer reads the processes of all frames out of a trace, and says so when there is none.
func TestTracer(t *testing.T) {
	frame := func(pid any) any { return map[string]any{"frame": "F", "processId": pid} }
	found := func(ctx context.Context, s *script) (map[int]bool, error) { return NewTracer(s).Renderers(ctx) }
	handlers := func() map[string]func(map[string]any) { return map[string]func(map[string]any){} }
	twice := NewTracer(&script{handlers: handlers(), frames: []any{frame(3.0)}})
	for range 2 {
		if got, err := twice.Renderers(t.Context()); err != nil || !maps.Equal(got, map[int]bool{3: true}) {
			t.Errorf("got %v, %v", got, err)
		}
	}
	got, err := found(t.Context(), &script{handlers: handlers(), frames: []any{frame(7.0), frame(9.0), frame(7.0), map[string]any{"processPseudoId": "x"}}})
	if err != nil || !maps.Equal(got, map[int]bool{7: true, 9: true}) {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := found(t.Context(), &script{handlers: handlers()}); err == nil {
		t.Errorf("a trace without a process gave %v", got)
	}
	refused := errors.New("refused")
	if _, err := found(t.Context(), &script{handlers: handlers(), fails: refused}); !errors.Is(err, refused) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := found(ctx, &script{handlers: handlers(), silent: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
