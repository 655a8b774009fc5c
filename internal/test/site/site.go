// Package site fills a store for tests. Fields that a test does not choose have values that the API accepts.
package site

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/posts"
	"agora/internal/store/sessions"
	"agora/internal/store/votes"
	"agora/internal/test/must"
	"agora/internal/text"
)

// Builder writes to a store. Its methods end the test if they fail.
type Builder struct {
	*store.Store
	t testing.TB
}

// On returns the builder of a store.
func On(t testing.TB, s *store.Store) Builder { return Builder{s, t} }

// Account returns the registration of a login, with its e-mail and the password hash "hash of" the login.
func Account(login string) accounts.NewUser {
	fold := strings.ToLower(login)
	return accounts.NewUser{Login: login, LoginFold: fold, Name: login, Email: login + "@Example.org",
		EmailFold: fold + "@example.org", PasswordHash: "hash of " + login}
}

// User registers a user.
func (b Builder) User(login string) *forum.Viewer {
	b.t.Helper()
	return &forum.Viewer{ID: must.Do(b.Accounts.Register(b.t.Context(), Account(login)))(b.t), Role: forum.RoleUser}
}

// UserElsewhere registers a user in another partition than p.
func (b Builder) UserElsewhere(p forum.Partition) *forum.Viewer {
	b.t.Helper()
	for n := 0; ; n++ {
		if v := b.User(fmt.Sprintf("elsewhere%d", n)); v.ID.Partition() != p {
			return v
		}
	}
}

// Moderator registers a user with that role.
func (b Builder) Moderator(login string) *forum.Viewer {
	b.t.Helper()
	v := b.User(login)
	v.Role = forum.RoleModerator
	must.OK(b.t, b.Accounts.SetRole(b.t.Context(), v.ID, v.Role))
	return v
}

// SignedIn registers a user and returns the token of a session of an hour.
func (b Builder) SignedIn(login string) (*forum.Viewer, auth.Token) {
	b.t.Helper()
	user := b.User(login)
	token := must.Do(auth.NewToken(user.ID))(b.t)
	b.Session(user.ID, token.Digest(), time.Hour)
	return user, token
}

// Session starts a session.
func (b Builder) Session(user forum.UserID, digest string, life time.Duration) {
	b.t.Helper()
	must.OK(b.t, b.Sessions.StartSession(b.t.Context(), sessions.NewSession{User: user, Digest: digest,
		Ends: b.Engine.Now() + forum.Time(life.Milliseconds()), ProvedAt: b.Engine.Now(),
		UserAgent: "Browser/1.0 (of " + digest + ")"}))
}

// KnowDevice signs a user in from an address.
func (b Builder) KnowDevice(user forum.UserID, address string) {
	b.t.Helper()
	must.OK(b.t, b.Sessions.StartSession(b.t.Context(), sessions.NewSession{User: user, Digest: strings.Repeat("d0",
		32),
		Ends: b.Engine.Now() + 1_000_000, UserAgent: "test", Address: address}))
}

// FailSignIn counts a failed sign-in and returns how long the address must wait; 0 if the attempt was allowed.
func (b Builder) FailSignIn(name, address string) time.Duration {
	b.t.Helper()
	_, _, err := b.Sessions.BeginSignIn(b.t.Context(), sessions.SignIn{Fold: name, Name: name, Address: address,
		Failures: 10})
	var refused *forum.Error
	if err != nil && (!errors.As(err, &refused) || refused.Code != forum.CodeRateLimited) {
		b.t.Fatalf("BeginSignIn: %v", err)
	}
	if refused == nil {
		return 0
	}
	return refused.RetryAfter
}

// Category creates a category.
func (b Builder) Category(name string) forum.CategoryID {
	b.t.Helper()
	return must.Do(b.Categories.CreateCategory(b.t.Context(), name, strings.ToLower(name), ""))(b.t)
}

// Tab creates a tab of categories.
func (b Builder) Tab(name string, categories ...forum.CategoryID) forum.TabID {
	b.t.Helper()
	return must.Do(b.Categories.CreateTab(b.t.Context(), name, strings.ToLower(name), categories))(b.t)
}

