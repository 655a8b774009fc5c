package graph_test

import (
	"context"
	"fmt"

	"agora/internal/forum"
	siterules "agora/internal/store/rules"
	"agora/internal/test/must"
)

// Rooms in TestAllPathsAgree: who sees categories changes, and topics move.

// setAudience changes who sees a category. Of GROUPS there are none: administrators and its moderators see it.
func (c *caseSite) setAudience(name string, sees forum.Audience) {
	id := map[string]string{"Tea": c.tea, "Ink": c.ink}[name]
	boss := &forum.Viewer{ID: userOf(c.boss), Role: forum.RoleAdmin}
	must.OK(c.t, c.store.Rules.UpdateAccess(context.Background(), boss,
		siterules.AccessChange{Category: forum.CategoryID(c.number(id)), Sees: &sees}))
	c.rooms[name] = sees
}

func (c *caseSite) changeAudience() string {
	name, sees := []string{"Tea", "Ink"}[c.r.IntN(2)], forum.Audiences[c.r.IntN(len(forum.Audiences))]
	c.setAudience(name, sees)
	return fmt.Sprint(name, " is for ", sees)
}

// move moves a topic to the other category.
func (c *caseSite) move() string {
	p := c.topics[c.r.IntN(len(c.topics))]
	to := map[string]string{"Tea": "Ink", "Ink": "Tea"}[p.room]
	in := moderationOf(p.id, "MOVE")
	in["category"] = input{"name": to}
	if c.mutate(c.mod, "moderate", in, "changed").verdict() == "" {
		p.room = to
	}
	return "MOVE " + p.id
}

// seesCategory reports whether a viewer sees a category.
func (c *caseSite) seesCategory(who, name string) bool {
	switch c.rooms[name] {
	case forum.Members:
		return who != "signed out"
	case forum.InGroups:
		return who == "moderator of "+name
	}
	return true
}

// public reports whether the lists and counts of the site have a topic.
func (c *caseSite) public(t *post) bool {
	return t.live() && (c.rooms[t.room] == "" || c.rooms[t.room] == forum.Public)
}
