// Package archive exports a whole site as JSON lines, and imports it again. The lines are keys with their
// contents, so that an import has the same ids, numbers and times; package kind says which keys belong to a
// site. docs/export.md describes the format.
package archive

import (
	"errors"
	"fmt"
)

// Version is the version of the format.
const Version = 1

// ErrChanged is the error of an export during which the data were changed.
var ErrChanged = errors.New("the site was changed during the export, so that the export might contradict itself. " +
	"Stop the server, or export a copy or a detached replica")

// DamagedError is the error for a file that is not a complete export.
type DamagedError struct {
	// Line is where it was noticed, from 1; 0 is the whole file.
	Line   int64
	Reason string
}

// Error implements error.
func (e *DamagedError) Error() string {
	if e.Line == 0 {
		return e.Reason
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Reason)
}

// VersionError is the error for an export that this program cannot read because of its version.
type VersionError struct {
	// What has the version, such as "format".
	What string
	// Has is its version in the file, Supported this program's.
	Has, Supported string
}

// Error implements error.
func (e *VersionError) Error() string {
	return fmt.Sprintf("the export has %s version %s, but this program supports version %s", e.What, e.Has, e.Supported)
}

// TargetError is the error for a database into which the site cannot be imported. Nothing was written.
type TargetError struct{ Reason string }

// Error implements error.
func (e *TargetError) Error() string { return e.Reason }
