package fsck

import (
	"strings"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/test/must"
)

// meet makes users follow, block and list each other.
func (x *checkSite) meet() {
	x.t.Helper()
	x.Turn(x.ann, forum.Target{User: x.bob.ID}, true)
	x.Turn(x.ann, forum.Target{Category: x.news}, true)
	x.Turn(x.ann, forum.Target{Tag: x.tag("go")}, true)
	x.Turn(x.bob, forum.Target{User: x.ann.ID}, true)
	x.Turn(x.bob, forum.Target{Category: x.talk}, true)
	x.Turn(x.mod, forum.Target{Category: x.news}, true)
	x.Turn(x.mod, forum.Target{User: x.ann.ID}, true)
	x.Turn(&forum.Viewer{ID: x.cyd}, forum.Target{User: x.ann.ID}, true)
	x.Turn(x.bob, forum.Target{User: x.mod.ID}, true)
	_, err := x.Follows.Block(x.ctx, x.mod.ID, x.bob.ID, true) // ends the last follow
	wantOK(x.t, "Block", err)
	x.friends, x.none, x.fans = x.list(x.ann, "Friends", x.bob, x.ann), x.list(x.ann, "Nobody"),
		x.list(x.bob, "Fans", x.ann)
	x.status = x.Titled(x.ann, 0, "a status")
	x.keepAndRead()
	x.Titled(x.bob, 0, "a status")
}

// keepAndRead bookmarks topics and marks them as read.
func (x *checkSite) keepAndRead() {
	x.t.Helper()
	x.keep(x.ann, x.thread, true)
	x.keep(x.ann, x.article, true)
	x.keep(x.bob, x.thread, true)
	x.keep(x.mod, x.article, true)
	x.keep(x.mod, x.article, false)
	x.readTopic(x.ann, x.thread)
	x.readTopic(x.mod, x.deleted)
	wantOK(x.t, "MarkTimelineRead", x.Posts.MarkTimelineRead(x.ctx, x.ann.ID,
		forum.Timeline{Kind: forum.HomeTimeline, Owner: int64(x.ann.ID), Order: forum.ByCreated,
			Direction: forum.Descending}))
}

// list creates a list of users.
func (x *checkSite) list(by *forum.Viewer, name string, members ...*forum.Viewer) forum.ListID {
	x.t.Helper()
	id := must.Do(x.Follows.CreateList(x.ctx, by.ID, name, strings.ToLower(name)))(x.t)
	var users []forum.UserID
	for _, m := range members {
		users = append(users, m.ID)
	}
	wantOK(x.t, "UpdateListMembers", x.Follows.UpdateListMembers(x.ctx, by.ID, id, users, nil))
	return id
}

// age makes bob's home look full: topics older than the thread are below its watermark. The home of
// cyd, who has been inactive, is not maintained.
func (x *checkSite) age() {
	x.t.Helper()
	x.do("HSET", key.User(x.bob.ID), "homeFloor", x.place(x.thread))
	x.do("ZREMRANGEBYSCORE", key.Home(x.bob.ID), "-inf", x.hash(key.Topic(x.thread))["created"])
	x.do("HSET", key.User(x.cyd), "homeFloor", record.HomeNotKept)
	x.do("DEL", key.Home(x.cyd))
}
