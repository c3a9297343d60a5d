// Package measure is what the benchmarks share of measuring: memory, medians, units.
package measure

import (
	"slices"
	"time"
)

// Median returns the middle of the values, or the mean of the two in the middle. Of nothing it is
// 0.
func Median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// MS converts a duration to milliseconds.
func MS(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// MB converts a number of bytes to megabytes.
func MB(bytes int64) float64 { return float64(bytes) / 1e6 }
