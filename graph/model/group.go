package model

import "agora/internal/forum"

// GroupConnection is a page of groups.
type GroupConnection struct{ connection }

// NewGroupConnection returns the connection of a page of the list.
func NewGroupConnection(list string, p *forum.Page) *GroupConnection {
	return &GroupConnection{connection{list, p}}
}

// GroupMemberConnection is a page of the members of a group.
type GroupMemberConnection struct {
	connection
	Group forum.GroupID
}

// NewGroupMemberConnection returns the connection of a page of the members of a group.
func NewGroupMemberConnection(list string, group forum.GroupID, p *forum.Page) *GroupMemberConnection {
	return &GroupMemberConnection{connection{list, p}, group}
}
