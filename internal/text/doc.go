// Package text checks, folds and renders user-written texts. It refuses malformed text (ill-formed
// UTF-8, control characters), folds names so that lookalikes compare equal, and converts Markdown
// and HTML to safe HTML. It does no I/O, and all its functions are safe for concurrent use.
package text
