package tools_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/assay-qa/assay/tools"
)

// A13: desks of one pool work side by side and see no session and no run of
// each other.
func TestForkedDesksAreIsolated(t *testing.T) {
	t.Parallel()
	one := online(t)
	first := one.call("browser_launch", `{}`).Data["session_id"]
	other := one
	other.Desk = one.Fork()
	if got, want := exported(other.Desk), exported(one.Desk); !reflect.DeepEqual(got, want) {
		t.Errorf("the fork has other settings: %v, want %v", got, want)
	}
	one.call("run_start", `{"goal": "one"}`)
	if a := other.call("page_snapshot", `{"session_id": %q}`, first); a.Error.Code != "SESSION_NOT_FOUND" || strings.Contains(a.Error.Hint, fmt.Sprint(first)) {
		t.Errorf("the other desk's session answers %+v", a.Error)
	}
	if a := other.call("browser_close", `{"session_id": %q}`, first); a.Error.Code != "SESSION_NOT_FOUND" {
		t.Errorf("the other desk's session was closed: %+v", a.Error)
	}
	if a := other.call("run_finish", `{}`); a.Error.Code != "INVALID_INPUT" {
		t.Errorf("the other desk's run was finished: %+v", a.Error)
	}
	// With one session each, each needs no session_id.
	other.call("browser_launch", `{}`)
	for name, d := range map[string]desk{"one": one, "other": other} {
		if a := d.call("page_snapshot", `{}`); !a.OK {
			t.Errorf("%s: %+v", name, a.Error)
		}
	}
	if err := other.CloseSessions(t.Context()); err != nil {
		t.Error(err)
	}
	if ids := one.Pool.SessionIDs(); len(ids) != 1 || ids[0] != first {
		t.Errorf("after the fork has left, the pool has %v; want %v", ids, first)
	}
	if a := one.call("run_finish", `{}`); !a.OK {
		t.Errorf("the run is gone: %+v", a.Error)
	}
}

// exported are a desk's settings.
func exported(d *tools.Desk) map[string]any {
	out := map[string]any{}
	v := reflect.ValueOf(d.Settings)
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.IsExported() && f.Type.Kind() != reflect.Func {
			out[f.Name] = v.Field(i).Interface()
		}
	}
	return out
}

// C9: the sessions of a desk reach its hosts only, whatever a caller allows
// itself, and so do those that tools open by themselves.
func TestDeskHosts(t *testing.T) {
	t.Parallel()
	d := online(t)
	page := site(t, map[string]string{"/": "<title>in</title>"})
	elsewhere := strings.Replace(page, "127.0.0.1", "127.0.0.2", 1)
	d.Hosts = []string{"127.0.0.1"}
	d.call("browser_launch", `{"options": {"allowed_hosts": ["127.0.0.1", "127.0.0.2"]}}`)
	if a := d.call("page_navigate", `{"url": %q}`, page); !a.OK {
		t.Errorf("its own host: %+v", a.Error)
	}
	if a := d.call("page_navigate", `{"url": %q}`, elsewhere); a.Error.Code != "HOST_BLOCKED" {
		t.Errorf("another host: %+v", a.Error)
	}
	if a := d.call("verify_page_loads", `{"url": %q}`, elsewhere); a.Error.Code != "HOST_BLOCKED" {
		t.Errorf("another host in a fresh context: %+v", a.Error)
	}
}
