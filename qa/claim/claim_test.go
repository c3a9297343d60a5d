package claim_test

import (
	"flag"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/qa/claim"
)

var update = flag.Bool("update", false, "write what sentences are read as instead of comparing with it")

func languages() []string { return []string{"en", "de", "it", "zh", "fr", "es", "pt", "nl"} }

func lines(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(strings.ReplaceAll(string(text), "\r\n", "\n")) {
		if line = strings.TrimSuffix(line, "\n"); line != "" {
			out = append(out, line)
		}
	}
	if len(out) < 10 {
		t.Fatalf("%s has %d lines: the test would pass on nothing", file, len(out))
	}
	return out
}

// read returns the sentences that have a reading, of one language.
func read(t *testing.T, language string) []string { return lines(t, "testdata/read."+language+".txt") }

// spelt returns every field of claims that says anything, in one line each.
func spelt(claims []claim.Claim) string {
	var b strings.Builder
	for _, c := range claims {
		b.WriteString("  " + c.Form + ": " + c.TOML())
		if len(c.Alike) > 0 {
			b.WriteString(" alike " + strings.Join(c.Alike, ", "))
		}
		if c.WholeWords {
			b.WriteString(" whole words")
		}
		if c.DataRows {
			b.WriteString(" data rows")
		}
		b.WriteString("\n  = " + c.String() + "\n")
	}
	return b.String()
}

// Issue 15, item 1: what is read is read as exactly these claims. Whoever changes
// a table reads the difference of this file as a tester would.
func TestParse(t *testing.T) {
	for _, language := range languages() {
		var got strings.Builder
		for _, sentence := range read(t, language) {
			claims, unread := claim.Parse(sentence)
			if unread != nil {
				t.Errorf("%s: %v", sentence, unread)
				continue
			}
			got.WriteString(sentence + "\n" + spelt(claims))
			for _, c := range claims {
				if c.Language != language {
					t.Errorf("%s: language %s, want %s", sentence, c.Language, language)
				}
			}
		}
		golden := "testdata/claims." + language + ".txt"
		if *update {
			if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatalf("%v; to write it run: go test ./qa/claim -update", err)
		}
		if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), got.String()); diff != "" {
			t.Errorf("%s (- file, + now): %s", golden, diff)
		}
	}
}

// Issue 15, item 1: conditions, choices, hedges, double denials, half a form, and
// names that could be something else are not read, and the refusal says what to
// write.
func TestUnread(t *testing.T) {
	for _, language := range languages() {
		for _, sentence := range lines(t, "testdata/unread."+language+".txt") {
			claims, unread := claim.Parse(sentence)
			if unread == nil {
				t.Errorf("%s: read as\n%s", sentence, spelt(claims))
				continue
			}
			if unread.Why == "" || !strings.Contains(unread.Assertion, "assertion = { type = ") || unread.Quotation {
				t.Errorf("%s: %+v", sentence, unread)
			}
			if nearest, u := claim.Parse(unread.Nearest); u != nil || nearest[0].Language != language {
				t.Errorf("%s: nearest form %q is none of the language: %v", sentence, unread.Nearest, u)
			}
		}
	}
}

// Issue 29, item 9: the hint of an unread sentence is a form of its own language, filled
// with its own words, and can be read.
func TestHintHasTheSentencesWords(t *testing.T) {
	for sentence, hint := range map[string]string{
		`perhaps the button "Pay" is disabled`:             `the button "Pay" is disabled`,
		`la page affiche peut-être "Facture 7"`:            `la page affiche "Facture 7"`,
		`der Button "Kaufen" ist vielleicht deaktiviert`:   `der Button "Kaufen" ist deaktiviert`,
		`la tabla "Clientes" contiene quizás "Ana"`:        `la tabla "Clientes" contiene "Ana"`,
		`de tabel "Klanten" bevat misschien "Ada"`:         `de tabel "Klanten" bevat "Ada"`,
		`a tabela "Clientes" contém talvez "Ana"`:          `a tabela "Clientes" contém "Ana"`,
		`表格“客户”可能包含“王”`:                                    `表格“客户”包含“王”`,
		`the page title sometimes is "Customers" at night`: `the page title is "Customers"`,
		`no error message is displayed`:                    `no error message "Error" is displayed`,
		`no warning is displayed`:                          `no error message "Error" is displayed`,
		`12 orders are shown`:                              `12 rows are shown in the table "Orders"`,
		`es wird keine Fehlermeldung angezeigt`:            `es wird keine Fehlermeldung "Fehler" angezeigt`,
		`aucun message d'erreur n'est affiché`:             `aucun message d'erreur "Erreur" n'est affiché`,
		`nessun messaggio di errore è visibile`:            `nessun messaggio di errore "Errore" è visibile`,
		`er wordt geen foutmelding getoond`:                `er wordt geen foutmelding "Fout" getoond`,
		`nenhuma mensagem de erro é exibida`:               `nenhuma mensagem de erro "Erro" é exibida`,
		`没有显示错误消息`:                                         `没有显示错误消息“错误”`,
	} {
		_, unread := claim.Parse(sentence)
		if unread == nil {
			t.Errorf("%s: it is read", sentence)
			continue
		}
		if unread.Nearest != hint {
			t.Errorf("%s: hint %s, want %s", sentence, unread.Nearest, hint)
		}
		for _, quoted := range claim.Quotes(sentence) {
			if !strings.Contains(unread.Assertion, quoted) {
				t.Errorf("%s: %q is not in the assertion %s", sentence, quoted, unread.Assertion)
			}
		}
	}
}

