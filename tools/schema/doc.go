// Package schema turns Go types into the JSON Schemas that clients see, and holds
// arguments against them.
//
// It writes them in the subset that all providers of models take, and as short as
// tools/list has room for. What an argument means is the tool's business.
package schema
