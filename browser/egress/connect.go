package egress

import (
	"context"
	"errors"
	"net"
)

// Dial connects to a host and port as the gate does for the browser: the same
// policy, one look-up, and only to an address that was checked. It is for
// requests of our own on a session's behalf. [RefusedBy] distinguishes a refusal from
// any other error. The connection ends with the gate.
func (g *Gate) Dial(ctx context.Context, network, hostport string) (net.Conn, error) {
	return g.dial(ctx, network, hostport)
}

// RefusedBy returns the rule behind a failed connection; ok is false when it was
// none.
func RefusedBy(err error) (rule Rule, ok bool) {
	var refused *refusal
	if errors.As(err, &refused) {
		return refused.rule, true
	}
	return "", false
}
