// Package site fills a store for tests. Fields that a test does not choose have values that the API accepts.
package site

import (
	"strings"
	"testing"
	"time"

	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/posts"
)

// User registers a user, whose name is the login. The password hash is "hash".
func User(t testing.TB, s *store.Store, login string) *forum.Viewer {
	t.Helper()
	fold := strings.ToLower(login)
	id, err := s.Register(t.Context(), accounts.NewUser{Login: login, LoginFold: fold, Name: login, PasswordHash: "hash"})
	if err != nil {
		t.Fatalf("register %s: %v", login, err)
	}
	return &forum.Viewer{ID: id, Role: forum.RoleUser}
}

// SignedIn registers a user with a role, and returns the token of a session of an hour.
func SignedIn(t testing.TB, s *store.Store, login string, role forum.Role) (*forum.Viewer, auth.Token) {
	t.Helper()
	user := User(t, s, login)
	if role != user.Role {
		if err := s.SetRole(t.Context(), user.ID, role); err != nil {
			t.Fatalf("set the role of %s: %v", login, err)
		}
		user.Role = role
	}
	token, err := auth.NewToken(user.ID)
	if err != nil {
		t.Fatal(err)
	}
	err = s.StartSession(t.Context(), accounts.NewSession{User: user.ID, Digest: token.Digest(),
		Ends: s.Now() + forum.Time(time.Hour.Milliseconds()), UserAgent: "test"})
	if err != nil {
		t.Fatalf("sign %s in: %v", login, err)
	}
	return user, token
}

// Category creates a category.
func Category(t testing.TB, s *store.Store, name string) forum.CategoryID {
	t.Helper()
	id, err := s.CreateCategory(t.Context(), name, strings.ToLower(name), "")
	if err != nil {
		t.Fatalf("create the category %s: %v", name, err)
	}
	return id
}

// Topic posts a discussion, or a status if there is no category; its content is the title.
func Topic(t testing.TB, s *store.Store, by forum.UserID, category forum.CategoryID, title string) forum.TopicID {
	t.Helper()
	in := posts.NewTopic{Author: by, Kind: forum.Discussion, Title: title, Content: title, Format: forum.Markdown,
		Category: category}
	if category == 0 {
		in.Kind = forum.Status
	}
	id, err := s.CreateTopic(t.Context(), in)
	if err != nil {
		t.Fatalf("post the topic %.50s: %v", title, err)
	}
	return id
}

// Comment replies to a topic.
func Comment(t testing.TB, s *store.Store, by forum.UserID, topic forum.TopicID, text string) forum.CommentID {
	t.Helper()
	id, err := s.CreateComment(t.Context(), &forum.Viewer{ID: by, Role: forum.RoleUser},
		posts.NewComment{Topic: topic, Content: text, Format: forum.Markdown})
	if err != nil {
		t.Fatalf("comment on topic %d: %v", topic, err)
	}
	return id
}