// insertions returns a sentence with a word put between any two of its words, outside
// of quotations.
func insertions(sentence, word string, spaced bool) []string {
	var out []string
	inside := false
	for i, r := range sentence {
		outside := !inside
		switch {
		case strings.ContainsRune(`"`, r):
			inside = !inside
		case strings.ContainsRune("“‘「《【„«", r):
			inside = true
		case strings.ContainsRune("”’」》】»", r), r == '“' && inside:
			inside = false
		}
		if outside && (r == ' ' || !spaced) {
			out = append(out, sentence[:i]+" "+word+" "+sentence[i:])
		}
	}
	return append(out, word+" "+sentence, strings.TrimSuffix(sentence, ".")+" "+word)
}

// Issue 15: nothing is half-read. A word that no form has makes a sentence unread,
// wherever it stands.
func TestForeignWord(t *testing.T) {
	t.Parallel()
	for language, foreign := range map[string]string{"en": "zonked", "de": "zonken", "it": "zonchi", "zh": "鑫", "fr": "zonque", "es": "zonco", "pt": "zonco", "nl": "zonken"} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			for _, sentence := range read(t, language) {
				for _, s := range insertions(sentence, foreign, language != "zh") {
					if claims, unread := claim.Parse(s); unread == nil {
						t.Errorf("%s: read as\n%s", s, spelt(claims))
					}
				}
				// With a capital letter it may be part of a name, which then has it.
				for _, s := range insertions(sentence, "Zonked", language != "zh") {
					if claims, unread := claim.Parse(s); unread == nil && !strings.Contains(spelt(claims), "Zonked") {
						t.Errorf("%s: read as\n%s", s, spelt(claims))
					}
				}
			}
		})
	}
}

// agrees reports whether a word that denies goes with the denial that a sentence has, and
// turns nothing: non c'è nessun, ne voit pas.
func agrees(word, sentence string) bool {
	with := map[string]string{"nessun": "non ", "nessuna": "non ", "pas": "n'", "aucun": "n'", "ningún": "no ", "nenhum": "não "}[word]
	return with != "" && strings.Contains(strings.ToLower(sentence), with)
}

// Issue 15, class "denial in other words": a word that denies, put anywhere, either
// makes a sentence unread or turns what it says.
func TestDenialTurns(t *testing.T) {
	t.Parallel()
	denials := map[string][]string{"en": {"not", "no", "never", "neither", "without", "no longer"}, "de": {"nicht", "kein", "keine", "nie", "nicht mehr", "ohne"},
		"it": {"non", "nessun", "nessuna", "mai", "senza"}, "zh": {"不", "没有", "未", "无", "非", "别"},
		"fr": {"ne", "pas", "aucun", "jamais", "sans"}, "es": {"no", "ningún", "nunca", "sin"}, "pt": {"não", "nenhum", "nunca", "sem"}, "nl": {"niet", "geen", "nooit", "zonder"}}
	for language, words := range denials {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			for i, sentence := range read(t, language) {
				plain, _ := claim.Parse(sentence)
				tried := words[i%len(words):][:1] // each word in some of the sentences
				if os.Getenv("SOAK") != "" {
					tried = words
				}
				for _, word := range tried {
					if agrees(word, sentence) {
						continue // it agrees with the denial that is there
					}
					for _, s := range insertions(sentence, word, language != "zh") {
						if claims, unread := claim.Parse(s); unread == nil && spelt(claims) == spelt(plain) {
							t.Errorf("%s: still read as\n%s", s, spelt(claims))
						}
					}
				}
			}
		})
	}
}

