package auth_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/internal/auth"
)

// Tokens are hidden wherever a state keeps them, and what a page shows to
// everybody is not (E6).
func TestSecrets(t *testing.T) {
	long := strings.Repeat("Ab3-xY9_", 750)
	state := `{"cookies":[
		{"name":"theme","value":"light-theme"},
		{"name":"assay_demo_session","value":"K7WQZ2M4XN5TJ3RY6LPB7CDEFG","httpOnly":true},
		{"name":"sid","value":"q8Wz3fLt"},
		{"name":"visited","value":"2026-11-21T10:00:00Z"},
		{"name":"count","value":"1234567890"}],
	"origins":[{"origin":"http://a.test","localStorage":[
		{"name":"user","value":"{\"name\":\"Rosa Luxemburg\",\"mail\":\"rosa@a.test\",\"accessToken\":\"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVP\"}"},
		{"name":"last","value":"https://a.test/dashboard?x=1"},
		{"name":"refresh","value":"` + long + `"}],
	"indexedDB":[{"name":"firebaseLocalStorageDb","version":1,"stores":[{"name":"firebaseLocalStorage","keyPath":"fbase_key","records":[
		{"value":{"fbase_key":"firebase:authUser:k1","value":{"displayName":"Dashboard","stsTokenManager":{"refreshToken":"AMf-vBx9zQ2w7"}}}},
		{"valueEncoded":{"o":[{"k":"apiKey","v":"AIzaSyD4x9QpLm"},{"k":"since","v":{"d":"2026-11-21T10:00:00Z"}}],"id":1}}]}]}]}]}`
	got := auth.Secrets([]byte(state))
	for _, want := range []string{"K7WQZ2M4XN5TJ3RY6LPB7CDEFG", "q8Wz3fLt", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVP", "AMf-vBx9zQ2w7", "AIzaSyD4x9QpLm", long[:4096], long[4096:]} {
		if !slices.Contains(got, want) {
			t.Errorf("%.60q is not hidden", want)
		}
	}
	for _, shown := range []string{"light-theme", "2026-11-21T10:00:00Z", "1234567890", "Rosa Luxemburg", "rosa@a.test", "https://a.test/dashboard?x=1", "Dashboard", "fbase_key", "firebaseLocalStorageDb", "firebaseLocalStorage"} {
		if slices.Contains(got, shown) {
			t.Errorf("%q would be hidden on every page", shown)
		}
	}
	if auth.Secrets([]byte("no JSON")) != nil {
		t.Error("secrets in what is no state")
	}
}

// A session's value is hidden whichever letters, digits and signs chance gave it, and the
// words beside it are not (E6).
func TestSecretsOfAnyLetters(t *testing.T) {
	secrets := func(name, value string) int {
		return len(auth.Secrets(fmt.Appendf(nil, `{"cookies":[{"name":%q,"value":%q,"httpOnly":true}]}`, name, value)))
	}
	alphabets := []string{"ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJklmnopqrstuvwxyz", "0123456789", "0123456789abcdef", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"}
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		letters := []rune(alphabets[random.IntN(len(alphabets))])
		random.Shuffle(len(letters), func(i, j int) { letters[i], letters[j] = letters[j], letters[i] })
		value := []string{"", "/", "s-"}[random.IntN(3)] + string(letters[:10])
		for range 12 + random.IntN(20) {
			value += string(letters[random.IntN(len(letters))])
		}
		if secrets("sid", value) != 1 {
			t.Fatalf("%q is not hidden", value)
		}
	}
	for _, shown := range []string{"/dashboard/reports/monthly", "dark-high-contrast-theme", "https://a.test/dashboards/internationalisation", "christopherjonathan@a.test", "2026-11-21", "1234567890"} {
		if secrets("session_of", shown) != 0 {
			t.Errorf("%q would be hidden on every page", shown)
		}
	}
}

func TestUntil(t *testing.T) {
	until, ok := auth.Until([]byte(`{"cookies":[{"name":"a","expires":-1},{"name":"b","expires":1795000000.5},{"name":"c","expires":1790000000}]}`))
	if want := time.Unix(1790000000, 0).UTC(); !ok || !until.Equal(want) {
		t.Errorf("until %v, %v; want %v", until, ok, want)
	}
	if until, ok := auth.Until([]byte(`{"cookies":[{"name":"a","expires":-1}]}`)); ok {
		t.Errorf("a cookie of the session ends at %v", until)
	}
}

func TestAddress(t *testing.T) {
	state, err := auth.WithAddress([]byte(plain), "http://a.test/dashboard")
	if err != nil {
		t.Fatal(err)
	}
	if got := auth.Address(state); got != "http://a.test/dashboard" {
		t.Errorf("address %q in %s", got, state)
	}
	if state, err = auth.WithRefused(state, []string{"GET http://a.test/api/pay"}); err != nil || auth.Address(state) != "http://a.test/dashboard" || len(auth.Refused(state)) != 1 {
		t.Errorf("one note takes the other's place: %s, %v", state, err)
	}
	if got := auth.Secrets(state); len(got) != 1 {
		t.Errorf("the state lost something: %v", got)
	}
	if _, err := auth.WithAddress([]byte("no JSON"), "x"); err == nil {
		t.Error("a note in what is no state")
	}
}
