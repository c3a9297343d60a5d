package author

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// ParseCookies reads cookies as they stand in Set-Cookie headers.
func ParseCookies(lines []string) ([]*http.Cookie, error) {
	var out []*http.Cookie
	for _, line := range lines {
		c, err := http.ParseSetCookie(line)
		if err != nil {
			return nil, fmt.Errorf(`a cookie can't be read (%w): write it as "name=value; Domain=example.com; Path=/; Secure"`, err)
		}
		out = append(out, c)
	}
	return out, nil
}

// withCookies adds cookies to a storage state; those without a domain are those of an
// address.
func withCookies(state []byte, cookies []*http.Cookie, address string) ([]byte, error) {
	if len(cookies) == 0 {
		return state, nil
	}
	var whole map[string]json.RawMessage
	if err := json.Unmarshal(state, &whole); err != nil {
		return nil, fmt.Errorf("add cookies to a storage state: %w", err)
	}
	var all []json.RawMessage
	if err := json.Unmarshal(whole["cookies"], &all); err != nil {
		return nil, fmt.Errorf("add cookies to a storage state: %w", err)
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("add cookies for %s: %w", address, err)
	}
	for _, c := range cookies {
		one := map[string]any{"name": c.Name, "value": c.Value, "domain": c.Domain, "path": c.Path, "httpOnly": c.HttpOnly, "secure": c.Secure, "expires": -1, "sameSite": "Lax"}
		if c.Domain == "" {
			one["domain"] = u.Hostname()
		} else if !strings.HasPrefix(c.Domain, ".") {
			one["domain"] = "." + c.Domain
		}
		if c.Path == "" {
			one["path"] = "/"
		}
		if !c.Expires.IsZero() {
			one["expires"] = c.Expires.Unix()
		}
		switch c.SameSite {
		case http.SameSiteStrictMode:
			one["sameSite"] = "Strict"
		case http.SameSiteNoneMode:
			one["sameSite"] = "None"
		case http.SameSiteDefaultMode, http.SameSiteLaxMode:
		}
		text, err := json.Marshal(one)
		if err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	if whole["cookies"], err = json.Marshal(all); err != nil {
		return nil, err
	}
	return json.Marshal(whole)
}
