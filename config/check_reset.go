package config

import (
	"fmt"
	"net/url"
	"reflect"
	"strings"

	"github.com/assay-qa/assay/internal/address"
)

const (
	resetAddress = "explore.reset"
	resetCommand = "explore.reset_command"
)

// spoken is the last that sources say of a setting, also where it does not count.
type spoken struct {
	value reflect.Value
	where string
}

func (s spoken) text() string {
	if !s.value.IsValid() {
		return ""
	}
	return s.value.String()
}

// checkReset finds what is wrong with the ways to set a site back when they are seen together.
func (l *layered) checkReset() {
	reset, command, start := l.said[resetAddress], l.said[resetCommand], l.said["explore.start_url"]
	refuse := func(format string, args ...any) {
		l.problems = append(l.problems, Problem{Key: resetAddress, Where: reset.where, Message: fmt.Sprintf(format, args...)})
	}
	if reset.text() != "" && command.text() != "" {
		refuse("explore.reset and explore.reset_command (%s) are both set: leave out one of them", command.where)
	}
	if start.text() != "" && strings.Contains(reset.text(), "://") && !sameOrigin(start.text(), reset.text()) {
		refuse("explore.reset is an address of another site than explore.start_url (%s): give a path of that site, such as /test/reset", start.where)
	}
}

// sameOrigin compares scheme, host and port of two addresses.
func sameOrigin(a, b string) bool {
	one, err := url.Parse(a)
	other, err2 := url.Parse(b)
	return err == nil && err2 == nil && address.Origin(one) == address.Origin(other)
}
