// lint: formats test files and judges their style, with the pinned prettier and
// eslint and rules of its own. Files come as texts and go as texts: nothing of a
// project is read, written or run, and no comment in a file switches a rule off.

package draft
