package main

import "github.com/spf13/cobra"

// sameEverywhere gives a command the flags that mean the same everywhere (D7):
// --provider, --model, --headless and --debug, and --url for --base-url. One that
// the command has already stays.
func sameEverywhere(c *cobra.Command) {
	add := func(name string, register func()) {
		if c.Flags().Lookup(name) == nil {
			register()
		}
	}
	add("provider", func() { c.Flags().String("provider", "", "who runs tasks and specs: sets agent.provider") })
	add("model", func() { c.Flags().String("model", "", "the provider's name of the model: sets agent.model") })
	add("headless", func() {
		c.Flags().Bool("headless", true, "start the browser without a window: sets browser.headless")
	})
	add("debug", func() { c.Flags().Bool("debug", false, "log every step to stderr, as --verbose does") })
	if f := c.Flags().Lookup("base-url"); f != nil {
		c.Flags().Var(f.Value, "url", "the same as --base-url")
	}
}
