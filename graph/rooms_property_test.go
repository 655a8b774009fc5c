package graph_test

import (
	"fmt"
)

// Rooms in TestAllPathsAgree: categories become visible to members only, and to everybody again, and topics move.

// setAudience changes who sees a category.
func (c *caseSite) setAudience(name string, members bool) {
	sees := map[bool]string{true: "MEMBERS", false: "PUBLIC"}[members]
	c.wantVerdict("updateAccess", c.mutate(c.boss, "updateAccess", input{"category": input{"name": name}, "sees": sees}, ""), "")
	c.rooms[name] = members
}

func (c *caseSite) changeAudience() string {
	name := []string{"Tea", "Ink"}[c.r.IntN(2)]
	c.setAudience(name, !c.rooms[name])
	return fmt.Sprint(name, " is a room: ", c.rooms[name])
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
func (c *caseSite) seesCategory(who, name string) bool { return who != "signed out" || !c.rooms[name] }

// public reports whether the lists and counts of the site have a topic.
func (c *caseSite) public(t *post) bool { return t.live() && !c.rooms[t.room] }
