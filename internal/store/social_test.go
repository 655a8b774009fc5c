package store

import (
	"slices"
	"strconv"
	"testing"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/posts"
)

// home returns the topics of a user's home, latest first.
func (x *site) home(id forum.UserID) []forum.TopicID {
	x.t.Helper()
	members, err := x.rdb.ZRevRange(x.ctx, key.Home(id), 0, -1).Result()
	if err != nil {
		x.t.Fatal(err)
	}
	topics := make([]forum.TopicID, len(members))
	for i, m := range members {
		n, _ := strconv.ParseInt(m, 16, 64)
		topics[i] = forum.TopicID(n)
	}
	return topics
}

// status posts a short message.
func (x *site) status(by *forum.Viewer) forum.TopicID {
	x.t.Helper()
	id, err := x.CreateTopic(x.ctx,
		posts.NewTopic{Author: by.ID, Kind: forum.Status, Title: "a status", Content: "a status", Format: forum.Markdown})
	if err != nil {
		x.t.Fatalf("CreateTopic: %v", err)
	}
	return id
}

// follow makes a user follow something, or stop, which must change something.
func (x *site) follow(by *forum.Viewer, target forum.Target, want bool) {
	x.t.Helper()
	changed, err := x.Follow(x.ctx, by.ID, target, want)
	if err != nil || !changed {
		x.t.Fatalf("Follow(%d, %+v, %t) = %t, %v; want true", by.ID, target, want, changed, err)
	}
}

func TestDeletedBlockersNoLongerHideTopics(t *testing.T) {
	x := newSite(t)
	ann, bob := x.user("ann"), x.user("bob")
	c := x.category("Go")
	x.follow(ann, forum.Target{Category: c}, true)
	topic := x.topic(bob, c)
	if _, err := x.Block(x.ctx, bob.ID, ann.ID, true); err != nil {
		t.Fatal(err)
	}
	if err := x.DeleteAccount(x.ctx, bob.ID, "hash of bob"); err != nil {
		t.Fatal(err)
	}
	x.settle()
	if got, want := x.home(ann.ID), []forum.TopicID{topic}; !slices.Equal(got, want) {
		t.Errorf("home after the blocker was deleted = %v; want %v", got, want)
	}
}

// Every write to a topic that has not reached homes yet writes it there.
func TestEveryWriteFansOutATopic(t *testing.T) {
	writes := map[string]func(x *site, by *forum.Viewer, id forum.TopicID, c forum.CommentID) error{
		"vote": func(x *site, by *forum.Viewer, id forum.TopicID, _ forum.CommentID) error {
			_, err := x.VoteTopic(x.ctx, by, id, forum.VoteUp)
			return err
		},
		"comment": func(x *site, by *forum.Viewer, id forum.TopicID, _ forum.CommentID) error {
			_, err := x.CreateComment(x.ctx, by, remark(id, 0))
			return err
		},
		"deletion of a comment": func(x *site, by *forum.Viewer, _ forum.TopicID, c forum.CommentID) error {
			return x.DeleteComment(x.ctx, by, c)
		},
		"tags": func(x *site, by *forum.Viewer, id forum.TopicID, _ forum.CommentID) error {
			return x.TagTopic(x.ctx, by, id, labels("new"), nil)
		},
	}
	for name, write := range writes {
		t.Run(name, func(t *testing.T) {
			x := newSite(t)
			ann, bob := x.user("ann"), x.user("bob")
			x.follow(ann, forum.Target{User: bob.ID}, true)
			bulk := x.Bulk() // leaves all but the first scripts to others, like a process that dies
			id, err := bulk.CreateTopic(x.ctx, discussion(bob, x.category("go")))
			wantOK(t, "CreateTopic", err)
			c, err := bulk.CreateComment(x.ctx, bob, remark(id, 0))
			wantOK(t, "CreateComment", err)
			wantOK(t, name, write(x, bob, id, c))
			x.engine.Cleaner.Flush()
			if got, want := x.home(ann.ID), []forum.TopicID{id}; !slices.Equal(got, want) {
				t.Errorf("home = %v; want %v", got, want)
			}
			if fan, ok := x.hash(key.Topic(id))["fan"]; ok {
				t.Errorf("fan is still %q", fan)
			}
		})
	}
}
