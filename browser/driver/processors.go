package driver

import (
	"fmt"
	"runtime"
)

// shareOf returns how many of some processors a percentage is, rounded up.
func shareOf(processors, percent int) int { return max(1, (processors*percent+99)/100) }

// LimitProcessors bounds the processors on which the driver's browsers run to a percentage
// of those on which this process may, rounded up. It is called once, before the driver
// starts a browser. Where the system can't, it does nothing.
func (l *Launcher) LimitProcessors(percent int) error {
	pid, ok := l.PID()
	if !ok {
		return fmt.Errorf("bound the processors of the browsers: the driver's process is not known")
	}
	if err := limitProcessors(pid, percent); err != nil {
		return fmt.Errorf("bound the processors of the browsers: %w", err)
	}
	return nil
}

// DiagnoseProcessors says on how many processors the browsers run under limits.cpu_percent.
func DiagnoseProcessors(percent int) Diagnosis {
	check := Diagnosis{Name: "processors", Health: HealthOK}
	switch all, bounds := processors(); {
	case !bounds:
		check.Detail = "browsers have no bound on them: limits.cpu_percent holds on Linux only, not on " + runtime.GOOS
	default:
		check.Detail = fmt.Sprintf("browsers run on %d of %d (limits.cpu_percent = %d)", shareOf(all, percent), all, percent)
	}
	return check
}
