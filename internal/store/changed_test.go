package store_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/accounts"
	"agora/internal/store/acts"
	"agora/internal/store/catalogue"
	"agora/internal/store/categories"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/moderation"
	"agora/internal/store/posts"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
)

// Each change is said with its word, once and with the change, and nothing else is. (The clients of redistest refuse a
// script that changes something and does not say so, or says more.)
func TestChangesAreSaid(t *testing.T) {
	x := storetest.New(t)
	ann, bob, mia := x.User("Ann"), x.User("Bob"), x.Moderator("Mia")
	tea, milk := x.Category("Tea"), x.Category("Milk")
	drinks := x.Tab("Drinks", tea, milk)
	topic := x.Topic(bob, tea)
	comment := x.Comment(bob, topic, 0)
	reply := x.Comment(ann, topic, comment)
	waiting := site.Remark(topic, 0)
	waiting.Held = true
	held := must.Do(x.Posts.CreateComment(x.Ctx, ann, waiting))(t)
	unread := x.Comment(ann, topic, 0)
	guest := must.Do(x.Accounts.Register(x.Ctx, storetest.ExternalUser("guest")))(t)
	for n := range forum.MaxSessions {
		x.Session(bob.ID, fmt.Sprint(n), time.Hour)
	}
	why := forum.Grounds{Reason: forum.ReasonOther}
	place := 3
	bio := func(s string) accounts.ProfileChange {
		return accounts.ProfileChange{Texts: []accounts.ProfileText{{Of: forum.PostedBio, Value: &s}}}
	}
	names := map[string]string{key.User(ann.ID): "ann", key.User(bob.ID): "bob", key.User(mia.ID): "mia",
		key.Topic(topic): "topic", key.Comment(comment): "comment", key.Comment(reply): "reply", key.Comment(held): "held",
		key.User(guest): "guest", key.Tag(9): "tag",
		key.Category(tea): "tea", key.Category(milk): "milk", key.Tab(drinks): "drinks"}
	green := forum.TopicTags{{ID: 9, Name: "green"}}
	vote := func(direction forum.VoteDirection) func() error {
		return func() error {
			_, err := x.Votes.VoteTopic(x.Ctx, ann, topic, direction)
			return err
		}
	}
	moderate := func(s forum.Subject, kind forum.ActKind) func() error {
		return func() error {
			_, err := x.Moderation.Moderate(x.Ctx, mia, s, storetest.Acting(kind))
			return err
		}
	}
	tests := []struct {
		name string
		do   func() error
		want string
	}{
		{"a profile", func() error { return x.Accounts.UpdateProfile(x.Ctx, ann.ID, bio("Tea")) }, "ann PROFILE"},
		{"a profile without a bio", func() error { return x.Accounts.UpdateProfile(x.Ctx, ann.ID, bio("")) },
			"ann PROFILE"},
		{"another spelling", func() error {
			return x.Accounts.ChangeLogin(x.Ctx, ann.ID, "hash of Ann", "ANN",
				"ann")
		}, "ann LOGIN"},
		{"another login", func() error {
			return x.Accounts.ChangeLogin(x.Ctx, ann.ID, "hash of Ann", "Anna",
				"anna")
		}, "ann CLAIMS, ann CLAIMS, ann LOGIN"},
		{"a role", func() error { return x.Accounts.GiveRole(x.Ctx, nil, ann.ID, forum.RoleModerator, why) },
			"act CREATED, ann ACCESS, ann ROLE"},
		{"no role", func() error { return x.Accounts.GiveRole(x.Ctx, nil, ann.ID, forum.RoleUser, why) },
			"act CREATED, ann ACCESS, ann ROLE"},
		{"the same role", func() error { return x.Accounts.GiveRole(x.Ctx, nil, ann.ID, forum.RoleUser, why) }, ""},
		{"a ban", func() error {
			_, _, err := x.Moderation.Ban(x.Ctx, mia, ann.ID, forum.Ban{Scope: forum.BanPost, Grounds: why})
			return err
		}, "act CREATED, ann ACCESS, ann BAN, ann NOTES"},
		{"its end", func() error {
			_, err := x.Moderation.Unban(x.Ctx, mia, ann.ID, why)
			return err
		}, "act CREATED, act REVERSED, ann ACCESS, ann BAN, ann NOTES"},
		{"a warning", func() error {
			_, err := x.Moderation.Warn(x.Ctx, mia, ann.ID, why)
			return err
		}, "act CREATED, ann NOTES"},
		{"what a token says", func() error {
			_, err := x.Accounts.ApplyClaims(x.Ctx, guest, accounts.Claims{External: storetest.SomeExternal,
				IssuedAt: x.Engine.Now() + 1, Name: "Guest",
				Role: forum.RoleModerator, RoleLife: time.Hour})
			return err
		}, "act CREATED, guest ACCESS, guest PROFILE, guest ROLE"},
		{"the same role for good", func() error {
			return x.Accounts.GiveRole(x.Ctx, nil, guest, forum.RoleModerator, why)
		}, "guest ROLE"},
		{"a moderator of a category", func() error {
			_, err := x.Acts.SetModerators(x.Ctx, mia, milk, []acts.ModeratorChange{{User: ann.ID, On: true,
				Field: "add.0"}}, why)
			return err
		}, "act CREATED, ann ACCESS, ann NOTES, ann ROLE"},
		{"a post", func() error {
			_, err := x.Posts.CreateTopic(x.Ctx, site.Discussion(bob, tea))
			return err
		}, "new CREATED"},
		{"a comment", func() error {
			_, err := x.Posts.CreateComment(x.Ctx, bob, site.Remark(topic, 0))
			return err
		}, "new CREATED, topic REPLIES"},
		{"a reply", func() error {
			_, err := x.Posts.CreateComment(x.Ctx, bob, site.Remark(topic, comment))
			return err
		}, "comment ANSWERS, new CREATED, topic REPLIES"},
		{"a vote", vote(forum.VoteUp), "topic VOTES"},
		{"the same vote", vote(forum.VoteUp), ""},
		{"a vote on a comment", func() error {
			_, err := x.Votes.VoteComment(x.Ctx, ann, comment, forum.VoteDown)
			return err
		}, "comment VOTES, topic COMMENT"},
		{"a click", func() error {
			_, err := x.Votes.RecordClicks(x.Ctx, ann, "ann", []forum.TopicID{topic})
			return err
		}, "topic CLICKS"},
		{"the same click", func() error {
			_, err := x.Votes.RecordClicks(x.Ctx, ann, "ann", []forum.TopicID{topic})
			return err
		}, ""},
		{"a tag", func() error { return x.Posts.TagTopic(x.Ctx, bob, topic, green, nil) }, "tag NAME, topic TAGS"},
		{"a tag less", func() error { return x.Posts.TagTopic(x.Ctx, bob, topic, nil, green) }, "tag NAME, topic TAGS"},
		{"an edit", func() error {
			return x.Posts.UpdateTopic(x.Ctx, bob, topic,
				posts.TopicChange{Title: new("Else")})
		}, "topic TEXT"},
		{"the same edit", func() error {
			return x.Posts.UpdateTopic(x.Ctx, bob, topic,
				posts.TopicChange{Title: new("Else")})
		}, ""},
		{"a redacted text", func() error {
			_, err := x.Moderation.RedactRevision(x.Ctx, mia, moderation.Redaction{Of: forum.Subject{Topic: topic},
				Number: 1, Redact: true,
				Role: forum.RoleUser, Grounds: why})
			return err
		}, "act CREATED, bob NOTES"},
		{"an edited comment", func() error {
			return x.Posts.UpdateComment(x.Ctx, ann, reply, posts.CommentChange{Content: "Else"})
		}, "reply TEXT, topic COMMENT"},
		{"a report", func() error { return x.Acts.Report(x.Ctx, bob, forum.Subject{Comment: reply}, why) },
			"case CASE"},
		{"what became of it", func() error {
			_, err := x.Acts.ResolveReports(x.Ctx, mia, forum.Rules{}, forum.Subject{Comment: reply}, 1, forum.OutcomeDismissed, why)
			return err
		}, "act CREATED, case CASE"},
		{"a report of a topic", func() error { return x.Acts.Report(x.Ctx, ann, forum.Subject{Topic: topic}, why) },
			"case CASE"},
		{"a move", func() error {
			return x.Posts.UpdateTopic(x.Ctx, bob, topic, posts.TopicChange{Category: &milk})
		}, "case CASE, topic CATEGORY, topic TEXT"},
		{"a comment that is read", func() error { return x.Posts.MarkCommentRead(x.Ctx, bob, unread) }, "bob READ"},
		{"a locked comment", moderate(forum.Subject{Comment: reply}, forum.ActLock),
			"act CREATED, ann NOTES, reply LOCKED, topic COMMENT"},
		{"a hidden comment", moderate(forum.Subject{Comment: reply}, forum.ActHide),
			"act CREATED, ann NOTES, bob READ, comment ANSWERS, reply STATE, topic COMMENT, topic REPLIES"},
		{"a restored comment", moderate(forum.Subject{Comment: reply}, forum.ActRestore),
			"act CREATED, act REVERSED, ann NOTES, bob READ, comment ANSWERS, reply STATE, topic COMMENT, topic REPLIES"},
		{"a refused comment", moderate(forum.Subject{Comment: held}, forum.ActHide),
			"act CREATED, ann NOTES, case CASE, held HELD"},
		{"a deleted comment", func() error { return x.Posts.DeleteComment(x.Ctx, ann, reply) },
			"bob READ, comment ANSWERS, reply DELETED, topic COMMENT, topic REPLIES"},
		{"a comment on a watched topic", func() error {
			_, err := x.Follows.WatchTopic(x.Ctx, ann.ID, topic, true)
			must.OK(t, err)
			_, err = x.Posts.CreateComment(x.Ctx, bob, site.Remark(topic, 0))
			return err
		}, "ann NOTES, new CREATED, topic REPLIES"},
		{"a hidden topic", moderate(forum.Subject{Topic: topic}, forum.ActHide),
			"act CREATED, ann READ, bob NOTES, topic STATE"},
		{"a restored topic", moderate(forum.Subject{Topic: topic}, forum.ActRestore),
			"act CREATED, act REVERSED, ann READ, bob NOTES, topic STATE"},
		{"a deleted topic", func() error { return x.Posts.DeleteTopic(x.Ctx, bob, topic) }, "ann READ, topic DELETED"},
		{"a follow", func() error {
			_, err := x.Follows.Follow(x.Ctx, bob.ID, forum.Target{User: ann.ID}, true)
			return err
		}, "ann NOTES"},
		{"a follow less", func() error {
			_, err := x.Follows.Follow(x.Ctx, bob.ID, forum.Target{User: ann.ID}, false)
			return err
		}, "ann READ"},
		{"a name of a category", func() error {
			return x.Categories.UpdateCategory(x.Ctx, tea, categories.CategoryChange{Name: new("Teas"),
				Fold: new("teas")})
		}, "tea SECTION"},
		{"a place of a category", func() error {
			return x.Categories.UpdateCategory(x.Ctx, tea, categories.CategoryChange{Position: &place})
		}, "tea SECTION"},
		{"a name of a tab", func() error {
			return x.Categories.UpdateTab(x.Ctx, drinks, categories.TabChange{Name: "Cups", Fold: "cups"})
		}, "drinks SECTION"},
		{"a place of a tab", func() error {
			return x.Categories.UpdateTab(x.Ctx, drinks, categories.TabChange{Position: &place, By: mia})
		}, "act CREATED, drinks SECTION"},
		{"a category out of a tab", func() error {
			return x.Categories.UpdateTab(x.Ctx, drinks, categories.TabChange{Remove: []forum.CategoryID{tea}})
		}, "drinks SECTION"},
		{"a new category of a tab", func() error {
			_, err := x.Categories.AddCategory(x.Ctx, categories.NewCategory{Name: "Soup", Fold: "soup",
				Tabs: []forum.TabID{drinks}})
			return err
		}, "drinks SECTION, new SECTION"},
		{"a category less", func() error {
			return x.Categories.DeleteCategory(x.Ctx, mia, milk)
		}, "act CREATED, ann ACCESS, ann ROLE, drinks SECTION, milk SECTION"},
		{"a tab less", func() error { return x.Categories.DeleteTab(x.Ctx, mia, drinks) },
			"act CREATED, drinks SECTION"},
		{"a new tab", func() error {
			_, err := x.Categories.AddTab(x.Ctx, categories.NewTab{Name: "New", Fold: "new", By: mia})
			return err
		}, "act CREATED, new SECTION"},
		{"read notifications", func() error { return x.Notify.MarkNotifications(x.Ctx, ann.ID) }, "ann READ"},
		{"a session too many", func() error {
			x.Session(bob.ID, "last", time.Hour)
			return nil
		}, "bob ACCESS"},
		{"no sessions", func() error { return x.Sessions.EndSessions(x.Ctx, ann.ID) }, "ann ACCESS"},
		{"another password", func() error { return x.Accounts.SetPassword(x.Ctx, ann.ID, "another") }, "ann ACCESS"},
		{"an account that cannot be used", func() error { return x.Accounts.SetDeactivated(x.Ctx, ann.ID, true) },
			"ann ACCESS"},
		{"an account less", func() error { return x.Accounts.DeleteAccount(x.Ctx, mia.ID, "hash of Mia") },
			"mia ACCESS, mia DELETED"},
		{"a new account", func() error {
			x.User("Carl")
			return nil
		}, "new CLAIMS, new CREATED"},
	}
	ps := x.Redis.PSubscribe(x.Ctx, key.ChangesChannels)
	defer ps.Close()
	must.Do(ps.Receive(x.Ctx))(t)
	for _, tt := range tests {
		if err := tt.do(); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if heard := heard(x, ps, names); heard != tt.want {
			t.Errorf("%s: %q were said; want %q", tt.name, heard, tt.want)
		}
	}
}

