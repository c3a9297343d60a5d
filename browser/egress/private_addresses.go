package egress

import (
	"encoding/binary"
	"net/netip"
	"slices"
)

// metadataNames lists the names under which clouds give away a machine's
// credentials.
var metadataNames = []string{
	"metadata", "metadata.google.internal", "metadata.goog", "instance-data", "instance-data.ec2.internal",
	"metadata.azure.internal", "metadata.tencentyun.com", "metadata.platformequinix.com",
}

// metadataAddrs lists those addresses of the same services that are not
// link-local, and the best known one that is.
var metadataAddrs = []netip.Addr{
	netip.MustParseAddr("169.254.169.254"), // AWS, Azure, Google, Oracle, DigitalOcean, OpenStack
	netip.MustParseAddr("169.254.170.2"),   // AWS ECS tasks
	netip.MustParseAddr("169.254.170.23"),  // AWS EKS pods
	netip.MustParseAddr("fd00:ec2::254"),   // AWS
	netip.MustParseAddr("fd00:ec2::23"),    // AWS EKS pods
	netip.MustParseAddr("fd20:ce::254"),    // Google
	netip.MustParseAddr("100.100.100.200"), // Alibaba
	netip.MustParseAddr("168.63.129.16"),   // Azure's host
	netip.MustParseAddr("192.0.0.192"),     // Oracle
}

var (
	thisNetwork = netip.MustParsePrefix("0.0.0.0/8")
	nat64       = netip.MustParsePrefix("64:ff9b::/96")
	sixToFour   = netip.MustParsePrefix("2002::/16")
	teredo      = netip.MustParsePrefix("2001::/32")
	compatible  = netip.MustParsePrefix("::/96") // IPv4-compatible, deprecated
	translated  = netip.MustParsePrefix("::ffff:0:0:0/96")
	localNAT64  = netip.MustParsePrefix("64:ff9b:1::/48")
	broadcast   = netip.AddrFrom4([4]byte{255, 255, 255, 255})
)

// shut returns the rule that refuses an address whatever the lists say, or "".
func shut(addr netip.Addr) Rule {
	for _, a := range append(embedded(addr), addr.Unmap()) {
		switch {
		case slices.Contains(metadataAddrs, a):
			return Metadata
		case a.IsUnspecified() || thisNetwork.Contains(a):
			return Unspecified
		case a.IsLinkLocalUnicast():
			return LinkLocal
		case a.IsMulticast() || a == broadcast:
			return Multicast
		}
	}
	return ""
}

// embedded returns the IPv4 addresses that a gateway would make of an IPv6 one.
func embedded(addr netip.Addr) []netip.Addr {
	if !addr.Is6() || addr.Is4In6() {
		return nil
	}
	b := addr.As16()
	at := func(i int) netip.Addr { return netip.AddrFrom4([4]byte(b[i : i+4])) }
	switch {
	case addr.IsUnspecified() || addr.IsLoopback():
		return nil
	case nat64.Contains(addr), compatible.Contains(addr), translated.Contains(addr):
		return []netip.Addr{at(12)}
	case sixToFour.Contains(addr):
		return []netip.Addr{at(2)}
	case teredo.Contains(addr): // the server, and the client with its bits turned
		client := binary.BigEndian.Uint32(b[12:]) ^ 0xffffffff
		return []netip.Addr{at(4), netip.AddrFrom4([4]byte(binary.BigEndian.AppendUint32(nil, client)))}
	case localNAT64.Contains(addr): // RFC 6052 allows several places within this prefix
		return []netip.Addr{at(12), netip.AddrFrom4([4]byte{b[6], b[7], b[9], b[10]}), netip.AddrFrom4([4]byte{b[7], b[9], b[10], b[11]})}
	}
	return nil
}
