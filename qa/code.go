package qa

// Code names a kind of failure of a call, a step or a check, for programs. Codes
// are stable across versions.
type Code = string

// The codes, in one table for all rooms.
const (
	CodeInvalidInput      = "INVALID_INPUT"
	CodeSessionNotFound   = "SESSION_NOT_FOUND"
	CodeSessionLimit      = "SESSION_LIMIT"
	CodeElementNotFound   = "ELEMENT_NOT_FOUND"
	CodeSelectorAmbiguous = "SELECTOR_AMBIGUOUS"
	CodeNotActionable     = "NOT_ACTIONABLE"
	CodeTimeout           = "TIMEOUT"
	CodeNavigationFailed  = "NAVIGATION_FAILED"
	CodeHostBlocked       = "HOST_BLOCKED"
	CodeActionBlocked     = "ACTION_BLOCKED"
	CodeNeedsHuman        = "NEEDS_HUMAN"
	CodePageCrashed       = "PAGE_CRASHED"
	CodeBrowserCrashed    = "BROWSER_CRASHED"
	CodeDriverMissing     = "DRIVER_MISSING"
	CodeImageInvalid      = "IMAGE_INVALID"
	CodeCancelled         = "CANCELLED"
	CodeBudgetExceeded    = "BUDGET_EXCEEDED"
	CodeOracleFailed      = "ORACLE_FAILED"
	CodeBaselineNotFound  = "BASELINE_NOT_FOUND"
	CodeStoreLocked       = "STORE_LOCKED"
	CodeStoreCorrupt      = "STORE_CORRUPT"
	CodeDiskFull          = "DISK_FULL"
	CodeDialog            = "DIALOG" // of a step: the page showed a dialog that no step answers
	CodeDrift             = "DRIFT"  // of a step: its recorded element is no longer the same on the page
	CodeInternal          = "INTERNAL"
)
