// normalform: says whether two versions of a test file test the same. The normal
// form of a file is its syntax tree without layout and comments, in which the locators
// of actions are masked, waits for an element are left out, and time-outs stand beside
// it. Everything else is in it: titles, expectations with matcher, value and locator,
// order, addresses, data.

package script
