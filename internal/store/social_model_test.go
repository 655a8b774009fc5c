package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/posts"
	"agora/internal/store/sessions"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// socialModel is the expected state of users, their edges and their topics, in plain values.
type socialModel struct {
	*storetest.Site
	users      []*person // including deleted ones
	categories []forum.CategoryID
	topics     map[forum.TopicID]*modelTopic
	lists      map[forum.ListID]*modelList
	created    int // names used
	steps      int
	// trimmed and unkept count such homes: a run without any shows nothing.
	trimmed, unkept int
}

// person is a user; followed and blocked users are in order of time.
type person struct {
	*forum.Viewer
	login    string
	deleted  bool
	follows  []forum.Target
	blocks   []forum.UserID
	digest   string
	sessions int
}

type modelTopic struct {
	id       forum.TopicID
	author   forum.UserID
	category forum.CategoryID
	tags     []forum.TagID
	created  forum.Time
	deleted  bool
}

type modelList struct {
	owner   forum.UserID
	name    string
	members []forum.UserID
}

var circleTags = site.Tags("go", "Redis")

// Behaviours C3-C18: whatever users do, both sides of all edges, counts, lists, homes and pages of homes
// agree with plain values; with homes that are trimmed all the time, and with homes that never are.
func TestFollowingAgreesWithModel(t *testing.T) {
	testlevel.LongSequential(t)
	for name, of := range map[string]forum.Limits{"small": storetest.SmallHomes(5, 4, 3), "usual": forum.DefaultLimits} {
		t.Run(name, func(t *testing.T) {
			c := &socialModel{Site: storetest.New(t, store.WithLimits(of))}
			few := 25 // but long ones, so that homes fill
			if of.Home < 10 {
				few = 12
			}
			storetest.Share(t, "rapid.checks", 1, few)
			storetest.Share(t, "rapid.steps", 2, 1)
			rapid.Check(t, func(rt *rapid.T) {
				c.reset()
				rt.Repeat(map[string]func(*rapid.T){
					"":                  c.compare,
					"post":              c.post,
					"post again":        c.post,
					"post a third time": c.post,
					"delete a topic":    c.deleteTopic,
					"tag":               c.tag,
					"move":              c.move,
					"follow":            c.follow,
					"follow again":      c.follow,
					"follow a subject":  c.followSubject,
					"block":             c.block,
					"list":              c.list,
					"members":           c.changeMembers,
					"come back":         c.comeBack,
					"read":              c.read,
					"leave":             c.leave,
					"close a category":  c.closeCategory,
					"wait":              c.wait,
				})
				for _, p := range c.present() {
					c.walk(rt, p)
				}
				c.compare(rt)
			})
			t.Logf("%d steps, %d trimmed homes, %d not kept", c.steps, c.trimmed, c.unkept)
			if of.Home < 10 && (c.trimmed == 0 || c.unkept == 0) {
				t.Errorf("%d homes were trimmed, %d not kept; want some", c.trimmed, c.unkept)
			}
		})
	}
}

// reset empties the site, except its users and categories.
func (c *socialModel) reset() {
	c.Clear()
	c.At(forum.Time(time.Date(2096, 1, 2, 3, 4, 5, 0, time.UTC).UnixMilli()))
	c.topics, c.lists = map[forum.TopicID]*modelTopic{}, map[forum.ListID]*modelList{}
	c.users, c.created = nil, 0
	for range 8 {
		c.join()
	}
	c.categories = []forum.CategoryID{c.Category("a"), c.Category("b")}
	c.begin()
}

// begin makes small homes be trimmed from the start, and two not be kept, as after a long absence.
func (c *socialModel) begin() {
	all := forum.Target{Category: c.categories[0]}
	for _, p := range c.users {
		must.Do(c.Follows.Follow(c.Ctx, p.ID, all, true))(c.T)
		p.follows = append(p.follows, all)
	}
	for n := range 8 {
		if n == 7 {
			c.Clock.Advance(31 * 24 * time.Hour)
			for _, p := range c.users[2:] {
				c.signIn(p)
			}
		}
		by := c.users[n]
		id := c.Topic(by.Viewer, all.Category)
		c.topics[id] = &modelTopic{id: id, author: by.ID, category: all.Category, created: c.Engine.Now()}
		c.Clock.Advance(time.Second)
	}
}

// join registers a user, who signs in.
func (c *socialModel) join() {
	c.created++
	login := fmt.Sprintf("user%d", c.created)
	p := &person{Viewer: c.Moderator(login), login: login}
	c.users = append(c.users, p)
	c.signIn(p)
}

