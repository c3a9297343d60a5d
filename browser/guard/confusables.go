package guard

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/assay-qa/assay/internal/pattern"
)

//go:embed look_alikes.txt
var lookAlikesFile string

// lookAlikes holds the Latin letter of each letter that looks like one.
var lookAlikes = sync.OnceValue(func() map[rune]rune {
	pairs, err := readLookAlikes(lookAlikesFile)
	if err != nil {
		panic(err) // a file of this build is broken, and a test reads it
	}
	return pairs
})

func readLookAlikes(text string) (map[rune]rune, error) {
	pairs := map[rune]rune{}
	err := pattern.Lines("look_alikes.txt", text, func(line string) error {
		letters := strings.Fields(line)
		for _, letter := range letters {
			if utf8.RuneCountInString(letter) != 1 {
				return fmt.Errorf("%q is not one letter: leave spaces between letters", letter)
			}
		}
		latin, _ := utf8.DecodeRuneInString(letters[0])
		if latin < 'a' || latin > 'z' {
			return fmt.Errorf("%q is no Latin letter: a line begins with the one that the others look like", latin)
		}
		for _, letter := range letters[1:] {
			r, _ := utf8.DecodeRuneInString(letter)
			if other, twice := pairs[r]; twice {
				return fmt.Errorf("%q stands here and beside %q", r, other)
			}
			pairs[r] = latin
		}
		return nil
	})
	return pairs, err
}

// lookAlike returns the Latin letter that a letter looks like; itself if there
// is none.
func lookAlike(r rune) rune {
	switch {
	case r < 0x80:
		return r
	case r >= 0x1F150 && r <= 0x1F169: // 🅐
		return 'a' + r - 0x1F150
	case r >= 0x1F170 && r <= 0x1F189: // 🅰
		return 'a' + r - 0x1F170
	}
	if latin, ok := lookAlikes()[r]; ok {
		return latin
	}
	return r
}
