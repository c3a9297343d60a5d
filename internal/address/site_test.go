package address_test

import (
	"testing"

	"github.com/assay-qa/assay/internal/address"
)

func TestSite(t *testing.T) {
	for of, want := range map[string]string{
		"https://www.shop.example:8443/cart?x=http://other.test": "shop.example", "http://SHOP.example": "shop.example", "https://a.co.uk/": "a.co.uk", "https://x.a.co.uk/": "a.co.uk",
		"https://one.github.io": "one.github.io", "http://127.0.0.1:3000/": "127.0.0.1:3000", "http://127.0.0.1:80/": "127.0.0.1", "http://localhost:3000": "localhost:3000",
		"http://[::1]:8080/": "[::1]:8080", "about:blank": "", "": "", "/cart": "", "https://co.uk/": "co.uk",
	} {
		if got := address.Site(of); got != want {
			t.Errorf("Site(%q) = %q, want %q", of, got, want)
		}
	}
}

// Two addresses are of one site whatever the host below its domain, and of two where the
// port differs: another port is another application.
func TestSameSite(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"http://127.0.0.1:8080/", "http://127.0.0.1:8080/x?y", true}, {"http://127.0.0.1:8080/", "http://127.0.0.1:8081/", false},
		{"https://www.shop.test/", "https://login.shop.test/x", true}, {"https://shop.test/", "https://shop.test:443/", true}, {"https://shop.test/", "https://shop.test:8443/", false},
		{"http://shop.test/", "https://shop.test/", true}, {"http://shop.test:8080/", "https://shop.test:8443/", false}, {"http://localhost:3000/", "http://localhost:3001/", false},
		{"http://localhost:3000/", "http://127.0.0.1:3000/", false}, {"https://a.github.io/", "https://b.github.io/", false}, {"https://shop.test/", "https://evil.test/", false}, {"", "", false}, {"about:blank", "about:blank", false},
	} {
		if got := address.SameSite(tt.a, tt.b); got != tt.same {
			t.Errorf("%s, %s: %v", tt.a, tt.b, got)
		}
	}
}
