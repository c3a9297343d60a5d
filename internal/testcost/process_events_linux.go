package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
)

// counts are the processes below ours, counted as the kernel tells of them.
type counts struct {
	socket int // of the kernel's process events; -1: they can't be had
	ending atomic.Bool
	done   chan struct{}
	cost   cost
	lost   bool
	ours   map[uint32]bool // processes below ours
	forked map[uint32]bool // of those, the ones that a zygote has forked and that have no name yet
	zygote map[uint32]bool // of those, the ones that a browser's pages are forked from
}

// The connector of process events: linux/connector.h and linux/cn_proc.h.
const (
	netlinkConnector = 11
	cnIdxProc        = 1
	listenToEvents   = 1
	receiveBuffer    = 33 // SO_RCVBUFFORCE
	eventFork        = 0x00000001
	eventExec        = 0x00000002
	eventExit        = 0x80000000
	headers          = 16 + 20 // of netlink and of the connector, in bytes
	eventHeader      = 16      // what, cpu and time
)

// countProcesses begins to count. Without the right to, which only root has, what it
// returns says that nothing was counted.
func countProcesses() *counts {
	self := uint32(os.Getpid())
	c := &counts{socket: -1, done: make(chan struct{}), ours: map[uint32]bool{self: true}, zygote: map[uint32]bool{}, forked: map[uint32]bool{}}
	socket, err := syscall.Socket(syscall.AF_NETLINK, syscall.SOCK_DGRAM|syscall.SOCK_CLOEXEC, netlinkConnector)
	if err != nil {
		return c
	}
	_ = syscall.SetsockoptInt(socket, syscall.SOL_SOCKET, receiveBuffer, 8<<20) // what is lost is noticed
	_ = syscall.AttachLsf(socket, wanted())                                     //nolint:staticcheck // its successor is of another module; without a filter all is read
	// The wait for the next event ends now and then, so that counting can end.
	_ = syscall.SetsockoptTimeval(socket, syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, &syscall.Timeval{Usec: 50_000})
	if err := errors.Join(
		syscall.Bind(socket, &syscall.SockaddrNetlink{Family: syscall.AF_NETLINK, Groups: cnIdxProc, Pid: self}),
		syscall.Sendto(socket, subscription(self), 0, &syscall.SockaddrNetlink{Family: syscall.AF_NETLINK}),
	); err != nil {
		_ = syscall.Close(socket)
		return c
	}
	c.socket = socket
	go c.count()
	return c
}

// wanted is the filter of what is read: programs that begin, and processes that begin and
// end. A process of a browser has ten threads and more, each of which would wake us twice.
func wanted() []syscall.SockFilter {
	const (
		load   = syscall.BPF_LD | syscall.BPF_W | syscall.BPF_ABS
		keep   = syscall.BPF_MISC | syscall.BPF_TAX
		equal  = syscall.BPF_JMP | syscall.BPF_JEQ | syscall.BPF_K
		same   = syscall.BPF_JMP | syscall.BPF_JEQ | syscall.BPF_X
		jump   = syscall.BPF_JMP | syscall.BPF_JA
		answer = syscall.BPF_RET | syscall.BPF_K
		fields = headers + eventHeader
	)
	loaded := func(event uint32) uint32 { // as load has it, which takes the bytes for a big-endian number
		return binary.BigEndian.Uint32(binary.NativeEndian.AppendUint32(nil, event))
	}
	return []syscall.SockFilter{
		{Code: load, K: headers},
		{Code: equal, K: loaded(eventExec), Jt: 10},
		{Code: equal, K: loaded(eventFork), Jt: 1},
		{Code: equal, K: loaded(eventExit), Jt: 4, Jf: 9},
		{Code: load, K: fields + 8}, // the child's thread, and its process
		{Code: keep},
		{Code: load, K: fields + 12},
		{Code: jump, K: 3},
		{Code: load, K: fields}, // the thread, and its process
		{Code: keep},
		{Code: load, K: fields + 4},
		{Code: same, Jf: 1},
		{Code: answer, K: 1<<32 - 1},
		{Code: answer},
	}
}

