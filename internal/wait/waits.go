package wait

import "time"

// Waits says how long the product waits where no event tells that something is over.
// Windows are how long nothing may have happened; limits end a wait for what goes on.
// Longer ones make verdicts surer and runs slower. Who waits is handed them: the program
// takes [Standard], tests of pages that are quicker take a part of it.
type Waits struct {
	Rest        time.Duration // window: what is at rest has stood still for so long
	PageRest    time.Duration // limit: a page that goes on is judged all the same
	SubjectRest time.Duration // limit: an element that moves for longer is not at rest
	Watch       time.Duration // window: a page is watched for what comes late
	NetworkIdle time.Duration // window: nothing is under way
	Answers     time.Duration // limit: a check waits for the answers that its page waits for
	Timers      time.Duration // limit: a check waits for the timers that acts have set, of those that are due within as long

	Absent       time.Duration // limit: an element that a call without a time-out waits for
	AbsentAtRest time.Duration // limit: the same on a page that waits for nothing

	FigureStill   time.Duration // window: a figure is compared
	FigureRest    time.Duration // limit: beyond the time-out, for a figure to come to rest
	FigureWrong   time.Duration // window: a wrong figure is not waited for any longer
	FigureRefused time.Duration // window: the same after a data request that failed; data libraries ask again after 1 s

	Health  time.Duration // between two looks at a page's health
	Lively  time.Duration // between a baseline's pictures and those that tell what changes by itself
	Changes time.Duration // between two looks of an exploration that tell the same

	SignedIn  time.Duration // window: a page has left the login page for good
	SigningIn time.Duration // limit: a login flow's page leaves the login page

	Memory time.Duration // between a call and the count of its session's memory
}

// Standard returns the waits of the program.
func Standard() Waits {
	return Waits{
		Rest: 400 * time.Millisecond, PageRest: 3 * time.Second, SubjectRest: 5 * time.Second,
		Watch: time.Second, NetworkIdle: 500 * time.Millisecond, Answers: 3 * time.Second, Timers: 4 * time.Second,
		Absent: 5 * time.Second, AbsentAtRest: 2 * time.Second,
		FigureStill: time.Second, FigureRest: 3 * time.Second, FigureWrong: 2 * time.Second, FigureRefused: 1500 * time.Millisecond,
		Health: 500 * time.Millisecond, Lively: time.Second, Changes: 1500 * time.Millisecond,
		SignedIn: 2 * time.Second, SigningIn: 5 * time.Second,
		Memory: 2 * time.Second,
	}
}

// Part returns the n-th part of each wait.
func (w Waits) Part(n time.Duration) Waits {
	return Waits{
		Rest: w.Rest / n, PageRest: w.PageRest / n, SubjectRest: w.SubjectRest / n,
		Watch: w.Watch / n, NetworkIdle: w.NetworkIdle / n, Answers: w.Answers / n, Timers: w.Timers / n,
		Absent: w.Absent / n, AbsentAtRest: w.AbsentAtRest / n,
		FigureStill: w.FigureStill / n, FigureRest: w.FigureRest / n, FigureWrong: w.FigureWrong / n, FigureRefused: w.FigureRefused / n,
		Health: w.Health / n, Lively: w.Lively / n, Changes: w.Changes / n,
		SignedIn: w.SignedIn / n, SigningIn: w.SigningIn / n,
		Memory: w.Memory / n,
	}
}
