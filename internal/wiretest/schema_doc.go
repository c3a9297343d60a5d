// schema: is test code: it holds requests to providers of models against
// their official descriptions, and against rules.json for what only documentation
// says. Decoded JSON comes in, problems go out: it knows no conversation.

package wiretest
