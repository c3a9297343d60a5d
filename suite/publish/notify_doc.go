// notify: tells a webhook or a pull request how a suite ended. It has no part in a
// verdict: what goes wrong here is a warning. The webhook's address is a
// secret, and stands in no error.

package publish
