// Package driver finds, installs and checks what a browser needs on this
// machine: the Playwright driver with its Node, a browser, the libraries and
// fonts of the system. It also makes the temporary folder that one run of the
// driver works in, and removes those that killed servers left.
//
// It starts no browser for a session and depends on no page: package browser does.
// Nothing is fetched that is there already, and a driver from the network is
// taken only with the checksum that its publisher gave. Whoever survives
// removes the driver's folder ([Launcher]): no process of ours is guaranteed
// to end in order.
package driver
