package model

import "agora/internal/forum"

// ApplicationConnection is a page of applications.
type ApplicationConnection struct{ connection }

// NewApplicationConnection returns the connection of a page.
func NewApplicationConnection(list string, p *forum.Page) *ApplicationConnection {
	return &ApplicationConnection{connection{list, p}}
}

// Edge returns the edge of one of the page's rows.
func (c *ApplicationConnection) Edge(row int, node *forum.Application) *ApplicationEdge {
	return &ApplicationEdge{Cursor: c.Cursor(row), Node: node}
}
