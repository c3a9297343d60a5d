package driver

import "golang.org/x/sys/unix"

// processors returns on how many processors this process may run, and whether a bound on
// them can be set.
func processors() (all int, bounds bool) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return 0, false
	}
	return set.Count(), true
}

// limitProcessors bounds the processors of a process's main thread, and so of all that it
// starts from now on. It needs no rights, where a control group does.
func limitProcessors(pid, percent int) error {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(pid, &set); err != nil {
		return err
	}
	keep := shareOf(set.Count(), percent)
	for i, left := 0, keep; i < len(set)*64; i++ {
		switch {
		case !set.IsSet(i):
		case left > 0:
			left--
		default:
			set.Clear(i)
		}
	}
	return unix.SchedSetaffinity(pid, &set)
}
