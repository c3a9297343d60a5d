// Package queue hands the cases of suites to the workers that take them, on this machine
// and on others, and takes their verdicts back, by NATS JetStream.
//
// Three streams of the broker have it all, each on its disk:
//
//	case.SUITE.LANE.CASE.GENERATION     what is to be done; gone once it is acknowledged
//	start.SUITE.CASE.GENERATION         one message for each time that a worker began
//	verdict.SUITE.CASE.GENERATION       one message: the first worker's; a second one is refused
//
// A lane is a host or an account, and has a limit of cases that are in flight against it.
// Whoever takes a case has it for a lease, and keeps it by heartbeats. What was not
// acknowledged when its lease ends is handed out again.
//
// The stream is transport: nothing in it is true because it came from there. What a
// verdict is worth is decided by its signature, above this room.
package queue