// subscription is the message that asks for process events.
func subscription(pid uint32) []byte {
	var b bytes.Buffer
	for _, v := range []any{
		uint32(headers + 4), uint16(syscall.NLMSG_DONE), uint16(0), uint32(0), pid, // nlmsghdr
		uint32(cnIdxProc), uint32(1), uint32(0), uint32(0), uint16(4), uint16(0), // cn_msg
		uint32(listenToEvents),
	} {
		_ = binary.Write(&b, binary.NativeEndian, v) // a buffer takes all
	}
	return b.Bytes()
}

// count takes events until there are none and the counting is to end.
func (c *counts) count() {
	defer close(c.done)
	buffer := make([]byte, 1<<16)
	for {
		n, _, err := syscall.Recvfrom(c.socket, buffer, 0)
		switch {
		case err == nil && n >= headers+eventHeader:
			c.note(buffer[headers:n])
			c.name()
		case errors.Is(err, syscall.EAGAIN) && c.ending.Load(): // all that came before is noted
			return
		case errors.Is(err, syscall.EAGAIN):
			c.name()
		case errors.Is(err, syscall.ENOBUFS):
			c.lost = true
		case err != nil && !errors.Is(err, syscall.EINTR):
			c.lost = true
			return
		}
	}
}

// note takes one event.
func (c *counts) note(event []byte) {
	field := func(i int) uint32 { return binary.NativeEndian.Uint32(event[eventHeader+4*i:]) }
	switch binary.NativeEndian.Uint32(event) {
	case eventFork: // of the parent's thread and process, the child's thread and process
		parent, thread, process := field(1), field(2), field(3)
		if thread != process {
			return
		}
		if delete(c.zygote, process); !c.ours[parent] { // a number that was ours may be another's now, if its end was told too early
			delete(c.ours, process)
			return
		}
		c.ours[process] = true
		c.cost.Processes++
		if c.zygote[parent] {
			c.cost.Pages++
			c.forked[process] = true
		}
	case eventExec:
		if pid := field(1); c.ours[pid] {
			c.noteProgram(pid)
		}
	case eventExit:
		if thread, process := field(0), field(1); thread == process {
			delete(c.ours, process)
			delete(c.zygote, process)
			delete(c.forked, process)
		}
	}
}

// name counts the kinds of what zygotes have forked: each is named a while after, in the
// command line that it shows.
func (c *counts) name() {
	for pid := range c.forked {
		words := strings.Fields(strings.Join(commandOf(pid), " "))
		i := slices.IndexFunc(words, func(word string) bool { return strings.HasPrefix(word, "--type=") && word != "--type=zygote" })
		if i < 0 {
			continue
		}
		if c.cost.Kinds == nil {
			c.cost.Kinds = map[string]int{}
		}
		c.cost.Kinds[strings.TrimPrefix(words[i], "--type=")]++
		delete(c.forked, pid)
	}
}

// noteProgram looks what a process has become.
func (c *counts) noteProgram(pid uint32) {
	command := commandOf(pid)
	if len(command) == 0 {
		return
	}
	name, _, _ := strings.Cut(filepath.Base(command[0]), " ") // Chromium's own processes write their whole command there
	if c.cost.Programs == nil {
		c.cost.Programs = map[string]int{}
	}
	c.cost.Programs[name]++
	isBrowser := strings.Contains(name, "chrom") || strings.Contains(name, "headless_shell")
	switch {
	case slices.Contains(command, "--type=zygote"):
		c.zygote[pid] = true
	case isBrowser && slices.Contains(command, "--remote-debugging-pipe"):
		c.cost.Browsers++
	}
}

// end ends the counting and returns what was counted.
func (c *counts) end() cost {
	if c.socket < 0 {
		return cost{}
	}
	c.ending.Store(true)
	<-c.done
	_ = syscall.Close(c.socket)
	c.cost.Counted = !c.lost
	return c.cost
}
