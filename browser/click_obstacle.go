package browser

import (
	"context"
	_ "embed"

	"github.com/mxschmitt/playwright-go"
)

// obstacleScript says what keeps an element from being acted on. Playwright
// knows, and its Go binding drops what it says.
//
//go:embed obstacle.js
var obstacleScript string

// obstacle finds out why an element could not be acted on.
func obstacle(ctx context.Context, t *tab, l playwright.Locator) string {
	got, err := within(ctx, t, lookLimit, func() (any, error) { return l.EvaluateAll(obstacleScript) })
	if reason, ok := got.(string); ok && err == nil && reason != "" {
		return cut(reason, maxReason)
	}
	return "the element could not be acted on in time"
}
