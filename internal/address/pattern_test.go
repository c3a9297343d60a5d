package address_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/address"
)

// cases returns patterns with addresses that fit (yes) and that don't (no).
func cases() []struct {
	pattern string
	yes, no []string
} {
	return []struct {
		pattern string
		yes, no []string
	}{
		{"/cart", []string{"http://h/cart", "https://other:8443/cart/", "http://h/cart?x=1", "http://h/cart#top", "http://h/cart/?a#b", "http://h//cart", "http://h/c%61rt"},
			[]string{"http://h/cart-empty", "http://h/login?next=/cart", "http://h/#/cart", "http://h/shop/cart", "http://h/cart/5", "http://h/Cart", "http://cart/", "http://h/", "http://h/cart.html", "http://h/%2Fcart", "about:blank", "http://h/x#/cart", "http://h/cart;v=1", ""}},
		{"/", []string{"http://h", "http://h/", "http://h//", "http://h/?page=2", "http://h/#x"}, []string{"http://h/a", "about:blank", "http://h/?/../a/b#", "data:text/html,/"}[:2]},
		{"/orders/", []string{"http://h/orders", "http://h/orders/"}, []string{"http://h/orders/1"}},
		{"/a//b", []string{"http://h/a/b", "http://h/a//b"}, []string{"http://h/a/x/b", "http://h/a%2Fb"}},
		{"/orders/*", []string{"http://h/orders/5", "http://h/orders/5/", "http://h/orders/a%2Fb", "http://h/orders/5?x=/y"}, []string{"http://h/orders", "http://h/orders/", "http://h/orders//", "http://h/orders/5/edit", "http://h/x/orders/5", "http://h/orders?/5", "http://h/orders#/5"}},
		{"/orders/*/edit", []string{"http://h/orders/5/edit"}, []string{"http://h/orders/edit", "http://h/orders//edit", "http://h/orders/5/6/edit"}},
		{"/orders/5*", []string{"http://h/orders/5", "http://h/orders/57"}, []string{"http://h/orders/5/7", "http://h/orders/4"}},
		{"/orders/**", []string{"http://h/orders/5", "http://h/orders/5/edit/", "http://h/orders/5?a#b"}, []string{"http://h/orders", "http://h/orders/", "http://h/orders-old/5"}},
		{"/a/**/b", []string{"http://h/a/b", "http://h/a/x/b", "http://h/a/x/y/b/"}, []string{"http://h/a/xb", "http://h/ab", "http://h/a/b/c"}},
		{"/**", []string{"http://h/", "http://h/a/b?c#d"}, []string{"about:blank"}},
		{"**", []string{"http://h/", "http://h/a/b?c#d", "about:blank"}, nil},
		{"*", []string{"http://h/", "http://h/a/b?c#d", "about:blank"}, nil},
		{"**/orders", []string{"http://h/orders", "http://h/api/v1/orders?x"}, []string{"http://orders/", "http://h/preorders", "http://h/orders/5", "http://h/?x=/orders", "http://h/#/orders", "http://h:80/x?y#z/orders"}},
		{"**/api/orders", []string{"http://h/api/orders", "https://api.h/v2/api/orders/"}, []string{"http://h/api/orders/1", "http://h/login?next=/api/orders"}},
		{"**/orders**", []string{"http://h/a/orders/b/c", "http://h/orders-old"}, []string{"http://h/a/?orders", "http://orders/"}},
		{"**login**", []string{"http://h/a/login/b", "http://login.h/"}, []string{"http://h/?login", "http://h/#login"}},
		{"https://shop.test/cart", []string{"https://shop.test/cart", "https://SHOP.test:443/cart/", "HTTPS://shop.test/cart?x", "https://u:p@shop.test/cart"}, []string{"http://shop.test/cart", "https://shop.test:8443/cart", "https://evil.test/https://shop.test/cart", "https://shop.test.evil/cart", "https://evil.test/?https://shop.test/cart", "https://shop.test@evil.test/cart"}},
		{"https://shop.test:443", []string{"https://shop.test", "https://shop.test/"}, []string{"https://shop.test/x"}},
		{"http://LOCALHOST:80/a", []string{"http://localhost/a"}, []string{"http://localhost/A", "http://localhost:81/a"}},
		{"http://127.0.0.1:*/a", []string{"http://127.0.0.1:3000/a"}, []string{"http://127.0.0.1:3000/x/a", "http://127.0.0.1/a"}},
		{"https://*.shop.test/**", []string{"https://a.shop.test/", "https://a.b.shop.test/x/y"}, []string{"https://shop.test/x", "https://evil.test/.shop.test/x", "https://evil.test?.shop.test/x"}},
		{"*://shop.test/a", []string{"http://shop.test/a", "https://shop.test/a"}, []string{"http://x/https://shop.test/a"}},
		{"https://**", []string{"https://h/", "https://h/a/b?c"}, []string{"http://h/"}},
		{"https://bücher.test/é", []string{"https://xn--bcher-kva.test/%C3%A9", "https://xn--bcher-kva.test/%c3%a9/"}, []string{"https://bucher.test/e"}},
		{"http://[::1]:3000/a", []string{"http://[::1]:3000/a"}, []string{"http://[::1]/a"}},
		{"/caf%C3%A9", []string{"http://h/caf%c3%a9"}, []string{"http://h/cafe"}},
		{"/a%2Fb", []string{"http://h/a%2fb"}, []string{"http://h/a/b"}},
		{"/a%20b", []string{"http://h/a%20b"}, []string{"http://h/a+b", "http://h/ab"}},
		{"/%6Frders", []string{"http://h/orders"}, []string{"http://h/%256Frders"}},
		{"/a.b(c)+$", []string{"http://h/a.b(c)+$", "http://h/a.b%28c%29%2B%24"}, []string{"http://h/aXb(c)+$"}},
		{"/50%25", []string{"http://h/50%25"}, []string{"http://h/50"}},
		{"/api?page=2", []string{"http://h/api?page=2", "http://h/api?sort=a&page=2&x", "http://h/api/?page=2#c"}, []string{"http://h/api", "http://h/api?page=20", "http://h/api?page=2&page=3", "http://h/api?mypage=2", "http://h/api?x=?page=2", "http://h/api#?page=2", "http://h/api?page=", "http://h/api?Page=2"}},
		{"/api?b=2&a=1", []string{"http://h/api?a=1&b=2"}, []string{"http://h/api?a=1", "http://h/api?b=2", "http://h/api?a=2&b=1"}},
		{"/api?id=1&id=2", []string{"http://h/api?id=1&id=2", "http://h/api?id=2&x=y&id=1"}, []string{"http://h/api?id=1", "http://h/api?id=1&id=2&id=3"}},
		{"/api?q=a b", nil, nil}, // white space is escaped: see below
		{"/api?q=a%20b", []string{"http://h/api?q=a%20b", "http://h/api?q=a+b"}, []string{"http://h/api?q=a%2Bb"}},
		{"/api?ids=1,2&to=/x", []string{"http://h/api?ids=1%2C2&to=%2Fx", "http://h/api?to=/x&ids=1,2"}, []string{"http://h/api?ids=1&to=/x"}},
		{"/api?q=a%26b=c", []string{"http://h/api?q=a%26b%3Dc", "http://h/api?q=a%26b=c"}, []string{"http://h/api?q=a&b=c"}},
		{"/api?next=*", []string{"http://h/api?next=x", "http://h/api?next=%2Fx"}, []string{"http://h/api", "http://h/api?next=/x"}},
		{"/api?next=**", []string{"http://h/api?next=/x/y"}, []string{"http://h/api?prev=/x"}},
		{"/api?debug", []string{"http://h/api?debug", "http://h/api?debug=&x=1"}, []string{"http://h/api?debug=1", "http://h/api?debugger"}},
		{"/api?", []string{"http://h/api", "http://h/api?", "http://h/api#x"}, []string{"http://h/api?x"}},
		{"/api?**", []string{"http://h/api?x=1"}, []string{"http://h/api", "http://h/api?"}},
		{"/api?utm_*=x", []string{"http://h/api?utm_a=x"}, []string{"http://h/api?utm_a=y", "http://h/api?a=x"}},
		{"**?page=login", []string{"http://h/?page=login", "http://h/a/b?page=login"}, []string{"http://h/", "http://h/#?page=login"}},
		{"/#/login", []string{"http://h/#/login", "http://h/#/login/", "http://h/?a#/login?next=/x"}, []string{"http://h/", "http://h/#/login/x", "http://h/login", "http://h/#/", "http://h/#login", "http://h/x#/login"}},
		{"/#/orders?page=2", []string{"http://h/#/orders?a=1&page=2"}, []string{"http://h/#/orders", "http://h/?page=2#/orders"}},
		{"**#top", []string{"http://h/a#top"}, []string{"http://h/a", "http://h/a#topper", "http://h/a#/top"}},
		{"/a#", []string{"http://h/a", "http://h/a#"}, []string{"http://h/a#b"}},
		{"/a#tab-*", []string{"http://h/a#tab-2"}, []string{"http://h/a#tab-2/3"}},
		{"/#!/a", []string{"http://h/#!/a"}, []string{"http://h/#/a"}},
		{"about:blank", []string{"about:blank"}, []string{"http://h/about:blank", "about:blankets"}},
		{"data:**", []string{"data:text/html,<p>/a"}, []string{"http://h/data:x"}},
		{"", []string{"", "http://h/x"}, nil},
		{`re:kpi\?range=\d+d$`, []string{"http://h/kpi?range=7d"}, []string{"http://h/kpi"}},
	}
}

