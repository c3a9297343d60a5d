package browser

import (
	"os"
	"time"

	"github.com/assay-qa/assay/browser/driver"
)

// Close ends all sessions, the browsers and the driver, in about the given
// time; what doesn't end by itself is killed.
func (p *Pool) Close(limit time.Duration) {
	over := time.After(limit)
	p.mu.Lock()
	p.closed = true
	e, starting, sessions := p.engine, p.starting, p.sessions
	p.sessions = nil
	p.mu.Unlock()
	for _, s := range sessions {
		s.end()
	}
	if starting != nil {
		p.abortStart(starting, over)
	}
	if e != nil {
		e.stop(limit)
	}
}

// noteLauncher remembers whose driver is about to be started.
func (p *Pool) noteLauncher(l *driver.Launcher) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.launcher = l
}

// abortStart ends a driver that is just starting, which nobody needs any more:
// it has no browser yet, and waiting until it could be asked to stop would take
// a second or more on a busy machine. What started it removes its folder.
func (p *Pool) abortStart(starting <-chan struct{}, over <-chan time.Time) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		p.mu.Lock()
		l := p.launcher
		p.mu.Unlock()
		if l != nil {
			if pid, ok := l.PID(); ok {
				if driver, err := os.FindProcess(pid); err == nil {
					_ = driver.Kill() // it may have ended meanwhile, which is what we want
				}
			}
		}
		select {
		case <-starting:
			return
		case <-over:
			return
		case <-tick.C:
		}
	}
}
