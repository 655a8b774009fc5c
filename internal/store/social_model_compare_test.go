package store_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"pgregory.net/rapid"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/storetest"
)

// list creates a list of users, renames or deletes one.
func (c *socialModel) list(rt *rapid.T) {
	by, name := c.someone(rt, "by"), rapid.SampledFrom([]string{"x", "y", "z"}).Draw(rt, "name")
	taken := forum.Code("")
	for _, l := range c.lists {
		if l.owner == by.ID && l.name == name {
			taken = forum.CodeTaken
		}
	}
	id, of := c.listOf(rt)
	switch rapid.IntRange(0, 3).Draw(rt, "what") {
	case 0, 1:
		created, err := c.Follows.CreateList(c.Ctx, by.ID, name, name)
		if expect(rt, "CreateList", err, taken); err == nil {
			c.lists[created] = &modelList{owner: by.ID, name: name}
		}
	case 2:
		if of == nil || of.owner != by.ID {
			return
		}
		if of.name == name {
			taken = ""
		}
		if expect(rt, "RenameList", c.Follows.RenameList(c.Ctx, by.ID, id, name, name), taken); taken == "" {
			of.name = name
		}
	case 3:
		if of == nil {
			return
		}
		if of.owner != by.ID {
			expect(rt, "DeleteList of another user's", c.Follows.DeleteList(c.Ctx, by.ID, id), forum.CodeNotFound)
			return
		}
		expect(rt, "DeleteList", c.Follows.DeleteList(c.Ctx, by.ID, id), "")
		delete(c.lists, id)
	}
}

// listOf draws a list, if there is one.
func (c *socialModel) listOf(rt *rapid.T) (forum.ListID, *modelList) {
	if len(c.lists) == 0 {
		return 0, nil
	}
	id := rapid.SampledFrom(slices.Sorted(maps.Keys(c.lists))).Draw(rt, "list")
	return id, c.lists[id]
}

func (c *socialModel) changeMembers(rt *rapid.T) {
	id, l := c.listOf(rt)
	if l == nil {
		return
	}
	joining, leaving, code := c.anyone(rt, "come"), c.anyone(rt, "leaver"), forum.Code("")
	switch {
	case joining.deleted:
		code = forum.CodeNotFound
	case c.inBlock(l.owner, joining.ID):
		code = forum.CodeBlocked
	}
	if joining == leaving {
		return
	}
	err := c.Follows.UpdateListMembers(c.Ctx, l.owner, id, []forum.UserID{joining.ID}, []forum.UserID{leaving.ID})
	if expect(rt, "UpdateListMembers", err, code); err != nil {
		return
	}
	if l.members = without(l.members, leaving.ID); !slices.Contains(l.members, joining.ID) {
		l.members = append(l.members, joining.ID)
	}
}

// compare compares the stored data with the model and with each other.
func (c *socialModel) compare(rt *rapid.T) {
	c.steps++
	c.Engine.Cleaner.Flush()
	c.SettleHomes()
	all := c.Contents()
	zset := func(key string) map[string]float64 { z, _ := all[key].(map[string]float64); return z }
	for _, p := range c.users {
		var following []forum.UserID
		subjects := map[string]bool{}
		for _, t := range p.follows {
			if t.User != 0 {
				following = append(following, t.User)
			} else {
				_, member := record.FollowEdge(p.ID, t).Own()
				subjects[member] = true
			}
		}
		c.same(rt, p.ID, "follows", zset(key.Following(p.ID)), following)
		c.same(rt, p.ID, "has blocked", zset(key.Blocked(p.ID)), p.blocks)
		stored := slices.Sorted(maps.Keys(zset(key.Subjects(p.ID))))
		if !slices.Equal(stored, slices.Sorted(maps.Keys(subjects))) {
			rt.Fatalf("user %d follows %v; want %v", p.ID, stored, subjects)
		}
		switch watermark := c.Hash(key.User(p.ID))["homeFloor"]; watermark {
		case "":
		case record.HomeNotKept:
			c.unkept++
		default:
			c.trimmed++
		}
	}
	c.compareLists(rt, zset)
	for _, f := range c.Findings() {
		rt.Errorf("Check found %s", f)
	}
}

// same compares users by time with those of the model.
func (c *socialModel) same(rt *rapid.T, of forum.UserID, what string, side map[string]float64, want []forum.UserID) {
	got := []forum.UserID{}
	for _, user := range slices.SortedFunc(maps.Keys(side),
		func(a, b string) int { return cmp.Compare(side[a], side[b]) }) {
		got = append(got, forum.UserID(record.Atoi(user)))
	}
	if !slices.Equal(got, want) {
		rt.Fatalf("user %d %s %v; want %v", of, what, got, want)
	}
}

