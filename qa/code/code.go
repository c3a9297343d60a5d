package code

// The codes, in one table for all rooms.
const (
	InvalidInput      = "INVALID_INPUT"
	SessionNotFound   = "SESSION_NOT_FOUND"
	SessionLimit      = "SESSION_LIMIT"
	ElementNotFound   = "ELEMENT_NOT_FOUND"
	SelectorAmbiguous = "SELECTOR_AMBIGUOUS"
	NotActionable     = "NOT_ACTIONABLE"
	Timeout           = "TIMEOUT"
	NavigationFailed  = "NAVIGATION_FAILED"
	HostBlocked       = "HOST_BLOCKED"
	ActionBlocked     = "ACTION_BLOCKED"
	NeedsHuman        = "NEEDS_HUMAN"
	PageCrashed       = "PAGE_CRASHED"
	TabClosed         = "TAB_CLOSED"
	BrowserCrashed    = "BROWSER_CRASHED"
	DriverMissing     = "DRIVER_MISSING"
	ImageInvalid      = "IMAGE_INVALID"
	Cancelled         = "CANCELLED"
	BudgetExceeded    = "BUDGET_EXCEEDED"
	OracleFailed      = "ORACLE_FAILED"
	BaselineNotFound  = "BASELINE_NOT_FOUND"
	StoreLocked       = "STORE_LOCKED"
	StoreCorrupt      = "STORE_CORRUPT"
	StoreReadOnly     = "STORE_READ_ONLY"
	DiskFull          = "DISK_FULL"
	Dialog            = "DIALOG" // of a step: the page showed a dialog that no step answers
	Drift             = "DRIFT"  // of a step: its recorded element is no longer the same on the page
	Internal          = "INTERNAL"
)
