package measure

import "errors"

// ErrSetUp says that this machine lacks what a benchmark needs: nothing was measured.
var ErrSetUp = errors.New("nothing was measured")
