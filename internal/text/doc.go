// Package text shortens and counts for messages that people read: each in one
// way, wherever a message comes from.
package text