// Issue 29, item 9: a word that bounds what is said (a quantifier, a time, a condition),
// put anywhere, makes a sentence unread or is in what it is read as.
func TestBoundsTurn(t *testing.T) {
	t.Parallel()
	bounds := map[string][]string{"en": {"again", "still", "always", "only", "sometimes", "unless", "every"}, "de": {"wieder", "weiterhin", "immer", "nur", "manchmal", "falls"},
		"it": {"ancora", "sempre", "solo", "talvolta", "se"}, "zh": {"仍", "总是", "只", "有时", "每"},
		"fr": {"encore", "toujours", "seulement", "parfois", "si"}, "es": {"todavía", "siempre", "solo", "quizás", "si"},
		"pt": {"ainda", "sempre", "apenas", "talvez", "se"}, "nl": {"nog", "altijd", "alleen", "soms", "als"}}
	for language, words := range bounds {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			for i, sentence := range read(t, language) {
				if i%3 != 0 && os.Getenv("SOAK") == "" {
					continue
				}
				plain, _ := claim.Parse(sentence)
				word := words[i/3%len(words)]
				for _, s := range insertions(sentence, word, language != "zh") {
					claims, unread := claim.Parse(s)
					if unread == nil && spelt(claims) == spelt(plain) && !countsExactly(claims) {
						t.Errorf("%s: still read as\n%s", s, spelt(claims))
					}
				}
			}
		})
	}
}

// countsExactly reports whether one of the claims counts: only 3 are 3.
func countsExactly(claims []claim.Claim) bool {
	return slices.ContainsFunc(claims, func(c claim.Claim) bool { return strings.HasPrefix(c.Type, "count_") || c.Type == "hidden" || c.Not })
}

