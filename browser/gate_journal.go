package browser

import "github.com/assay-qa/assay/browser/egress"

func (j *journal) onUnreached(u egress.Unreached) {}
