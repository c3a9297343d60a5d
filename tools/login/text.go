package login

import (
	"fmt"
	"strings"
	"time"
)

// Text returns the outcome for a person: of a check, or of a sign-in. flags are those that the commands it offers need.
func (r Result) Text(check bool, flags string) string {
	var out strings.Builder
	who := r.Role + " of " + r.Environment
	switch {
	case !r.Works && check:
		fmt.Fprintf(&out, "%s: not signed in: %s\n  next: assay login %s%s\n", who, r.Reason, r.Role, flags)
		return out.String()
	case !r.Works:
		fmt.Fprintf(&out, "%s: what was signed in can't be kept: in a fresh browser context %s, so nothing was stored\n", who, r.Reason)
		if len(r.NotStored) == 0 {
			fmt.Fprintln(&out, "  does the site keep its sign-in in session storage? That ends with the window; cookies, local storage and IndexedDB are kept")
		}
	case check:
		fmt.Fprintf(&out, "%s: signed in; %s opens\n", who, r.Address)
	default:
		fmt.Fprintf(&out, "%s: signed in; %s opens in a fresh browser context\n", who, r.Address)
	}
	sealed := "readable by you alone; [auth] key would encrypt it"
	if r.Sealed {
		sealed = "encrypted"
	}
	if r.Works {
		fmt.Fprintf(&out, "  stored in %s (%s)\n", r.Path, sealed)
		if r.Until != nil {
			fmt.Fprintf(&out, "  until %s, when its first cookie ends\n", r.Until.Format(time.RFC3339))
		} else {
			fmt.Fprintln(&out, "  until the site ends it")
		}
	}
	for _, what := range r.NotStored {
		fmt.Fprintf(&out, "  not stored, as no script can read it: %s\n", what)
	}
	if r.Works && !check {
		fmt.Fprintf(&out, "  next: tasks with role = %q use it; assay login %s%s --check tells whether it still works\n", r.Role, r.Role, flags)
	}
	return out.String()
}
