// Package signin signs sessions in as the roles of an environment: it recognises
// a page that asks to sign in, renews a sign-in that has ended by the role's login
// flow, and has a person sign in. Where sign-ins are stored is the room auth's.
//
// A sign-in is renewed once in a run: a password that is typed again and again may
// lock the account.
package signin
