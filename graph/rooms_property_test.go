package graph_test

import (
	"fmt"
	"time"

	"agora/internal/forum"
)

// Rooms in TestAllPathsAgree: who sees categories changes, topics move, and a stranger joins and leaves the staff.

// audience is who sees a category.
type audience struct {
	sees  forum.Audience
	staff bool // with GROUPS, the members of Staff; otherwise no group
}

// setAudience changes who sees a category.
func (c *caseSite) setAudience(name string, to audience) {
	in := input{"category": input{"name": name}, "sees": string(to.sees), "groups": []input{}}
	if to.staff {
		in["groups"] = []input{{"name": "staff"}}
	}
	c.wantVerdict("updateAccess", c.mutate(c.boss, "updateAccess", in, ""), "")
	c.rooms[name] = to
}

func (c *caseSite) changeAudience() string {
	name := []string{"Tea", "Ink"}[c.r.IntN(2)]
	to := audience{forum.Audiences[c.r.IntN(len(forum.Audiences))], c.r.IntN(2) == 0}
	c.setAudience(name, to)
	return fmt.Sprint(name, " is for ", to)
}

// enrol puts the stranger into the staff, for good or for a while, or ends that.
func (c *caseSite) enrol() string {
	in, now := input{"group": input{"name": "Staff"}}, c.store.Engine.Now()
	c.until = []forum.Time{0, now + 90_000, now + 1_000_000_000}[c.r.IntN(3)]
	who := input{"login": "cas"}
	switch c.until {
	case 0:
		in["remove"] = []input{who}
	case now + 90_000:
		in["add"] = []input{{"user": who, "until": time.UnixMilli(int64(c.until)).UTC()}}
	default:
		in["add"] = []input{{"user": who}}
	}
	c.wantVerdict("setGroupMembers", c.mutate(c.boss, "setGroupMembers", in, ""), "")
	return fmt.Sprint("cas is of the staff until ", c.until)
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
	switch of := c.rooms[name]; of.sees {
	case forum.Members:
		return who != "signed out"
	case forum.InGroups:
		return who == "administrator" || who == "moderator of "+name ||
			who == "stranger" && of.staff && c.until > c.store.Engine.Now()
	}
	return true
}

// public reports whether the lists and counts of the site have a topic.
func (c *caseSite) public(t *post) bool {
	sees := c.rooms[t.room].sees
	return t.live() && (sees == "" || sees == forum.Public)
}
