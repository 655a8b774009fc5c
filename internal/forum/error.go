package forum

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Code is the machine-readable reason of an error that a client may see.
type Code string

// Codes of errors in a mutation's payload (`ErrorCode` in the schema).
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
	CodeBanned              Code = "BANNED"
	CodeDeactivated         Code = "DEACTIVATED"
	CodeNewMember           Code = "NEW_MEMBER"
	CodeBlockedText         Code = "BLOCKED_TEXT"
	CodeSignInAgain         Code = "SIGN_IN_AGAIN"
	CodeRegistrationClosed  Code = "REGISTRATION_CLOSED"
	CodeAwaitingApproval    Code = "AWAITING_APPROVAL"
	CodeRejected            Code = "APPLICATION_REJECTED"
	CodeStale               Code = "STALE" // CONFLICT in payloads
)

// Codes of top-level errors of a response (`extensions.code`).
const (
	CodeBadUserInput    Code = "BAD_USER_INPUT"
	CodeUnauthenticated Code = "UNAUTHENTICATED"
	CodeRoleTooLow      Code = "FORBIDDEN_ROLE"
	CodeCursorInvalid   Code = "CURSOR_INVALID"
	CodeCursorExpired   Code = "CURSOR_EXPIRED"
	CodeConflict        Code = "CONFLICT"
	CodeUnavailable     Code = "UNAVAILABLE"
	CodeScopeMissing    Code = "SCOPE_MISSING"
	CodeSessionRequired Code = "SESSION_REQUIRED"
	CodeCannotActAs     Code = "CANNOT_ACT_AS"
)

// Error is an error that a client may see. Every other error is internal: it is logged and shown as
// "internal error".
type Error struct {
	// Code is the reason.
	Code Code
	// Path is the path to the invalid field; empty is all that was sent, nil something else.
	Path []string
	// Message is one English sentence for users.
	Message string
	// Limit is the limit that was exceeded, for TOO_SHORT and TOO_LONG.
	Limit int
	// Value is the folded name that is already in use, for TAKEN; the word or domain, for BLOCKED_TEXT.
	Value string
	// Requires is the role that would be allowed, for FORBIDDEN; may be empty.
	Requires Role
	// ClosedAt is when voting closed, for VOTING_CLOSED.
	ClosedAt Time
	// Present is the number of the present revision, for STALE.
	Present int
	// NewMember is the rule that refused a post, for NEW_MEMBER; BlockKind what Value is, for BLOCKED_TEXT.
	NewMember *NewMember
	BlockKind BlockKind
	// RetryAfter is how long to wait until the call would be allowed, for RATE_LIMITED.
	RetryAfter time.Duration
	// Scope is the scope that the API token lacks, for SCOPE_MISSING. Field is the field of the schema that needs it, or
	// that needs a session, such as "Viewer.email"; may be empty.
	Scope Scope
	Field string
	// Ban is the ban in force, for BANNED.
	Ban *Ban
	// Grounds are why moderators rejected the account, for APPLICATION_REJECTED.
	Grounds Grounds
}

// Error implements error.
func (e *Error) Error() string {
	if len(e.Path) == 0 {
		return fmt.Sprintf("%s: %s", e.Code, e.Message)
	}
	return fmt.Sprintf("%s at %v: %s", e.Code, e.Path, e.Message)
}

// At returns a copy of the error with the path of the invalid field.
func (e *Error) At(path ...string) *Error {
	c := *e
	c.Path = path
	return &c
}

// CodeOf returns the code of err, or "" if a client may not see it.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// Path returns the path of a field of what was sent: none is all of it.
func Path(name ...string) []string { return append([]string{}, name...) }

// Invalid returns an INVALID error: a value of the input is not acceptable.
func Invalid(path []string, format string, args ...any) *Error {
	return &Error{Code: CodeInvalid, Path: path, Message: fmt.Sprintf(format, args...)}
}

// TooShort returns a TOO_SHORT error: a value has fewer than limit elements or characters.
func TooShort(path []string, limit int, what string) *Error {
	return &Error{
		Code:    CodeTooShort,
		Path:    path,
		Limit:   limit,
		Message: fmt.Sprintf("%s must have at least %s.", fieldName(path), counted(limit, what)),
	}
}

