package tools

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/assay-qa/assay/engine"
)

// atLeastOne returns a duration in milliseconds, rounded up: every call took some
// time, and an event without any would look as if nobody had measured (E5).
func atLeastOne(d time.Duration) int64 {
	return max(1, int64((d+time.Millisecond-1)/time.Millisecond))
}

// maxArgumentName sets how much of an argument's name is logged, in bytes.
const maxArgumentName = 40

// refusedInput stands in the log for arguments that were refused: their names.
// A password may stand in any of them, so no value is written.
func refusedInput(raw []byte) json.RawMessage {
	var args map[string]json.RawMessage
	if err := json.Unmarshal(raw, &args); err != nil {
		return json.RawMessage(`{"refused":[]}`)
	}
	names := sortedKeys(args)
	for i, name := range names {
		names[i] = strings.ToValidUTF8(name[:min(len(name), maxArgumentName)], "")
	}
	return engine.JSON(map[string][]string{"refused": names})
}
