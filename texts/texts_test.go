package texts_test

import (
	"testing"

	"github.com/assay-qa/assay/texts"
)

// Characters are counted, and no character is cut; what fits stays as it is.
func TestTexts(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{texts.Shorten("größer", 6), "größer"},
		{texts.Shorten("größer", 3), "grö…"},
		{texts.Shorten("", 0), ""},
		{texts.Fit("größer", 6), "größer"},
		{texts.Fit("größer", 4), "grö…"},
		{texts.Bytes("größer", 8), "größer"},
		{texts.Bytes("größer", 4), "grö"},
		{texts.Bytes("größer", 3), "gr"},
		{texts.Bytes("größer", 0), ""},
		{texts.Count(0, "file"), "0 files"},
		{texts.Count(1, "file"), "1 file"},
		{texts.Count(2, "file"), "2 files"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}
