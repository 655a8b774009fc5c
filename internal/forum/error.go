package forum

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Code is the machine-readable reason of an error that a client may learn.
type Code string

// Reasons that stand in a mutation's payload (`ErrorCode` in the schema).
const (
	CodeInvalid             Code = "INVALID"
	CodeTooShort            Code = "TOO_SHORT"
	CodeTooLong             Code = "TOO_LONG"
	CodeNotEmpty            Code = "NOT_EMPTY"
	CodeWrongCredentials    Code = "WRONG_CREDENTIALS"
	CodeIdempotencyConflict Code = "IDEMPOTENCY_CONFLICT"
	CodeTaken               Code = "TAKEN"
	CodeNotFound            Code = "NOT_FOUND"
	CodeForbidden           Code = "FORBIDDEN"
	CodeLocked              Code = "LOCKED"
	CodeSelf                Code = "SELF"
	CodeBlocked             Code = "BLOCKED"
	CodeVotingClosed        Code = "VOTING_CLOSED"
	CodeRateLimited         Code = "RATE_LIMITED"
)

// Reasons that stand in the answer's top-level errors (`extensions.code`).
const (
	CodeBadUserInput    Code = "BAD_USER_INPUT"
	CodeUnauthenticated Code = "UNAUTHENTICATED"
	CodeRoleTooLow      Code = "FORBIDDEN_ROLE"
	CodeCursorInvalid   Code = "CURSOR_INVALID"
	CodeCursorExpired   Code = "CURSOR_EXPIRED"
	CodeConflict        Code = "CONFLICT"
	CodeUnavailable     Code = "UNAVAILABLE"
)

// Error is what a client may learn of a failure. Whatever else fails is
// internal: it is logged and shown as "internal error".
type Error struct {
	// Code is the reason.
	Code Code
	// Path leads from "input", or from the argument, to the field at fault; may be empty.
	Path []string
	// Message is one English sentence for people.
	Message string
	// Limit is the bound that was broken, for TOO_SHORT and TOO_LONG.
	Limit int
	// Value is the folded form that is in use, for TAKEN.
	Value string
	// MissingID is the global id that leads nowhere, for NOT_FOUND; may be empty.
	MissingID string
	// Requires is the role that would be let in, for FORBIDDEN; may be empty.
	Requires Role
	// ClosedAt is when votes froze, for VOTING_CLOSED.
	ClosedAt Time
	// RetryAfter is when the same call would be let through, for RATE_LIMITED.
	RetryAfter time.Duration
}

// Error implements error.
func (e *Error) Error() string {
	if len(e.Path) == 0 {
		return fmt.Sprintf("%s: %s", e.Code, e.Message)
	}
	return fmt.Sprintf("%s at %v: %s", e.Code, e.Path, e.Message)
}

// At returns a copy of the error that names the field at fault.
func (e *Error) At(path ...string) *Error {
	c := *e
	c.Path = path
	return &c
}

// CodeOf returns the reason of err, or "" if a client may not learn it.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// Input returns the path of a field of a mutation's input.
func Input(field ...string) []string { return append([]string{"input"}, field...) }

// Invalid says that a value of the input is not acceptable as it stands.
func Invalid(path []string, format string, args ...any) *Error {
	return &Error{Code: CodeInvalid, Path: path, Message: fmt.Sprintf(format, args...)}
}

// TooShort says that a value has fewer than limit elements or characters.
func TooShort(path []string, limit int, what string) *Error {
	return &Error{
		Code:    CodeTooShort,
		Path:    path,
		Limit:   limit,
		Message: fmt.Sprintf("%s must have at least %s.", fieldName(path), counted(limit, what)),
	}
}

// TooLong says that a value has more than limit elements or characters.
func TooLong(path []string, limit int, what string) *Error {
	return &Error{
		Code:    CodeTooLong,
		Path:    path,
		Limit:   limit,
		Message: fmt.Sprintf("%s must have at most %s.", fieldName(path), counted(limit, what)),
	}
}

// NotFound says that the input names something absent, or not the viewer's to
// see. missing is the global id that was given, if there was one.
func NotFound(path []string, what, missing string) *Error {
	return &Error{Code: CodeNotFound, Path: path, MissingID: missing, Message: fmt.Sprintf("There is no such %s.", what)}
}

// Forbidden says that the object is not the viewer's to change; requires is the
// role that would be let in, or "".
func Forbidden(path []string, requires Role, format string, args ...any) *Error {
	return &Error{Code: CodeForbidden, Path: path, Requires: requires, Message: fmt.Sprintf(format, args...)}
}

// Self says that one cannot do this to oneself.
func Self(path []string, message string) *Error {
	return &Error{Code: CodeSelf, Path: path, Message: message}
}

// Blocked says that a block stands between the viewer and the other user.
func Blocked(path []string) *Error {
	return &Error{Code: CodeBlocked, Path: path, Message: "You blocked this user, or they blocked you."}
}

// Taken says that a unique name is in use, in the folded form value.
func Taken(path []string, value string) *Error {
	return &Error{Code: CodeTaken, Path: path, Value: value, Message: fmt.Sprintf("This %s is taken.", fieldName(path))}
}

// WrongCredentials says that a password does not fit; it does not report whether
// there is such a user.
func WrongCredentials(path []string) *Error {
	return &Error{Code: CodeWrongCredentials, Path: path, Message: "Unknown user or wrong password."}
}

// RateLimited says that something was done too often.
func RateLimited(retryAfter time.Duration) *Error {
	return &Error{
		Code:       CodeRateLimited,
		RetryAfter: retryAfter,
		Message:    "Too many calls of this kind. Try again in " + Seconds(retryAfter) + ".",
	}
}

// BadInput says that a request cannot be understood: an id or date that does
// not parse, a page size out of range. It becomes a top-level error.
func BadInput(path []string, format string, args ...any) *Error {
	return &Error{Code: CodeBadUserInput, Path: path, Message: fmt.Sprintf(format, args...)}
}

// fieldName returns how messages call the field that a path leads to: "login", or
// "entry 2 of tags" for an element of a list.
func fieldName(path []string) string {
	if len(path) == 0 {
		return "value"
	}
	name := path[len(path)-1]
	if i, err := strconv.Atoi(name); err == nil && len(path) > 1 {
		return fmt.Sprintf("entry %d of %s", i+1, path[len(path)-2])
	}
	return name
}

// counted returns a number of things, such as "1 character".
func counted(n int, things string) string {
	if n == 1 {
		things = strings.TrimSuffix(things, "s")
	}
	return fmt.Sprintf("%d %s", n, things)
}

// Seconds returns a time to wait in whole seconds, rounded up, at least 1: "12 seconds".
func Seconds(wait time.Duration) string {
	return counted(max(1, int((wait+time.Second-1)/time.Second)), "seconds")
}
