package model

import (
	"strconv"

	"agora/internal/forum"
	"agora/internal/globalid"
)

// Invitation is an invitation of the viewer's, or one that an administrator is shown.
type Invitation struct {
	forum.Invitation
	// IsOpen reports whether one can register with it.
	IsOpen bool
	// Own reports whether the viewer made it.
	Own bool
	// ShowsCode reports whether what the request was sent with may know the code.
	ShowsCode bool
}

// IsNode marks a type with a global id, by which it can be fetched.
func (*Invitation) IsNode() {}

// ID is the invitation's global id; the code cannot be derived from it.
func (i *Invitation) ID() string {
	return globalid.New(globalid.Invitation, strconv.FormatInt(int64(i.Creator), 10)+":"+i.Name)
}

// Code is the secret to pass on, or nil.
func (i *Invitation) Code() *string {
	if !i.IsOpen || !i.Own || !i.ShowsCode {
		return nil
	}
	return &i.Invitation.Code
}

// Note is the creator's remark, or nil.
func (i *Invitation) Note() *string {
	if i.Invitation.Note == "" || !i.Own {
		return nil
	}
	return &i.Invitation.Note
}