func (c *socialModel) signIn(p *person) {
	p.sessions++
	p.digest = fmt.Sprintf("%032x%032x", p.ID, p.sessions)
	storetest.WantOK(c.T, "StartSession",
		c.Sessions.StartSession(c.Ctx, sessions.NewSession{User: p.ID, Digest: p.digest,
			Ends: c.Engine.Now() + 86_400_000}))
}

// present returns the users who are not deleted.
func (c *socialModel) present() []*person {
	return slices.DeleteFunc(slices.Clone(c.users), func(p *person) bool { return p.deleted })
}

func (c *socialModel) someone(rt *rapid.T, name string) *person {
	return rapid.SampledFrom(c.present()).Draw(rt, name)
}

// anyone may be deleted.
func (c *socialModel) anyone(rt *rapid.T, name string) *person {
	return rapid.SampledFrom(c.users).Draw(rt, name)
}

// inBlock reports whether there is a block between two users.
func (c *socialModel) inBlock(a, b forum.UserID) bool {
	for _, p := range c.users {
		if p.ID == a && slices.Contains(p.blocks, b) || p.ID == b && slices.Contains(p.blocks, a) {
			return true
		}
	}
	return false
}

// tagExists reports whether a tag exists: open topics have it or users follow it.
func (c *socialModel) tagExists(tag forum.TagID) bool {
	for _, t := range c.topics {
		if !t.deleted && slices.Contains(t.tags, tag) {
			return true
		}
	}
	for _, p := range c.users {
		if slices.Contains(p.follows, forum.Target{Tag: tag}) {
			return true
		}
	}
	return false
}

func without[T comparable](all []T, one T) []T {
	return slices.DeleteFunc(all, func(o T) bool { return o == one })
}

// expect checks the code of a result.
func expect(rt *rapid.T, call string, err error, want forum.Code) {
	if code := forum.CodeOf(err); code != want || (err != nil) != (want != "") {
		rt.Fatalf("%s = %v; want code %q", call, err, want)
	}
}

func (c *socialModel) post(rt *rapid.T) {
	by := c.someone(rt, "author")
	in := posts.NewTopic{Author: by.ID, Kind: forum.Status, Title: "a title", Format: forum.Markdown}
	switch rapid.IntRange(0, 2).Draw(rt, "kind") {
	case 1:
		in.Kind, in.Category = forum.Discussion, rapid.SampledFrom(c.categories).Draw(rt, "category")
	case 2:
		in.Kind, in.Link, in.Category = forum.Article, "https://example.org/",
			rapid.SampledFrom(append([]forum.CategoryID{0}, c.categories...)).Draw(rt, "category")
	}
	if rapid.Bool().Draw(rt, "tagged") {
		in.Tags = forum.TopicTags{rapid.SampledFrom(circleTags).Draw(rt, "tag")}
	}
	id := c.Post(in)
	c.topics[id] = &modelTopic{id: id, author: by.ID, category: in.Category, tags: in.Tags.IDs(),
		created: c.Engine.Now()}
}

// openTopic draws a topic that is not deleted, nil if none was drawn.
func (c *socialModel) openTopic(rt *rapid.T) *modelTopic {
	if t := storetest.Pick(rt, c.topics, "topic"); t != nil && !t.deleted {
		return t
	}
	return nil
}

func (c *socialModel) deleteTopic(rt *rapid.T) {
	if t := c.openTopic(rt); t != nil {
		storetest.WantOK(c.T, "DeleteTopic", c.Posts.DeleteTopic(c.Ctx, c.Writer(t.id), t.id))
		t.deleted = true
	}
}

func (c *socialModel) tag(rt *rapid.T) {
	t, which := c.openTopic(rt), rapid.SampledFrom(circleTags).Draw(rt, "tag")
	if t == nil {
		return
	}
	tags := forum.TopicTags{which}
	if slices.Contains(t.tags, which.ID) {
		c.Give(c.Writer(t.id), t.id, nil, tags)
		t.tags = without(t.tags, which.ID)
		return
	}
	c.Give(c.Writer(t.id), t.id, tags, nil)
	t.tags = append(t.tags, which.ID)
}

func (c *socialModel) move(rt *rapid.T) {
	t, to := c.openTopic(rt), rapid.SampledFrom(c.categories).Draw(rt, "to")
	if t == nil || c.OneTopic(t.id).Kind == forum.Status {
		return
	}
	storetest.WantOK(c.T, "UpdateTopic", c.Posts.UpdateTopic(c.Ctx, c.Writer(t.id), t.id,
		posts.TopicChange{Category: &to}))
	t.category = to
}

