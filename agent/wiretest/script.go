package wiretest

// Fixed is a script that plays turns in their order, for each conversation from
// the first. Behind the last it says nothing.
func Fixed(says ...Say) Script {
	return func(s Seen) Say {
		if s.Request > len(says) {
			return Say{Text: "The script has ended."}
		}
		return says[s.Request-1]
	}
}

// ForEver is a script that says the same each time: a model that loops.
func ForEver(say Say) Script { return func(Seen) Say { return say } }
