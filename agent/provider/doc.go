// Package provider makes an agent's models by the configuration. It lists the
// providers by name, finds each one's key and address, checks whether it can
// be reached, and stops calling one that is gone.
//
// The wires are not its duty: each is a room of its own behind agent.Model. A
// key that it finds is masked before it is used.
package provider