// The clients of redistest refuse a plain write to an object that the program makes, because nothing says it.
func TestPlainWritesAreRefused(t *testing.T) {
	x := storetest.New(t)
	object := key.User(x.User("ann").ID)
	record.Set(x.Ctx, x.Redis, object, "bio", "of the program")
	if bio := x.Hash(object)["bio"]; bio != "" {
		t.Errorf("the bio is %q; want none", bio)
	}
	must.OK(t, x.Redis.HSet(x.Ctx, object, "bio", "of a test").Err())
}

// heard returns what was said until now: names of objects, by their keys, each with a word.
func heard(x *storetest.Site, ps *redis.PubSub, names map[string]string) string {
	x.T.Helper()
	var all []string
	must.OK(x.T, x.Redis.Publish(x.Ctx, key.ChangesChannel(key.Categories), "").Err())
	for {
		m := must.Do(ps.ReceiveMessage(x.Ctx))(x.T)
		if m.Payload == "" {
			slices.Sort(all)
			return strings.Join(all, ", ")
		}
		for object, change := range catalogue.ChangesIn(m.Payload) {
			word, _, _ := strings.Cut(change, ":")
			name := names[key.SlotPrefix(m.Channel)+object]
			if kind, _, _ := strings.Cut(object, ":"); name == "" {
				name = map[string]string{"m": "act", "r": "case"}[kind]
			}
			all = append(all, cmp.Or(name, "new")+" "+word)
		}
	}
}