func (c *socialModel) follow(rt *rapid.T) {
	by, other := c.someone(rt, "by"), c.anyone(rt, "other")
	code := forum.Code("")
	switch {
	case by == other:
		code = forum.CodeSelf
	case other.deleted:
		code = forum.CodeNotFound
	case c.inBlock(by.ID, other.ID):
		code = forum.CodeBlocked
	}
	c.toggle(rt, by, forum.Target{User: other.ID}, code)
}

func (c *socialModel) followSubject(rt *rapid.T) {
	by, target, code := c.someone(rt, "by"), forum.Target{}, forum.Code("")
	if rapid.Bool().Draw(rt, "a tag") {
		if target.Tag = rapid.SampledFrom(circleTags).Draw(rt, "tag").ID; !c.tagExists(target.Tag) {
			code = forum.CodeNotFound
		}
	} else {
		target.Category = rapid.SampledFrom(c.categories).Draw(rt, "category")
	}
	c.toggle(rt, by, target, code)
}

// toggle follows or stops following; a second call changes nothing.
func (c *socialModel) toggle(rt *rapid.T, by *person, target forum.Target, code forum.Code) {
	want := !slices.Contains(by.follows, target)
	for _, changes := range []bool{true, false} {
		changed, err := c.Follows.Follow(c.Ctx, by.ID, target, want)
		if !want && target.Tag != 0 && !changes && !c.tagExists(target.Tag) {
			code, changes = forum.CodeNotFound, false // deleted with its last follower
		}
		if expect(rt, "Follow", err, code); err == nil && changed != changes {
			rt.Fatalf("Follow(%d, %+v, %t) = %t; want %t", by.ID, target, want, changed, changes)
		}
		if code == "" && changes {
			if by.follows = without(by.follows, target); want {
				by.follows = append(by.follows, target)
			}
		}
	}
}

func (c *socialModel) block(rt *rapid.T) {
	by, other := c.someone(rt, "by"), c.anyone(rt, "other")
	want, code := !slices.Contains(by.blocks, other.ID), forum.Code("")
	switch {
	case by == other:
		code = forum.CodeSelf
	case other.deleted:
		code = forum.CodeNotFound
	}
	changed, err := c.Follows.Block(c.Ctx, by.ID, other.ID, want)
	if expect(rt, "Block", err, code); err != nil {
		return
	}
	if !changed {
		rt.Fatalf("Block(%d, %d, %t) changed nothing", by.ID, other.ID, want)
	}
	if by.blocks = without(by.blocks, other.ID); want {
		by.blocks = append(by.blocks, other.ID)
		by.follows = without(by.follows, forum.Target{User: other.ID})
		other.follows = without(other.follows, forum.Target{User: by.ID})
	}
}

// leave deletes an account; a new user joins.
func (c *socialModel) leave(rt *rapid.T) {
	p := c.someone(rt, "who")
	if rapid.IntRange(0, 2).Draw(rt, "really") > 0 {
		return
	}
	storetest.WantOK(c.T, "DeleteAccount", c.Accounts.DeleteAccount(c.Ctx, p.ID, "hash of "+p.login))
	p.deleted, p.follows, p.blocks = true, nil, nil
	for _, other := range c.users {
		other.follows = without(other.follows, forum.Target{User: p.ID})
		other.blocks = without(other.blocks, p.ID)
	}
	for id, l := range c.lists {
		if l.members = without(l.members, p.ID); l.owner == p.ID {
			delete(c.lists, id)
		}
	}
	c.join()
}

// closeCategory deletes a category if it is empty; then a new one is created.
func (c *socialModel) closeCategory(rt *rapid.T) {
	n := rapid.IntRange(0, len(c.categories)-1).Draw(rt, "category")
	id, code := c.categories[n], forum.Code("")
	for _, t := range c.topics {
		if t.category == id && !t.deleted {
			code = forum.CodeNotEmpty
		}
	}
	if expect(rt, "DeleteCategory", c.Categories.DeleteCategory(c.Ctx, nil, id), code); code != "" {
		return
	}
	for _, p := range c.users {
		p.follows = without(p.follows, forum.Target{Category: id})
	}
	c.created++
	c.categories[n] = c.Category(fmt.Sprintf("category %d", c.created))
}

// wait moves the clock: not at all, a little, or so far that homes are no longer kept after two times.
func (c *socialModel) wait(rt *rapid.T) {
	day := 24 * time.Hour
	c.Clock.Advance(rapid.SampledFrom([]time.Duration{time.Microsecond, time.Millisecond, time.Second, 2 * time.Hour,
		16 * day}).Draw(rt, "time"))
}

// comeBack uses a session, or begins another if it has ended.
func (c *socialModel) comeBack(rt *rapid.T) {
	p := c.someone(rt, "who")
	c.Touch("TouchSession", p.ID, p.digest)
	if rapid.Bool().Draw(rt, "again") {
		c.signIn(p)
	}
}