func TestFits(t *testing.T) {
	n := 0
	for _, c := range cases() {
		if strings.Contains(c.pattern, " ") {
			continue
		}
		p, err := address.Parse(c.pattern)
		if err != nil {
			t.Errorf("%q: %v", c.pattern, err)
			continue
		}
		for i, all := range [][]string{c.yes, c.no} {
			for _, a := range all {
				if n++; p.Fits(a) != (i == 0) {
					t.Errorf("%q fits %q: %v", c.pattern, a, i != 0)
				}
			}
		}
	}
	if n < 80 {
		t.Errorf("only %d pairs", n)
	}
}

// What meant something else once, or nothing, is refused with what to write.
func TestRefused(t *testing.T) {
	for pattern, hint := range map[string]string{
		"orders": "**/orders**", "cart": "/cart", "*/api/orders": "**/api/orders", "*login*": "**login*", "?page=2": "**?page=2", "#/login": "**#/login",
		"localhost:3000/a": "https://localhost:3000/a", "shop.test/a": "https://shop.test/a", "//shop.test/a": "https://shop.test/a", "/a b": "%20", "post /a": "POST /a",
		"http": "/http", "re:(": "re:", "\xff": "**/", "orders?a=1": "**/orders**?a=1", `\`: "**/", "orders*": "**/orders**",
	} {
		_, err := address.Parse(pattern)
		var e *address.Error
		if !errors.As(err, &e) || !strings.Contains(e.Hint, hint) || !strings.Contains(e.Message, "pattern") {
			t.Errorf("%q: %v, want %q", pattern, err, hint)
		}
	}
}

func TestRequests(t *testing.T) {
	ok, created, missing, down := address.Sent{Status: 200}, address.Sent{Status: 201}, address.Sent{Status: 404}, address.Sent{Status: 503}
	failed, blocked, pending, broken := address.Sent{Failed: true}, address.Sent{Blocked: true, Failed: true}, address.Sent{}, address.Sent{Status: 200, Failed: true}
	for _, c := range []struct {
		text string
		came []address.Sent
		not  []address.Sent
	}{
		{"POST /api", []address.Sent{ok, created, {Status: 303}}, []address.Sent{missing, down, failed, blocked, pending, broken}},
		{"POST /api 201", []address.Sent{created}, []address.Sent{ok, failed, blocked, pending}},
		{"POST /api 4xx", []address.Sent{missing}, []address.Sent{ok, down, {Status: 404, Blocked: true}, pending}},
		{"POST /api failed", []address.Sent{failed, broken}, []address.Sent{ok, blocked, missing, pending}},
		{"POST /api blocked", []address.Sent{blocked}, []address.Sent{ok, failed}},
		{"POST /api any", []address.Sent{ok, down, failed, blocked, pending}, nil},
	} {
		r, err := address.ParseRequest(c.text)
		if err != nil || r.Method != http.MethodPost || r.Address != "/api" || !r.Is("POST", "http://h/api") || r.Is("GET", "http://h/api") {
			t.Errorf("%q: %+v, %v", c.text, r, err)
		}
		for i, all := range [][]address.Sent{c.came, c.not} {
			for _, s := range all {
				if r.Came(s) != (i == 0) {
					t.Errorf("%q of %v: %v", c.text, s, i != 0)
				}
			}
		}
	}
	if r, _ := address.ParseRequest("/api"); r.Is("OPTIONS", "http://h/api") || !r.Is("PUT", "http://h/api") {
		t.Error("without a method: any, but for what browsers ask by themselves")
	}
	for _, text := range []string{"GET", "GET 200", "POST orders", "post /orders", "POST */orders"} {
		if _, err := address.ParseRequest(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

// The expression that a Playwright test gets fits what the pattern fits: on the
// table and on what chance makes of it.
func TestJavaScriptAgrees(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	type pair struct{ Source, Address string }
	var pairs []pair
	var want []bool
	var patterns []string
	add := func(pattern, a string) {
		p, err := address.Parse(pattern)
		if err != nil {
			return
		}
		if source, ok := p.JavaScript(); ok {
			pairs, want, patterns = append(pairs, pair{source, a}), append(want, p.Fits(a)), append(patterns, pattern)
		}
	}
	for _, c := range cases() {
		for _, a := range append(c.yes, c.no...) {
			add(c.pattern, a)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	pieces := func(from []string, most int) string {
		var b strings.Builder
		for range random.IntN(most) + 1 {
			b.WriteString(from[random.IntN(len(from))])
		}
		return b.String()
	}
	for range 6000 {
		start := []string{"/", "**/", "http://h/", "**", "https://*.b/", "*://h/"}[random.IntN(6)]
		pattern := start + pieces([]string{"a", "b", "/", "*", "**", "?a=1", "&a=", "=", "#", "#/a", "%2F", "+", ",", "é", "?"}, 6)
		a := "http://h/" + pieces([]string{"a", "b", "/", "?a=1", "&a=2", "&", "=", "#", "#/a", "%2F", "+", ",", "%C3%A9", "?"}, 6)
		add(pattern, a)
	}
	in, err := json.Marshal(pairs)
	if err != nil {
		t.Fatal(err)
	}
	const script = `let t=''; process.stdin.on('data', d => t += d).on('end', () => console.log(JSON.stringify(JSON.parse(t).map(p => {
		let u; try { u = new URL(p.Address).href } catch { return null }
		return eval(p.Source).test(u) }))))`
	run := exec.Command(node, "-e", script)
	run.Stdin, run.Stderr = strings.NewReader(string(in)), os.Stderr
	out, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got []*bool
	if err := json.Unmarshal(out, &got); err != nil || len(got) != len(want) {
		t.Fatal(err, len(got))
	}
	fitting, wrong := 0, 0
	for i, g := range got {
		if g == nil || strings.Contains(pairs[i].Address, "%61") || strings.Contains(pairs[i].Address, "@") { // JavaScript is told what browsers write
			continue
		}
		if *g {
			fitting++
		}
		if *g != want[i] {
			if wrong++; wrong < 10 {
				t.Errorf("%q on %q: Go %v, JavaScript %v by %s", patterns[i], pairs[i].Address, want[i], *g, pairs[i].Source)
			}
		}
	}
	if fitting < 300 {
		t.Errorf("only %d of %d fit: the test looks at too little", fitting, len(got))
	}
	t.Logf("%d pairs, %d fit", len(got), fitting)
}

func FuzzParse(f *testing.F) {
	f.Add("**/a?b*#/c", "http://h/a?b=1")
	f.Add("re:(", "x")
	f.Fuzz(func(_ *testing.T, pattern, a string) {
		if p, err := address.Parse(pattern); err == nil {
			p.Fits(a)
			p.JavaScript()
		}
	})
}
