package egress

import (
	"net/netip"
	"sync"
)

// Ports collects the addresses of the gates of one program: no page may connect
// to a gate, its own or another session's. The zero value is ready to use.
type Ports struct {
	mu    sync.Mutex
	gates map[netip.AddrPort]bool
}

func (p *Ports) add(a netip.AddrPort) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.gates == nil {
		p.gates = map[netip.AddrPort]bool{}
	}
	p.gates[a] = true
}

func (p *Ports) remove(a netip.AddrPort) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.gates, a)
}

func (p *Ports) has(a netip.AddrPort) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.gates[a]
}
