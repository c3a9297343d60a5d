package browser

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/driver"
)

// A page that freezes leaves no process behind: not when its session is closed, not when
// another page takes its place, not when its tab is closed.
func TestFrozenPageLeavesNoProcess(t *testing.T) {
	const body = `<h1>Here</h1><button onclick="setTimeout(() => { for (;;); })">Go</button>`
	for name, end := range map[string]func(ctx context.Context, s *Session, address string) error{
		"its session is closed": func(ctx context.Context, s *Session, _ string) error { return s.Close(ctx) },
		"another page takes its place": func(ctx context.Context, s *Session, address string) error {
			_, err := s.Navigate(ctx, address, "", 0)
			return err
		},
		"its tab is closed": func(ctx context.Context, s *Session, _ string) error {
			_, _, err := s.CloseTab(ctx, 0)
			return err
		},
	} {
		s, web := show(t, body)
		frozen := s.current()
		_, pids, err := s.memoryWatch.count(within30s(t), frozen)
		if err != nil || len(pids) == 0 {
			t.Fatalf("%s: the page's processes: %v, %v", name, pids, err)
		}
		// The act may have its answer before the page freezes; after a second look it has.
		_, acted := s.Click(timeLimit(t, time.Second), `button "Go"`, 0)
		_, looked := s.Look(timeLimit(t, time.Second), "css=h1", FactCount, "")
		if acted == nil && looked == nil {
			t.Fatalf("%s: the page is not frozen: the test shows nothing", name)
		}
		if err := soon(t, 100*time.Second, func() error { return end(timeLimit(t, 10*time.Second), s, web.URL+"/") }); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		becomes(t, name+": its processes end", func() error {
			for _, pid := range pids {
				if driver.ProcessAlive(pid) {
					return fmt.Errorf("process %d runs the frozen page", pid)
				}
			}
			return nil
		})
	}
}
