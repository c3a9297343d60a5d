package secrets_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/secrets"
)

// A12: a value is masked in upper and lower case, and with all of its characters
// escaped for JSON, alone and together.
func TestMaskHidesOtherCases(t *testing.T) {
	const value = "gRün-Pass/w0rd"
	v := secrets.New(map[string]string{"PW": "env:PW"}, func(string) string { return value })
	if _, err := v.Reveal(context.Background(), "PW"); err != nil {
		t.Fatal(err)
	}
	escaped := func(s, form string) string {
		var b strings.Builder
		for _, r := range s {
			fmt.Fprintf(&b, form, r)
		}
		return b.String()
	}
	for _, shown := range []string{value, strings.ToUpper(value), strings.ToLower(value), "GRün-Pass/w0rd", "Grün-pass/w0rd"} {
		for _, text := range []string{shown, escaped(shown, `\u%04x`), escaped(shown, `\u%04X`), strings.ReplaceAll(shown, "/", `\/`), strings.ReplaceAll(shown, "ü", `\u00fc`), strings.ReplaceAll(shown, "Ü", `\u00DC`)} {
			if got := v.Mask("<" + text + ">"); got != "<${secret:PW}>" {
				t.Errorf("Mask(%s) = %s", text, got)
			}
			if got := string(v.MaskFile("application/json", []byte(`{"a":"`+text+`"}`))); got != `{"a":"${secret:PW}"}` {
				t.Errorf("MaskFile(%s) = %s", text, got)
			}
		}
	}
	if got := v.Mask("grün passt, Word"); got != "grün passt, Word" {
		t.Errorf("another text: %s", got)
	}
}

// A12: user:password@ of an address is in no text, whether a secret is known or not.
func TestMaskHidesUserinfo(t *testing.T) {
	v := secrets.New(nil, func(string) string { return "" })
	for text, want := range map[string]string{
		"at http://anna:hunter2@shop.test/x?y=1 failed":          "at http://shop.test/x?y=1 failed",
		`{"url":"https:\/\/anna:hunter2@shop.test\/"}`:           `{"url":"https:\/\/shop.test\/"}`,
		"ws://:hunter2@h/ and postgres://u:p%40x@db:5432/n":      "ws://h/ and postgres://db:5432/n",
		`<a href="http://anna:hunter2@shop.test/">`:              `<a href="http://shop.test/">`,
		"http://shop.test:8080/@anna and mail anna@shop.test: x": "http://shop.test:8080/@anna and mail anna@shop.test: x",
		"http://anna:p@ss@shop.test/ and https://tok_en@h/":      "http://shop.test/ and https://h/",
		`{"url":"http://anna:a\u0026b@shop.test/"}`:              `{"url":"http://shop.test/"}`,
		"clone ssh://git@h/x, see http://h, mail to a@b":         "clone ssh://git@h/x, see http://h, mail to a@b",
		"http://shop.test/a:b@c":                                 "http://shop.test/a:b@c",
	} {
		if got := v.Mask(text); got != want {
			t.Errorf("Mask(%s) = %s", text, got)
		}
		if got := string(v.MaskFile("text/html", []byte(text))); got != want {
			t.Errorf("MaskFile(%s) = %s", text, got)
		}
	}
	data := v.MaskData([]byte(`{"u":"http://anna:hunter2@shop.test/"}`))
	if !json.Valid(data) || strings.Contains(string(data), "hunter2") {
		t.Errorf("MaskData: %s", data)
	}
	if got := v.MaskFile("image/png", []byte("http://anna:hunter2@shop.test/")); !strings.Contains(string(got), "hunter2") {
		t.Error("a picture was changed")
	}
}
