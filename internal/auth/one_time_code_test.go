package auth_test

import (
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/internal/auth"
)

// Req 0033/B: the codes of RFC 6238, appendix B, and what is no key.
func TestOneTimeCode(t *testing.T) {
	t.Parallel()
	const of1, of256, of512 = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA",
		"GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNA"
	uri := func(key, algorithm string) string {
		return "otpauth://totp/Shop:ada?secret=" + key + "&digits=8&algorithm=" + algorithm + "&issuer=Shop"
	}
	for _, one := range []struct {
		key  string
		at   int64
		want string
	}{
		{uri(of1, "SHA1"), 59, "94287082"}, {uri(of256, "SHA256"), 59, "46119246"}, {uri(of512, "SHA512"), 59, "90693936"},
		{uri(of1, "SHA1"), 1111111109, "07081804"}, {uri(of256, "SHA256"), 1234567890, "91819424"}, {uri(of512, "sha512"), 20000000000, "47863826"},
		{of1, 59, "287082"}, {"gezd gnbv gy3t qojq gezd gnbv gy3t qojq", 59, "287082"}, {of1 + "====", 1111111109, "081804"},
		{"otpauth://totp/a?secret=" + of1 + "&period=60", 119, "287082"},
	} {
		if got, err := auth.OneTimeCode(one.key, time.Unix(one.at, 0)); got != one.want || err != nil {
			t.Errorf("%s at %d: %q, %v, want %s", one.key, one.at, got, err, one.want)
		}
	}
	for _, key := range []string{"", "  ", "a password 1", "123456", "otpauth://hotp/a?secret=" + of1, "otpauth://totp/a", "otpauth://totp/a?secret=" + of1 + "&digits=99", "otpauth://totp/a?secret=" + of1 + "&algorithm=MD5", "otpauth://totp/a?secret=" + of1 + "&period=x"} {
		got, err := auth.OneTimeCode(key, time.Unix(59, 0))
		if err == nil || key != "" && strings.TrimSpace(key) != "" && strings.Contains(err.Error(), key) {
			t.Errorf("%q: %q, %v", key, got, err)
		}
	}
}
