// Package text checks, folds and renders what users write. It refuses what is
// not a text (ill-formed UTF-8, control characters), folds names so that those
// which look alike compare equal, and turns Markdown and HTML into safe HTML.
// It does no I/O, and all its functions may be called concurrently.
package text
