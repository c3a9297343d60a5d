package guard

// consequence is one thing that an act can bring about, as a file of words calls it.
type consequence struct {
	key, rule string
	weak      bool // a name means it only with a thing that it happens to
}

// consequences are what the belt stops, by the rule that an answer names: the first
// that fits is named. A weak one is said of windows and forms as often as of accounts.
// What a request does has no window, so there it counts by itself.
var consequences = [...]consequence{
	{key: "delete", rule: "delete"}, {key: "remove", rule: "delete"}, {key: "destroy", rule: "delete"}, {key: "erase", rule: "delete"},
	{key: "purge", rule: "delete"}, {key: "wipe", rule: "delete"}, {key: "shred", rule: "delete"}, {key: "truncate", rule: "delete"},
	{key: "uninstall", rule: "delete"}, {key: "trash", rule: "delete"},
	{key: "pay", rule: "pay"}, {key: "buy", rule: "pay"}, {key: "order", rule: "pay"}, {key: "checkout", rule: "pay"}, {key: "transfer", rule: "pay"},
	{key: "refund", rule: "pay"}, {key: "withdraw", rule: "pay"}, {key: "donate", rule: "pay"}, {key: "charge", rule: "pay"},
	{key: "terminate", rule: "close account or revoke"}, {key: "deactivate", rule: "close account or revoke"}, {key: "revoke", rule: "close account or revoke"},
	{key: "invalidate", rule: "close account or revoke"}, {key: "unsubscribe", rule: "close account or revoke"},
	{key: "ban", rule: "ban"}, {key: "kick", rule: "ban"}, {key: "expel", rule: "ban"}, {key: "suspend", rule: "ban"}, {key: "demote", rule: "ban"},
	{key: "rollback", rule: "reset"}, {key: "overwrite", rule: "reset"},
	{key: "shutdown", rule: "stop a system"}, {key: "reboot", rule: "stop a system"}, {key: "kill", rule: "stop a system"},

	{key: "clear", rule: "delete", weak: true}, {key: "empty", rule: "delete", weak: true}, {key: "drop", rule: "delete", weak: true},
	{key: "discard", rule: "delete", weak: true}, {key: "detach", rule: "delete", weak: true},
	{key: "close", rule: "close account or revoke", weak: true}, {key: "disable", rule: "close account or revoke", weak: true},
	{key: "leave", rule: "close account or revoke", weak: true}, {key: "expire", rule: "close account or revoke", weak: true},
	{key: "cancel", rule: "cancel", weak: true}, {key: "reject", rule: "cancel", weak: true},
	{key: "block", rule: "ban", weak: true}, {key: "lock", rule: "ban", weak: true},
	{key: "reset", rule: "reset", weak: true}, {key: "format", rule: "reset", weak: true},
	{key: "stop", rule: "stop a system", weak: true},
}

// The kinds of words that are no consequence, numbered after those that are.
const (
	changeWords   = len(consequences) + iota // together with
	passwordWords                            // they change credentials
	thingWords                               // what makes weak consequences destructive
	viewWords                                // what is taken out of a view only
	doneWords                                // what is done already
	basketWords                              // objects of which a request may remove something
	screenWords                              // parts of a page that a request may close
	recordWords                              // what makes a noun of the word before it: shutdown log
	kindCount
)

// kindOf returns the number of a line's key in a file of words; -1 for none.
func kindOf(key string) int {
	for i, c := range consequences {
		if c.key == key {
			return i
		}
	}
	for i, name := range []string{"change", "password", "things", "views", "done", "baskets", "screen", "records"} {
		if name == key {
			return changeWords + i
		}
	}
	return -1
}

// isNoun reports whether the words of a consequence are nouns as well, so that a log or a
// date behind them says what it is about.
func (c consequence) isNoun() bool {
	return c.rule == "pay" || c.rule == "stop a system" || c.key == "ban" || c.key == "rollback" || c.key == "purge" || c.key == "uninstall"
}

const credentialsRule = "change credentials"
