package endurance

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/assay-qa/assay/bench/measure"
	"github.com/assay-qa/assay/bench/wire"
	"github.com/assay-qa/assay/internal/demo"
)

type measurement struct {
	program        wire.Program
	site           string
	stdout, stderr io.Writer
}

// with runs part of the measurement on a fresh server.
func (m *measurement) with(ctx context.Context, part func(*wire.Process) error) (err error) {
	p, err := m.program.Start(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Stop()) }()
	if _, err := p.Within(p.Client.Initialize); err != nil {
		return err
	}
	return part(p)
}

func (m *measurement) row(figure, value, bar string) {
	fmt.Fprintf(m.stdout, "| %s | %s | %s |\n", figure, value, bar)
}

// flow signs in, looks for the dashboard, chooses a range and looks for its
// figure: five steps in a context of its own.
func (m *measurement) flow() wire.Call {
	revenue := demo.Display(demo.KPIRevenue, demo.KPIs(demo.Range7Days, demo.CategoryAll)[demo.KPIRevenue])
	return wire.Call{Name: "verify_user_flow", Arguments: map[string]any{
		"name": "sign in and look", "start_url": m.site + "/login",
		"steps": []map[string]any{
			{"action": "fill", "selector": `textbox "Email"`, "value": demo.Email},
			{"action": "fill", "selector": `textbox "Password"`, "value": demo.Password},
			{"action": "click", "selector": `button "Sign in"`},
			{"action": "select", "selector": `combobox "Range"`, "option": "Last 7 days"},
			{"action": "assert", "assertion": map[string]any{"type": "text_contains", "expected": revenue}},
		},
	}}
}

// short opens the sign-in page, types and looks: two steps in a context of its
// own, so that a thousand of them take minutes.
func (m *measurement) short() wire.Call {
	return wire.Call{Name: "verify_user_flow", Arguments: map[string]any{
		"name": "type", "start_url": m.site + "/login",
		"steps": []map[string]any{
			{"action": "fill", "selector": `textbox "Email"`, "value": demo.Email},
			{"action": "assert", "selector": `textbox "Email"`, "assertion": map[string]any{"type": "value_equals", "expected": demo.Email}},
		},
	}}
}

func passed(a wire.Answer) error {
	var flow struct{ Success bool }
	if err := a.Data(&flow); err != nil || a.Failed || !flow.Success {
		return errors.Join(fmt.Errorf("the flow did not pass: %s", a.Text), err)
	}
	return nil
}

// sideBySide compares five flows at once with one alone, on one server.
func (m *measurement) sideBySide(p *wire.Process, rounds int) error {
	const many = 5
	var alone, together, ratios []float64
	var largest measure.Memory
	for i := range rounds + 1 {
		one, err := p.Client.SideBySide([]wire.Call{m.flow()})
		if err != nil {
			return err
		}
		calls := make([]wire.Call, many)
		for k := range calls {
			calls[k] = m.flow()
		}
		all, err := p.Client.SideBySide(calls)
		if err != nil {
			return err
		}
		last := one[0].Took
		var slowest float64
		for _, a := range append(one, all...) {
			if err := passed(a); err != nil {
				return err
			}
		}
		for _, a := range all {
			slowest = max(slowest, measure.MS(a.Took))
		}
		if i == 0 {
			continue // it started the browser
		}
		alone, together = append(alone, measure.MS(last)), append(together, slowest)
		ratios = append(ratios, slowest/measure.MS(last))
		held, err := measure.Of(p.Pid())
		if err != nil && !errors.Is(err, measure.ErrNoProc) {
			return err
		}
		if held.Tree > largest.Tree {
			largest = held
		}
	}
	m.row("one flow of 5 steps", fmt.Sprintf("%.0f ms", measure.Median(alone)), "")
	m.row("5 flows side by side, until the last has ended", fmt.Sprintf("%.0f ms, %.2f×", measure.Median(together), measure.Median(ratios)), "≤ 2.5×")
	m.row("server, driver and browser after it, proportional", fmt.Sprintf("%.0f MB in %d processes", measure.MB(largest.Tree), largest.Processes), "< 512 MB")
	return nil
}

// soak runs flows one after the other and compares the server's memory after
// the first hundred with that at the end.
func (m *measurement) soak(p *wire.Process, flows int) error {
	const warm = 100
	var before measure.Memory
	for i := range flows {
		a, err := p.Within(func() (wire.Answer, error) { return p.Client.Tool(m.short()) })
		if err == nil {
			err = passed(a)
		}
		if err == nil && i == warm-1 {
			before, err = measure.Of(p.Pid())
		}
		if err != nil {
			return fmt.Errorf("flow %d: %w", i+1, err)
		}
		if (i+1)%warm == 0 {
			held, err := measure.Of(p.Pid())
			if err != nil {
				return err
			}
			fmt.Fprintf(m.stderr, "%d flows: server %.1f MB, tree %.0f MB\n", i+1, measure.MB(held.Server), measure.MB(held.Tree))
		}
	}
	after, err := measure.Of(p.Pid())
	if err != nil {
		return err
	}
	m.row(fmt.Sprintf("server after %d flows of 2 steps, against after %d", flows, warm),
		fmt.Sprintf("%.1f MB, %.1f MB: %+.1f %%", measure.MB(after.Server), measure.MB(before.Server), 100*(float64(after.Server)/float64(before.Server)-1)), "< +10 %")
	m.row("the whole tree, likewise", fmt.Sprintf("%.0f MB, %.0f MB", measure.MB(after.Tree), measure.MB(before.Tree)), "")
	return nil
}

// screenshots takes pictures of the dashboard and counts those that failed.
func (m *measurement) screenshots(p *wire.Process, shots int) error {
	setUp := []wire.Call{{Name: "page_navigate", Arguments: map[string]any{"url": m.site + "/login"}}}
	for field, value := range map[string]string{"Email": demo.Email, "Password": demo.Password} {
		setUp = append(setUp, wire.Call{Name: "page_fill", Arguments: map[string]any{"selector": fmt.Sprintf("textbox %q", field), "value": value}})
	}
	setUp = append(setUp, wire.Call{Name: "page_click", Arguments: map[string]any{"selector": `button "Sign in"`}})
	for _, call := range setUp {
		a, err := p.Within(func() (wire.Answer, error) { return p.Client.Tool(call) })
		if err != nil {
			return err
		}
		if a.Failed {
			return fmt.Errorf("%s: %s", call.Name, a.Text)
		}
	}
	failed := 0
	var took []float64
	for i := range shots {
		a, err := p.Within(func() (wire.Answer, error) { return p.Client.Tool(wire.Call{Name: "page_screenshot"}) })
		if err != nil {
			return fmt.Errorf("screenshot %d: %w", i+1, err)
		}
		if a.Failed {
			failed++
			fmt.Fprintf(m.stderr, "screenshot %d: %s\n", i+1, a.Text)
		}
		took = append(took, measure.MS(a.Took))
	}
	m.row(fmt.Sprintf("%d screenshots", shots), fmt.Sprintf("%d failed (%.2f %% succeeded), median %.0f ms", failed, 100*(1-float64(failed)/float64(shots)), measure.Median(took)), "> 99 %")
	return nil
}
