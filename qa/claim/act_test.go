package claim

import (
	"fmt"
	"strings"
	"testing"
)

// The example of each act is read as that act, in each language, and so it is with other words
// in quotes (29.9).
func TestActExamples(t *testing.T) {
	t.Parallel()
	for _, g := range grammars() {
		kinds := map[string]bool{}
		for _, f := range g.acts {
			if f.example == "" {
				continue
			}
			kinds[f.name] = true
			acts, unread := ReadActs(f.example)
			want := f.name
			if want == "clear" {
				want = "fill"
			}
			if unread != nil || len(acts) != 1 || string(acts[0].Kind) != want {
				t.Errorf("%s: %s: %q is read as %v: %v", g.language.code, f.name, f.example, acts, unread)
			}
		}
		if len(kinds) < 10 {
			t.Errorf("%s: only %d kinds of acts", g.language.code, len(kinds))
		}
	}
}

func TestReadActs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`Open /cart`:                               `open /cart`,
		`Go to "https://shop.example/cart"`:        `open https://shop.example/cart`,
		`I am on the home page`:                    `open /`,
		`Click the button "Save"`:                  `click button "Save"`,
		`Then the user clicks on the Save button.`: `click button "Save"`,
		`Click "Save"`:                             `click Save`,
		`Type "ada" into "User name"`:              `fill User name ada`,
		`Fill in the field "User" with "ada" and "Password" with ${secret:PASS}, then click "Sign in".`: `fill textbox "User" ada; fill Password ${secret:PASS}; click Sign in`,
		`Enter 42 into the number field "Amount"`:                                                       `fill spinbutton "Amount" 42`,
		`Select "Blue" from the dropdown "Colour"`:                                                      `select combobox "Colour" Blue`,
		`Untick the checkbox "News"`:                                                                    `uncheck checkbox "News"`,
		`Click the button "Enter"`:                                                                      `click button "Enter"`,
		`Press Enter`:                                                                                   `press Enter`,
		`Click "Edit" in the row "A-17"`:                                                                `click Edit`,
		`Click on "A". Click on "B"`:                                                                    `click A; click B`,
		`Gib "Ada" in das Feld "Name" ein und klicke auf "Weiter"`:                                      `fill textbox "Name" Ada; click Weiter`,
		`Cliquer sur le lien "Accueil"`:                                                                 `click link "Accueil"`,
	} {
		acts, unread := ReadActs(text)
		var got []string
		for _, a := range acts {
			got = append(got, a.String())
		}
		if unread != nil || strings.Join(got, "; ") != want {
			t.Errorf("%q is read as %q (%v), want %q", text, got, unread, want)
		}
	}
}

// A sentence with a word that no form has a place for is no act: what it says more may
// change what is to be done (29.9).
func TestActsAccountForEveryWord(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`Do not click the button "Save"`, `Never click "Save"`, `Click the button "Save" twice`, `Click all buttons`, `Click the button "Save" if it is there`,
		`Click every "Delete"`, `Double-click the row "A"`, `Right-click "Save"`, `Sign in as ada`, `Put a hammer into the cart`, `Click the button`,
		`Type "a" into the button "Save"`, `Tick the link "X"`, `Wait 5 seconds`, `Press "Enter"`, `Drücke "Escape"`, ``, `"Save"`, `Click "Save" without "Cancel"`, `Klicke nicht auf "Speichern"`,
	} {
		if acts, unread := ReadActs(text); unread == nil {
			t.Errorf("%q is read as %v", text, acts)
		} else if unread.Nearest == "" {
			t.Errorf("%q: no example is given", text)
		}
	}
}

// Other quoted words are other acts (29.9).
// Issue 29, item 9: a step and what is expected after it may stand in one sentence; what
// says when, or comes before the act, is no such sentence.
func TestReadStep(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`Click "Save" and see "Saved"`:                                  `click Save => see "Saved"`,
		`Click "Save" and check that "Saved" is shown`:                  `click Save => check that "Saved" is shown`,
		`Open /cart, then click "Pay", and "Paid" and "Thanks" appear.`: `open /cart; click Pay => "Paid" and "Thanks" appear.`,
		`Klicke auf den Button "Speichern" und "Fertig" wird angezeigt`: `click button "Speichern" => "Fertig" wird angezeigt`,
		`Cliquer sur "Payer" et la page affiche "Merci"`:                `click Payer => la page affiche "Merci"`,
		`Fai clic su "Salva" e la pagina mostra "Salvato"`:              `click Salva => la pagina mostra "Salvato"`,
		`Click "A" and "B"`:                                       `click A; click B => `,
		`Click "Save" while "Draft" is shown`:                     ``,
		`Click "Save" but "Draft" is shown`:                       ``,
		`"Draft" is shown and click "Save"`:                       ``,
		`Click "Save" and see "Saved" and click "Next"`:           ``,
		`Click "Save" and perhaps "Saved" is shown`:               ``,
		`Click "Save" and "Saved" is shown if "Draft" was ticked`: ``,
	} {
		acts, expected, unread := ReadStep(text)
		got := ""
		if unread == nil {
			said := make([]string, len(acts))
			for i, a := range acts {
				said[i] = a.String()
			}
			got = strings.Join(said, "; ") + " => " + expected
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestActsKeepQuotedWords(t *testing.T) {
	t.Parallel()
	for _, g := range grammars() {
		for _, f := range g.acts {
			for i, quoted := range Quotes(f.example) {
				other := fmt.Sprintf("Zq %d", i)
				acts, unread := ReadActs(strings.Replace(f.example, quoted, other, 1))
				if unread != nil || len(acts) != 1 || !strings.Contains(acts[0].String(), other) {
					t.Errorf("%q with %q is read as %v: %v", f.example, other, acts, unread)
				}
			}
		}
	}
}
