package redact

import (
	"strings"
	"testing"
)

func TestRedact(t *testing.T) {
	for in, want := range map[string]string{
		"user=ada&password=x&next=1":                   "user=ada&password=" + NotShown + "&next=1",
		"pass%77ord=x":                                 "pass%77ord=" + NotShown,
		"user[password]=x&author=me":                   "user[password]=" + NotShown + "&author=me",
		`{"password":"a\"b","max_tokens":5,"otp": 12}`: `{"password":"` + NotShown + `","max_tokens":5,"otp": "` + NotShown + `"}`,
		`{"token":"cut off`:                            `{"token":"` + NotShown + `"`,
		"--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nx\r\n--b": "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n" + NotShown + "\r\n--b",
		"plain text = nothing": "plain text = nothing",
		"":                     "",
	} {
		if got := Text(in); got != want {
			t.Errorf("%q:\n got %q\nwant %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"http://ada:x@host/p?q=1":            "http://host/p?q=1",
		"http://ada:x@y@host/":               "http://host/",
		"http://host/?a=1&access_token=x#id": "http://host/?a=1&access_token=" + NotShown + "#id",
		"http://host/cb#id_token=x&state=1":  "http://host/cb#id_token=" + NotShown + "&state=1",
		"http://host/p@q":                    "http://host/p@q",
		"about:blank":                        "about:blank",
	} {
		if got := URL(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func FuzzRedact(f *testing.F) {
	f.Add(`{"password":"x"}`)
	f.Add("a=b&token=c")
	f.Fuzz(func(t *testing.T, text string) {
		Text(text)
		if got := Text("password=" + strings.Map(func(r rune) rune {
			if r < '0' || r > 'z' || r == ';' || r == '<' || r == '=' || r == '>' {
				return -1
			}
			return r
		}, text)); len(got) > len("password=") && got != "password="+NotShown {
			t.Errorf("%q", got)
		}
		URL(text)
	})
}