// Discussion returns a topic to post.
func Discussion(by *forum.Viewer, category forum.CategoryID) posts.NewTopic {
	return posts.NewTopic{Author: by.ID, Kind: forum.Discussion, Title: "a title", Content: "a text",
		Format: forum.Markdown, Category: category}
}

// Link returns an article to post.
func Link(by *forum.Viewer, tags ...string) posts.NewTopic {
	return posts.NewTopic{Author: by.ID, Kind: forum.Article, Title: "a link", Link: "https://example.org/",
		Format: forum.Markdown, Tags: Tags(tags...)}
}

// Tags returns the tags with these names, which must be valid.
func Tags(names ...string) forum.TopicTags {
	tags, err := text.Tags(nil, names)
	if err != nil {
		panic(err)
	}
	return tags
}

// Remark returns a comment to post.
func Remark(on forum.TopicID, parent forum.CommentID) posts.NewComment {
	return posts.NewComment{Topic: on, Parent: parent, Content: "a reply", Format: forum.Markdown}
}

// Post posts a topic.
func (b Builder) Post(in posts.NewTopic) forum.TopicID {
	b.t.Helper()
	return must.Do(b.Posts.CreateTopic(b.t.Context(), in))(b.t)
}

// Topic posts a discussion.
func (b Builder) Topic(by *forum.Viewer, category forum.CategoryID) forum.TopicID {
	b.t.Helper()
	return b.Post(Discussion(by, category))
}

// Titled posts a discussion, or a status if there is no category; its content is the title.
func (b Builder) Titled(by *forum.Viewer, category forum.CategoryID, title string) forum.TopicID {
	b.t.Helper()
	in := Discussion(by, category)
	in.Title, in.Content = title, title
	if category == 0 {
		in.Kind = forum.Status
	}
	return b.Post(in)
}

// Reply posts a comment.
func (b Builder) Reply(by *forum.Viewer, in posts.NewComment) forum.CommentID {
	b.t.Helper()
	return must.Do(b.Posts.CreateComment(b.t.Context(), by, in))(b.t)
}

// Comment replies to a topic, or to a parent in it.
func (b Builder) Comment(by *forum.Viewer, on forum.TopicID, parent forum.CommentID) forum.CommentID {
	b.t.Helper()
	return b.Reply(by, Remark(on, parent))
}

// Say replies to a topic with a text.
func (b Builder) Say(by *forum.Viewer, on forum.TopicID, text string) forum.CommentID {
	b.t.Helper()
	in := Remark(on, 0)
	in.Content = text
	return b.Reply(by, in)
}

// Cast votes on a topic.
func (b Builder) Cast(by *forum.Viewer, id forum.TopicID, v forum.VoteDirection) votes.Voted {
	b.t.Helper()
	return must.Do(b.Votes.VoteTopic(b.t.Context(), by, id, v))(b.t)
}

// CastOn votes on a comment.
func (b Builder) CastOn(by *forum.Viewer, id forum.CommentID, v forum.VoteDirection) votes.Voted {
	b.t.Helper()
	return must.Do(b.Votes.VoteComment(b.t.Context(), by, id, v))(b.t)
}

// Give adds and removes tags of a topic.
func (b Builder) Give(by *forum.Viewer, id forum.TopicID, add, remove forum.TopicTags) {
	b.t.Helper()
	must.OK(b.t, b.Posts.RetagTopic(b.t.Context(), by, id, add, remove, forum.Grounds{Reason: forum.ReasonOther}))
}

// Turn makes a user follow something, or stop, which must change something.
func (b Builder) Turn(by *forum.Viewer, target forum.Target, want bool) {
	b.t.Helper()
	changed, err := b.Follows.Follow(b.t.Context(), by.ID, target, want)
	if err != nil || !changed {
		b.t.Fatalf("Follow(%d, %+v, %t) = %t, %v; want true", by.ID, target, want, changed, err)
	}
}

// Sent sends a read, and returns one of its results.
func Sent[V any](t must.T, r interface{ Exec() error }, get func() (V, error)) V {
	t.Helper()
	must.OK(t, r.Exec())
	return must.Do(get())(t)
}
