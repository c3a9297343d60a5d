package browser

import "sync"

// pendingCalls counts Playwright calls that may outlive their limit. Unlike a
// [sync.WaitGroup] it may be waited for while another call begins: a turn waits
// for its own calls, while the error of its failure is still being explained.
type pendingCalls struct {
	mu    sync.Mutex
	count int
	none  chan struct{} // closed when the last one has ended; nil while there is none
}

func (l *pendingCalls) begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.count++; l.count == 1 {
		l.none = make(chan struct{})
	}
}

func (l *pendingCalls) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.count--; l.count == 0 {
		close(l.none)
		l.none = nil
	}
}

// wait returns when there was a moment without a call.
func (l *pendingCalls) wait() {
	l.mu.Lock()
	none := l.none
	l.mu.Unlock()
	if none != nil {
		<-none
	}
}