// TooLong returns a TOO_LONG error: a value has more than limit elements or characters.
func TooLong(path []string, limit int, what string) *Error {
	return &Error{
		Code:    CodeTooLong,
		Path:    path,
		Limit:   limit,
		Message: fmt.Sprintf("%s must have at most %s.", fieldName(path), counted(limit, what)),
	}
}

// NotFound returns a NOT_FOUND error: the input names an object that does not exist or that the
// viewer may not see.
func NotFound(path []string, what string) *Error {
	return &Error{Code: CodeNotFound, Path: path, Message: fmt.Sprintf("There is no such %s.", what)}
}

// SubjectNoun is what NotFound says of a missing subjectId, whatever it would have named.
const SubjectNoun = "topic, comment or user"

// Forbidden returns a FORBIDDEN error: the viewer may not change the object. requires is the role
// that would be allowed, or "".
func Forbidden(path []string, requires Role, format string, args ...any) *Error {
	return &Error{Code: CodeForbidden, Path: path, Requires: requires, Message: fmt.Sprintf(format, args...)}
}

// Self returns a SELF error: users cannot do this to themselves.
func Self(path []string, message string) *Error {
	return &Error{Code: CodeSelf, Path: path, Message: message}
}

// Blocked returns a BLOCKED error: one of the viewer and the other user has blocked the other.
func Blocked(path []string) *Error {
	return &Error{Code: CodeBlocked, Path: path, Message: "You blocked this user, or they blocked you."}
}

// Taken returns a TAKEN error: a unique name is in use. value is its folded form.
func Taken(path []string, value string) *Error {
	return &Error{Code: CodeTaken, Path: path, Value: value, Message: fmt.Sprintf("This %s is taken.", fieldName(path))}
}

// WrongCredentials returns a WRONG_CREDENTIALS error. It does not reveal whether the user exists.
func WrongCredentials(path []string) *Error {
	return &Error{Code: CodeWrongCredentials, Path: path, Message: "Unknown user or wrong password."}
}

// Deactivated returns a DEACTIVATED error: the account was deactivated or deleted, and cannot sign in.
func Deactivated(path []string) *Error {
	return &Error{Code: CodeDeactivated, Path: path, Message: "This account was deactivated or deleted."}
}

// SignInAgain returns a SIGN_IN_AGAIN error: what the viewer asks for needs a recent sign-in.
func SignInAgain(path []string) *Error {
	return &Error{Code: CodeSignInAgain, Path: path,
		Message: fmt.Sprintf("Sign in again first: this needs a sign-in in the last %d minutes.", int(ProofLife.Minutes()))}
}

// Stale returns a STALE error: the text was edited since the viewer saw it.
func Stale(path []string, present int) *Error {
	return &Error{Code: CodeStale, Path: path, Present: present,
		Message: fmt.Sprintf("The text was edited in the meantime; revision %d is the present one.", present)}
}

// RateLimited returns a RATE_LIMITED error.
func RateLimited(retryAfter time.Duration) *Error {
	return &Error{
		Code:       CodeRateLimited,
		RetryAfter: retryAfter,
		Message:    "Too many calls of this kind. Try again in " + Seconds(retryAfter) + ".",
	}
}

// BadInput returns an error for a request that cannot be understood: an id or date that does not
// parse, a page size out of range. It becomes a top-level error.
func BadInput(path []string, format string, args ...any) *Error {
	return &Error{Code: CodeBadUserInput, Path: path, Message: fmt.Sprintf(format, args...)}
}

// fieldName returns the name of the field at path, for messages: "login", or "entry 2 of tags" for
// an element of a list.
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

// counted returns a count with its unit, such as "1 character".
func counted(n int, things string) string {
	if n == 1 {
		things = strings.TrimSuffix(things, "s")
	}
	return fmt.Sprintf("%d %s", n, things)
}

// Seconds formats a wait in whole seconds, rounded up, at least 1: "12 seconds".
func Seconds(wait time.Duration) string {
	return counted(max(1, int((wait+time.Second-1)/time.Second)), "seconds")
}
