// Package provider makes an agent's models by the configuration: it knows the
// providers by name, where each one's key and address are found, whether it can be
// reached, and when it is gone.
//
// It does not know the wires: each is a room of its own behind agent.Model. A key
// that it finds is hidden before it is used.
package provider
