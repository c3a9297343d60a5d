package text

import "time"

// Remaining estimates how long what is open will take, from how long what is done took.
// It returns 0 where nothing says so: nothing is done or open, or no time was measured.
func Remaining(spent time.Duration, done, open int) time.Duration {
	if done <= 0 || open <= 0 {
		return 0
	}
	return spent / time.Duration(done) * time.Duration(open)
}

// Left says how much time is left: ", about 3m0s left". It says nothing of 0.
func Left(remaining time.Duration) string {
	if remaining <= 0 {
		return ""
	}
	return ", about " + remaining.Round(time.Second).String() + " left"
}
