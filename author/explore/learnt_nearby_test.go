package explore_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/assay-qa/assay/author/explore"
	"github.com/assay-qa/assay/browser/scan"
)

// restless is a list that can be sorted by each of its columns, and that goes on changing.
type restless struct {
	*fake
	paused int
}

func (r *restless) Open(_ context.Context, address string) (explore.Effect, error) {
	for name, s := range r.screens {
		if s.address == address {
			r.at = name
			r.opened = append(r.opened, address)
			return explore.Effect{}, nil
		}
	}
	return explore.Effect{}, fmt.Errorf("%s is down", address)
}

func (r *restless) Visit(ctx context.Context, address string) (explore.Effect, error) {
	return r.Open(ctx, address)
}

func (r *restless) Pause(context.Context, time.Duration) error {
	r.paused++
	return nil
}

func (r *restless) Scan(ctx context.Context) (scan.Page, error) {
	p, err := r.fake.Scan(ctx)
	p.Changing = time.Second
	return p, err
}

// What changes by itself is found out once for a list, and not for each order of it; for a
// page that shows something else it is found out anew.
func TestWhatChangesIsLearntOnceForAList(t *testing.T) { // Req 0032/1
	columns := []string{"name", "email", "role", "age", "place"}
	r := &restless{fake: newFake()}
	r.screens = map[string]screen{}
	var common []control
	for i := range 30 {
		common = append(common, control{role: "button", name: fmt.Sprintf("Tool %d", i)})
	}
	for _, column := range columns {
		common = append(common, control{role: "link", name: "By " + column, href: "http://a.test/?sort=" + column, to: column})
	}
	common = append(common, control{role: "link", name: "About", href: "http://a.test/?page=about", to: "about"})
	r.screens["home"] = screen{"http://a.test/", "People", common, nil}
	for _, column := range columns {
		r.screens[column] = screen{"http://a.test/?sort=" + column, "People", append([]control{{role: "switch", name: "Down by " + column}}, common...), nil}
	}
	r.screens["about"] = screen{"http://a.test/?page=about", "About", []control{{role: "link", name: "Back", href: "http://a.test/", to: "home"}}, nil}
	s, err := explore.Run(t.Context(), r, explore.Options{StartURL: "http://a.test/", StayOnDomain: true, Now: time.Now, Limits: explore.Limits{Actions: 200}})
	if err != nil {
		t.Fatal(err)
	}
	if got := len(s.States); got < 4 {
		t.Errorf("%d states: the orders are not told apart", got)
	}
	if r.paused != 2 {
		t.Errorf("what changes by itself was waited for %d times, want once for the list and once for the page about it", r.paused)
	}
}
