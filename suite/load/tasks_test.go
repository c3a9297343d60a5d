package load

import "testing"

// A10: a task's route is appended to the base URL as a flow's addresses are.
func TestAddressOf(t *testing.T) {
	for _, c := range []struct{ base, route, want string }{
		{"https://h.test/app", "/dashboard", "https://h.test/app/dashboard"},
		{"https://h.test/app/", "dashboard", "https://h.test/app/dashboard"},
		{"https://h.test/app", "?tab=2", "https://h.test/app?tab=2"},
		{"https://h.test/app?tenant=1", "/a#b", "https://h.test/app/a#b"},
		{"https://h.test", "https://other.test/x", "https://other.test/x"},
		{"https://h.test/app", "", "https://h.test/app"},
		{"", "https://h.test/", "https://h.test/"},
	} {
		if got, err := Address(c.route, c.base); err != nil || got != c.want {
			t.Errorf("%q below %q: %q, %v; want %q", c.route, c.base, got, err, c.want)
		}
	}
}
