package browser

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/playwright-community/playwright-go"
)

// readStorageState reads a Playwright storage state. A file that holds none
// would otherwise open a session that is silently signed out.
func readStorageState(path string) (*playwright.OptionalStorageState, error) {
	const remedy = "give the path of a Playwright storage state file, such as assay login writes"
	bad := func(err error) error {
		e := invalid(remedy, "storage state %s: %v", path, err)
		e.Cause = err
		return e
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, bad(err)
	}
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(text, &parts); err != nil {
		return nil, bad(fmt.Errorf("it is no JSON object: %w", err))
	}
	if parts["cookies"] == nil && parts["origins"] == nil {
		return nil, bad(fmt.Errorf("it has neither cookies nor origins"))
	}
	state := &playwright.OptionalStorageState{}
	if err := json.Unmarshal(text, state); err != nil {
		return nil, bad(err)
	}
	return state, nil
}
