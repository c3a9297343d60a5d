//go:build !linux

package install

import (
	"context"
	"fmt"
	"runtime"

	"github.com/assay-qa/assay/bench/measure"
)

func canMeasure(int) error {
	return fmt.Errorf("%w: empty roots are made of Linux' namespaces, and this is %s; run it on Debian", measure.ErrSetUp, runtime.GOOS)
}

func measureAll(context.Context, options) ([]result, error) { return nil, canMeasure(0) }
