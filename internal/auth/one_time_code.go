package auth

import (
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // what RFC 6238 and authenticators use
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// OneTimeCode returns the code that an authenticator shows at a time, by RFC 6238. The key is what a site
// shows beside its QR code, in base32 with or without spaces, or the otpauth://totp address in it, whose
// algorithm, digits and period count; else they are SHA1, 6 and 30 s. An error says nothing of the key.
func OneTimeCode(key string, at time.Time) (string, error) {
	digits, period, made := 6, 30, sha1.New
	if strings.HasPrefix(key, "otpauth://") {
		u, err := url.Parse(key)
		if err != nil || u.Host != "totp" {
			return "", errors.New("its otpauth address is not one of totp")
		}
		q := u.Query()
		key = q.Get("secret")
		if digits, err = within(q.Get("digits"), digits, 6, 8); err == nil {
			period, err = within(q.Get("period"), period, 5, 300)
		}
		if err != nil {
			return "", err
		}
		algorithms := map[string]func() hash.Hash{"": sha1.New, "SHA1": sha1.New, "SHA256": sha256.New, "SHA512": sha512.New}
		if made = algorithms[strings.ToUpper(q.Get("algorithm"))]; made == nil {
			return "", errors.New("its algorithm is none of SHA1, SHA256 and SHA512")
		}
	}
	plain := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '-' || r == '=' {
			return -1
		}
		return unicode.ToUpper(r)
	}, key)
	raw, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(plain)
	if err != nil || len(raw) == 0 {
		return "", errors.New("it is no key of an authenticator: base32 (letters A to Z and digits 2 to 7), or an otpauth://totp address")
	}
	mac := hmac.New(made, raw)
	_ = binary.Write(mac, binary.BigEndian, at.Unix()/int64(period)) // a hash takes everything
	sum := mac.Sum(nil)
	from := sum[len(sum)-1] & 0xf
	number := uint64(binary.BigEndian.Uint32(sum[from:]) & 0x7fffffff)
	for base, n := uint64(1), 0; n <= digits; n++ {
		if n == digits {
			number %= base
		}
		base *= 10
	}
	return fmt.Sprintf("%0*d", digits, number), nil
}

// within reads a number between two bounds; empty is the usual one.
func within(text string, usual, least, most int) (int, error) {
	if text == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, fmt.Errorf("its digits or its period are no number between %d and %d", least, most)
	}
	return n, nil
}
