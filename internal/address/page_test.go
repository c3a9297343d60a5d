package address

import "testing"

// A route in the hash names a page as a path does; a query and a place within a page do not.
func TestPage(t *testing.T) { // Req 0031
	for address, want := range map[string]string{
		"http://A.test/orders/?page=2": "a.test/orders",
		"http://a.test/orders#total":   "a.test/orders",
		"http://a.test/#/orders?q=1":   "a.test#/orders",
		"http://a.test/app#!/orders/7": "a.test/app#/orders/7",
		"http://a.test/%zz":            "http://a.test/%zz",
	} {
		if got := Page(address); got != want {
			t.Errorf("%s is the page %q, want %q", address, got, want)
		}
	}
}
