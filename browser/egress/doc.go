// Package egress decides which hosts a browser may reach, and is the one way
// out that it has: a forward proxy on loopback that resolves every name
// itself, checks every address, and connects to exactly the address that it
// checked.
//
// It refuses to guess: a host that it can't read is refused, and what no list
// may open (cloud metadata, link-local, unspecified, multicast and broadcast
// addresses, and its own port) stays shut. It depends on no browser and no page.
package egress