func (c *socialModel) compareLists(rt *rapid.T, zset func(string) map[string]float64) {
	for id, l := range c.lists {
		h := c.Hash(key.List(id))
		if h["owner"] != key.Itoa(l.owner) || h["name"] != l.name {
			rt.Fatalf("list %d = %v; want %+v", id, h, l)
		}
		c.same(rt, l.owner, fmt.Sprint("has on list ", id), zset(key.ListMembers(id)), l.members)
	}
	found := 0
	for _, p := range c.users {
		found += len(zset(key.Lists(p.ID)))
	}
	if found != len(c.lists) {
		rt.Fatalf("%d lists; want %d", found, len(c.lists))
	}
}

// readLists compares the users whose posts are shown on lists.
func (c *socialModel) readLists(rt *rapid.T) {
	for id, l := range c.lists {
		want := slices.DeleteFunc(slices.Clone(l.members), func(u forum.UserID) bool { return c.inBlock(l.owner, u) })
		r := c.Read(c.Ctx)
		get := r.Listing.ListedUsers(l.owner, id)
		storetest.WantOK(c.T, "Exec", r.Exec())
		if got, err := get(); err != nil || !slices.Equal(got, want) {
			rt.Fatalf("ListedUsers(%d) = %v, %v; want %v", id, got, err, want)
		}
	}
}

// union returns the topics of a user's home however far one pages, latest first.
func (c *socialModel) union(p *person) []forum.TopicID {
	var all []string
	for _, t := range c.topics {
		held := t.author == p.ID || slices.Contains(p.follows, forum.Target{User: t.author})
		if !c.inBlock(p.ID, t.author) {
			held = held || t.category != 0 && slices.Contains(p.follows, forum.Target{Category: t.category})
			for _, tag := range t.tags {
				held = held || slices.Contains(p.follows, forum.Target{Tag: tag})
			}
		}
		if held && !t.deleted {
			all = append(all, record.Member(t.created, int64(t.id)))
		}
	}
	slices.Sort(all)
	slices.Reverse(all)
	topics := []forum.TopicID{}
	for _, m := range all {
		id, _, _ := record.ParseMember(m)
		topics = append(topics, forum.TopicID(id))
	}
	return topics
}

// read pages through a user's home.
func (c *socialModel) read(rt *rapid.T) {
	c.walk(rt, c.someone(rt, "reader"))
	c.readLists(rt)
}

// walk pages through a home forwards and backwards by cursors and with skip.
func (c *socialModel) walk(rt *rapid.T, p *person) {
	all, count := c.union(p), rapid.IntRange(1, 4).Draw(rt, "count")
	var at *forum.Position
	for from := 0; from <= len(all); from += count {
		w := forum.Window{Count: count, After: at}
		if at = c.wantPage(rt, p, w, all, from, min(from+count, len(all))); at == nil {
			break
		}
	}
	at = nil
	for to := len(all); to > 0; to -= count {
		w := forum.Window{Count: count, Before: at, Backward: true}
		c.wantPage(rt, p, w, all, max(to-count, 0), to)
		first := c.HomePageOf(p.ID, w).Rows[0].Position
		at = &first
	}
	for skip := 0; skip <= len(all)+1; skip++ {
		from := min(skip, len(all))
		c.wantPage(rt, p, forum.Window{Count: count, Skip: skip}, all, from, min(from+count, len(all)))
	}
	if len(all) > 2 {
		last := c.HomePageOf(p.ID, forum.Window{Count: len(all)}).Rows
		after, before := &last[0].Position, &last[len(all)-1].Position
		c.wantPage(rt, p, forum.Window{Count: len(all), After: after, Before: before}, all, 1, len(all)-1)
		c.wantPage(rt, p, forum.Window{Count: len(all), After: after, Before: before, Backward: true}, all, 1,
			len(all)-1)
	}
}

// wantPage reads a page, which must be all[from:to] and report whether there are topics on both sides. It
// returns where the page ends.
func (c *socialModel) wantPage(rt *rapid.T, p *person, w forum.Window, all []forum.TopicID,
	from, to int) *forum.Position {
	page := c.HomePageOf(p.ID, w)
	got := []forum.TopicID{}
	for _, row := range page.Rows {
		got = append(got, forum.TopicID(row.ID))
	}
	if !slices.Equal(got, all[from:to]) {
		rt.Fatalf("page %+v of the home of user %d = %v; want %v of %v", w, p.ID, got, all[from:to], all)
	}
	if more := page.Start+len(got) < page.Total; more != (to < len(all)) && len(got) > 0 {
		rt.Fatalf("page %+v of the home of user %d reports more: %t; want %t: %d+%d of %d", w, p.ID, more,
			to < len(all), page.Start, len(got), page.Total)
	}
	if before := page.Start > 0; before != (from > 0) && len(got) > 0 {
		rt.Fatalf("page %+v of the home of user %d reports some before: %t; want %t", w, p.ID, before, from > 0)
	}
	if len(got) == 0 {
		return nil
	}
	return &page.Rows[len(got)-1].Position
}
