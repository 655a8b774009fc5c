package model

import "agora/internal/forum"

// RevisionConnection is a page of the revisions of a topic or comment.
type RevisionConnection struct {
	connection
	Of forum.Subject
}

// NewRevisionConnection returns the connection of a page of revisions.
func NewRevisionConnection(list string, p *forum.Page) *RevisionConnection {
	return &RevisionConnection{connection: connection{list, p}}
}
