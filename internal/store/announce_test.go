package store

import (
	"slices"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/accounts"
	"agora/internal/store/acts"
	"agora/internal/store/categories"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/posts"
	"agora/internal/test/must"
)

// Each change of an object that processes keep in memory is announced, once and with the change, and nothing else is.
// (The clients of redistest refuse a script that changes one and does not say so.)
func TestChangesOfObjectsAreAnnounced(t *testing.T) {
	x := newSite(t)
	ann, bob, mia := x.User("Ann"), x.User("Bob"), x.Moderator("Mia")
	tea, milk := x.Category("Tea"), x.Category("Milk")
	drinks := x.Tab("Drinks", tea, milk)
	topic := x.Topic(bob, tea)
	comment := x.Comment(bob, topic, 0)
	reply := x.Comment(ann, topic, comment)
	why := forum.Grounds{Reason: forum.ReasonOther}
	text, place := func(s string) *string { return &s }, 3
	bio := func(s string) accounts.ProfileChange {
		return accounts.ProfileChange{Texts: []accounts.ProfileText{{Of: forum.PostedBio, Value: &s}}}
	}
	a, m, o, c, r := key.User(ann.ID), key.User(mia.ID), key.Topic(topic), key.Comment(comment), key.Comment(reply)
	green := forum.TopicTags{{ID: 9, Name: "green"}}
	vote := func(direction forum.VoteDirection) func() error {
		return func() error {
			_, err := x.VoteTopic(x.ctx, ann, topic, direction)
			return err
		}
	}
	moderate := func(s forum.Subject, kind forum.ActKind) func() error {
		return func() error {
			_, err := x.Moderate(x.ctx, mia, s, acting(kind))
			return err
		}
	}
	tests := []struct {
		name string
		do   func() error
		want []string
	}{
		{"a profile", func() error { return x.UpdateProfile(x.ctx, ann.ID, bio("Tea")) }, []string{a}},
		{"a profile without a bio", func() error { return x.UpdateProfile(x.ctx, ann.ID, bio("")) }, []string{a}},
		{"another spelling", func() error { return x.ChangeLogin(x.ctx, ann.ID, "hash of Ann", "ANN", "ann") }, []string{a}},
		{"another login", func() error { return x.ChangeLogin(x.ctx, ann.ID, "hash of Ann", "Anna", "anna") }, []string{a}},
		{"a role", func() error { return x.GiveRole(x.ctx, nil, ann.ID, forum.RoleModerator, why) }, []string{a}},
		{"no role", func() error { return x.GiveRole(x.ctx, nil, ann.ID, forum.RoleUser, why) }, []string{a}},
		{"the same role", func() error { return x.GiveRole(x.ctx, nil, ann.ID, forum.RoleUser, why) }, nil},
		{"a ban", func() error {
			_, _, err := x.Ban(x.ctx, mia, ann.ID, forum.Ban{Scope: forum.BanPost, Grounds: why})
			return err
		}, []string{a}},
		{"its end", func() error {
			_, err := x.Unban(x.ctx, mia, ann.ID, why)
			return err
		}, []string{a}},
		{"a moderator of a category", func() error {
			_, err := x.SetModerators(x.ctx, mia, milk, []acts.ModeratorChange{{User: ann.ID, On: true, Field: "add.0"}}, why)
			return err
		}, []string{a}},
		{"a post", func() error {
			_, err := x.CreateTopic(x.ctx, discussion(bob, tea))
			return err
		}, nil},
		{"a comment", func() error {
			_, err := x.CreateComment(x.ctx, bob, remark(topic, 0))
			return err
		}, []string{o}},
		{"a reply", func() error {
			_, err := x.CreateComment(x.ctx, bob, remark(topic, comment))
			return err
		}, []string{o, c}},
		{"a vote", vote(forum.VoteUp), []string{o}},
		{"the same vote", vote(forum.VoteUp), nil},
		{"a vote on a comment", func() error {
			_, err := x.VoteComment(x.ctx, ann, comment, forum.VoteDown)
			return err
		}, []string{c}},
		{"a click", func() error {
			_, err := x.RecordClicks(x.ctx, ann, "ann", []forum.TopicID{topic})
			return err
		}, []string{o}},
		{"the same click", func() error {
			_, err := x.RecordClicks(x.ctx, ann, "ann", []forum.TopicID{topic})
			return err
		}, nil},
		{"a tag", func() error { return x.TagTopic(x.ctx, bob, topic, green, nil) }, []string{o, key.Tag(9)}},
		{"a tag less", func() error { return x.TagTopic(x.ctx, bob, topic, nil, green) }, []string{o, key.Tag(9)}},
		{"an edit", func() error { return x.UpdateTopic(x.ctx, bob, topic, posts.TopicChange{Title: text("Else")}) }, []string{o}},
		{"the same edit", func() error { return x.UpdateTopic(x.ctx, bob, topic, posts.TopicChange{Title: text("Else")}) }, nil},
		{"an edited comment", func() error {
			return x.UpdateComment(x.ctx, ann, reply, posts.CommentChange{Content: "Else"})
		}, []string{r}},
		{"a locked comment", moderate(forum.Subject{Comment: reply}, forum.ActLock), []string{r}},
		{"a hidden comment", moderate(forum.Subject{Comment: reply}, forum.ActHide), []string{o, c, r}},
		{"a restored comment", moderate(forum.Subject{Comment: reply}, forum.ActRestore), []string{o, c, r}},
		{"a deleted comment", func() error { return x.DeleteComment(x.ctx, ann, reply) }, []string{o, c, r}},
		{"a hidden topic", moderate(forum.Subject{Topic: topic}, forum.ActHide), []string{o}},
		{"a restored topic", moderate(forum.Subject{Topic: topic}, forum.ActRestore), []string{o}},
		{"a deleted topic", func() error { return x.DeleteTopic(x.ctx, bob, topic) }, []string{o}},
		{"a follow", func() error {
			_, err := x.Follow(x.ctx, bob.ID, forum.Target{User: ann.ID}, true)
			return err
		}, nil},
		{"a name of a category", func() error {
			return x.UpdateCategory(x.ctx, tea, categories.CategoryChange{Name: text("Teas"), Fold: text("teas")})
		}, []string{key.Category(tea)}},
		{"a place of a category", func() error {
			return x.UpdateCategory(x.ctx, tea, categories.CategoryChange{Position: &place})
		}, []string{key.Category(tea)}},
		{"a name of a tab", func() error {
			return x.UpdateTab(x.ctx, drinks, categories.TabChange{Name: "Cups", Fold: "cups"})
		}, []string{key.Tab(drinks)}},
		{"a place of a tab", func() error { return x.UpdateTab(x.ctx, drinks, categories.TabChange{Position: &place}) },
			[]string{key.Tab(drinks)}},
		{"a category less", func() error { return x.DeleteCategory(x.ctx, nil, milk) },
			[]string{a, key.Category(milk), key.Tab(drinks)}},
		{"a tab less", func() error { return x.DeleteTab(x.ctx, nil, drinks) }, []string{key.Tab(drinks)}},
		{"a new category and tab", func() error {
			x.Tab("New", x.Category("Newer"))
			return nil
		}, nil},
		{"an account less", func() error { return x.DeleteAccount(x.ctx, mia.ID, "hash of Mia") }, []string{m}},
		{"a new account", func() error {
			x.User("Carl")
			return nil
		}, nil},
	}
	ps := x.rdb.Subscribe(x.ctx, pipeline.Changed)
	defer ps.Close()
	must.Do(ps.Receive(x.ctx))(t)
	for _, tt := range tests {
		wantOK(t, tt.name, tt.do())
		heard := x.heard(ps)
		if slices.Sort(heard); !slices.Equal(heard, slices.Sorted(slices.Values(tt.want))) {
			t.Errorf("%s: %v were announced; want %v", tt.name, heard, tt.want)
		}
	}
}

// heard returns what was announced until now.
func (x *site) heard(ps *redis.PubSub) (keys []string) {
	x.t.Helper()
	must.OK(x.t, x.rdb.Publish(x.ctx, pipeline.Changed, "").Err())
	for {
		m := must.Do(ps.ReceiveMessage(x.ctx))(x.t)
		if m.Payload == "" {
			return keys
		}
		keys = append(keys, strings.Fields(m.Payload)...)
	}
}