// Issue 29, item 9: who swaps two quoted texts swaps them in what is read.
func TestQuotesSwap(t *testing.T) {
	for _, language := range languages() {
		for _, sentence := range read(t, language) {
			quotes := claim.Quotes(sentence)
			if len(quotes) != 2 || quotes[0] == quotes[1] || strings.Contains(quotes[0]+quotes[1], `\`) {
				continue
			}
			swap := strings.NewReplacer(quotes[0], quotes[1], quotes[1], quotes[0])
			if strings.Count(sentence, quotes[0]) != 1 || strings.Count(sentence, quotes[1]) != 1 {
				continue
			}
			plain, _ := claim.Parse(sentence)
			swapped, unread := claim.Parse(swap.Replace(sentence))
			if unread == nil && spelt(swapped) == spelt(plain) && !sameOnes(plain) {
				t.Errorf("%s: swapped, it is read as\n%s", sentence, spelt(swapped))
			}
		}
	}
}

// sameOnes reports whether several claims say the same of several texts: A and B are B and A.
func sameOnes(claims []claim.Claim) bool { return len(claims) > 1 }

// Issue 15: every quoted text, number and address of a sentence is in its claims.
func TestNothingIsLost(t *testing.T) {
	for _, language := range languages() {
		for _, sentence := range read(t, language) {
			claims, unread := claim.Parse(sentence)
			if unread != nil {
				continue // TestParse tells
			}
			all := strings.ReplaceAll(spelt(claims), `\`, "")
			for _, want := range append(claim.Quotes(sentence), claim.Addresses(sentence)...) {
				if strings.Contains(sentence, `" "`+want+`"`) {
					continue // a quoted word for the kind of what is quoted before it
				}
				if !strings.Contains(all, strings.ReplaceAll(want, `\`, "")) {
					t.Errorf("%s: %q is in no claim:\n%s", sentence, want, all)
				}
			}
			for _, n := range claim.Numbers(sentence) {
				if !strings.Contains(all, n.Text) && !strings.Contains(all, n.Value) && !countsFrom(claims, n.Value) {
					t.Errorf("%s: %q is in no claim:\n%s", sentence, n.Text, all)
				}
			}
		}
	}
}

// countsFrom reports whether a claim counts what is more, or less, than n.
func countsFrom(claims []claim.Claim, n string) bool {
	bound, err := strconv.Atoi(n)
	return err == nil && slices.ContainsFunc(claims, func(c claim.Claim) bool {
		return c.Type == "count_at_least" && c.Expected == strconv.Itoa(bound+1) || c.Type == "count_at_most" && c.Expected == strconv.Itoa(bound-1)
	})
}

// Issue 29, item 9: a place at the end of a list is the place of all that the list names, of
// texts and of elements, in every language.
func TestPlaceIsOfAll(t *testing.T) {
	for sentence, language := range map[string]string{
		`I should see "Tea" and "Milk" within "#cart"`: "en", `"Tea" and "Milk" in the table "Cart" are visible`: "en", `I should not see "Tea", "Milk" and "Jam" in the table "Cart"`: "en",
		`veo "Tea" y "Milk" en la tabla "Cart"`: "es", `je vois "Tea" et "Milk" dans le tableau "Cart"`: "fr", `vedo "Tea" e "Milk" nella tabella "Cart"`: "it",
		`vejo "Tea" e "Milk" na tabela "Cart"`: "pt", `Dan zie ik "Tea" en "Milk" in de tabel "Cart"`: "nl", `ich sehe "Tea" und "Milk" in der Tabelle "Cart"`: "de",
		`"Tea" is followed by "Milk" in the table "Cart"`: "en", `"Tea" steht vor "Milk" in der Tabelle "Cart"`: "de", `"Tea" appare prima di "Milk" nella tabella "Cart"`: "it",
		`"Tea" staat voor "Milk" in de tabel "Cart"`: "nl", `"Tea" aparece antes de "Milk" en la tabla "Cart"`: "es", `"Tea" apparaît avant "Milk" dans le tableau "Cart"`: "fr",
		`"Tea" vem antes de "Milk" na tabela "Cart"`:            "pt",
		`I should see "Tea" but not "Milk" in the table "Cart"`: "en", `the page shows "Tea" and "Jam" but not "Milk" within "#cart"`: "en",
		`neither "Tea" nor "Milk" in the table "Cart" is shown`: "en", `I should see neither the link "Tea" nor the link "Milk" in the table "Cart"`: "en",
		`veo "Tea" pero no "Milk" en la tabla "Cart"`: "es", `je vois "Tea" mais pas "Milk" dans le tableau "Cart"`: "fr", `vedo "Tea" ma non "Milk" nella tabella "Cart"`: "it",
		`vejo "Tea" mas não "Milk" na tabela "Cart"`: "pt", `né "Tea" né "Milk" nella tabella "Cart" sono visibili`: "it",
	} {
		claims, unread := claim.Parse(sentence)
		if unread != nil {
			t.Errorf("%s: %v", sentence, unread)
			continue
		}
		for _, c := range claims {
			if c.Language != language || !strings.Contains(strings.ToLower(c.Selector), "cart") || c.Type == "comes_before" && !strings.Contains(c.Expected, "Cart") {
				t.Errorf("%s: read as\n%s", sentence, spelt(claims))
			}
		}
	}
}

// Each example of the tables is read by its own form.
func TestForms(t *testing.T) {
	table := claim.Forms()
	for _, language := range []string{"English", "German", "Italian", "Chinese", "French", "Spanish", "Portuguese", "Dutch"} {
		if !strings.Contains(table, "**"+language+"**") {
			t.Errorf("no forms of %s", language)
		}
	}
	for line := range strings.Lines(table) {
		cells := strings.Split(line, " | ")
		if len(cells) != 3 || strings.HasPrefix(line, "| form") {
			continue
		}
		form := strings.TrimPrefix(cells[0], "| ")
		example := strings.NewReplacer(`\|`, "|", "&lt;", "<", `\*`, "*", `\_`, "_").Replace(cells[1])
		claims, unread := claim.Parse(example)
		if unread != nil {
			t.Errorf("%s: %s: %v", form, example, unread)
			continue
		}
		if claims[0].Form != form {
			t.Errorf("%s: %s is read by the form %s", form, example, claims[0].Form)
		}
	}
}

// Issue 15, bad input: sentences of 10,000 characters and whatever else come back
// at once, without a panic. What is read can be said in words, in one way.
func FuzzParse(f *testing.F) {
	f.Add(`the page shows "Paid"`)
	f.Add(strings.Repeat("the page shows ", 700))
	f.Add(strings.Repeat(`"a" and `, 1250))
	f.Add(strings.Repeat(`"a", `, 390))
	f.Add(strings.Repeat("“", 1900))
	f.Add(strings.Repeat("不", 1900))
	f.Add("\u202e\"a\" \u0664\u0665 १२ 12:30 -5 +5 −5 1.2.3 \xff")
	f.Add(strings.Repeat(`the button "a" is visible and `, 66))
	f.Fuzz(func(t *testing.T, sentence string) {
		claims, unread := claim.Parse(sentence)
		if (unread == nil) != (len(claims) > 0) {
			t.Fatalf("%q: %v and %v", sentence, claims, unread)
		}
		if unread != nil && (unread.Why == "" || unread.Nearest == "" || unread.Assertion == "") {
			t.Fatalf("%q: %+v", sentence, unread)
		}
		for _, c := range claims {
			if c.Type == "" || c.Form == "" || c.Language == "" || c.String() == "" || !utf8.ValidString(c.TOML()) {
				t.Fatalf("%q: %+v", sentence, c)
			}
			if claim.Contradicts(c, c) {
				t.Fatalf("%q contradicts itself: %s", sentence, c)
			}
		}
		again, _ := claim.Parse(sentence)
		if spelt(claims) != spelt(again) {
			t.Fatalf("%q is read as %s, then as %s", sentence, spelt(claims), spelt(again))
		}
	})
}
