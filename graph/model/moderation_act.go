package model

import "agora/internal/forum"

// ModerationActConnection is a page of the moderation log.
type ModerationActConnection struct{ connection }

// NewModerationActConnection returns the connection of a page.
func NewModerationActConnection(list string, p *forum.Page) *ModerationActConnection {
	return &ModerationActConnection{connection{list, p}}
}

// Edge returns the edge of one of the page's rows.
func (c *ModerationActConnection) Edge(row int, node *forum.Act) *ModerationActEdge {
	return &ModerationActEdge{Cursor: c.Cursor(row), Node: node}
}

// TotalCount is the length of the list, or nil if the page was chosen from others.
func (c *ModerationActConnection) TotalCount() *int {
	if c.page.Examined != nil {
		return nil
	}
	total := c.connection.TotalCount()
	return &total
}
