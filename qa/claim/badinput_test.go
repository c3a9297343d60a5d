package claim_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa/claim"
)

// Issue 15, bad input: quotes in quotes, texts from right to left, digits of
// other scripts and marks of direction are read as they stand, or not at all.
func TestOddSentences(t *testing.T) {
	for sentence, want := range map[string]string{
		"the page shows \u200f\"שלום עולם\"":                    "שלום עולם",
		"\u202bthe page shows \"مرحبا\"\u202c":                  "", // marks of embedding belong to no word
		`the page shows "مدفوع ١٢"`:                             "مدفوع ١٢",
		`the page shows ١٢`:                                     "١٢",
		`the table "T" has ३ rows`:                              "3",
		`the table "T" has 三 rows`:                              "",
		`the page shows "say 'hi' to “her”"`:                    "say 'hi' to “her”",
		`the page shows «a “b” c»`:                              "a “b” c",
		`the page shows "a" "b"`:                                "",
		`the page shows "a"b"`:                                  "",
		"the page shows \"a\x00b\"":                             "a\x00b",
		"the\u00a0page\u2003shows \"a\"":                        "a",
		"the page\u200bshows \"a\"":                             "",
		"the page shows \"e\u0301\"":                            "e\u0301",
		"THE PAGE SHOWS \"a\"":                                  "a",
		"the page shows \"" + strings.Repeat("ab ", 600) + "\"": strings.Repeat("ab ", 600),
	} {
		claims, unread := claim.Parse(sentence)
		switch {
		case want == "" && unread == nil:
			t.Errorf("%q: read as %s", sentence, spelt(claims))
		case want != "" && (unread != nil || claims[0].Expected != want):
			t.Errorf("%q: %v, %v", sentence, claims, unread)
		}
	}
}

// Issue 15, bad input: a thousand sentences, long and twisted ones among them,
// take work in proportion to their number. A form that went back and forth over
// its words would not come to an end here.
func TestThousandSentences(t *testing.T) {
	twisted := []string{
		strings.Repeat("the page shows \"a\" and ", 60), strings.Repeat(`"a", `, 300), strings.Repeat("in the list ", 150), strings.Repeat("不", 600), strings.Repeat("not ", 400),
		strings.Repeat("the button \"a\" in the ", 80) + `list "b"`, strings.Repeat("is visible and ", 120), "the page shows " + strings.Repeat("the ", 400) + `"a"`,
	}
	readable := 0
	for i := range 1000 {
		sentence := fmt.Sprintf(`the button "Save %d" is visible and the table "Orders %d" has %d rows`, i, i, i+1)
		if i%50 == 49 {
			sentence = twisted[i/50%len(twisted)]
		}
		if _, unread := claim.Parse(sentence); unread == nil {
			readable++
		}
	}
	if readable != 980 {
		t.Errorf("%d of 1,000 sentences were read, want 980", readable)
	}
}
