package fsck

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/bulk"
	"agora/internal/store/internal/key"
	"agora/internal/store/posts"
	"agora/internal/store/votes"
	texts "agora/internal/text"
)

// changeEmail changes the e-mail of a user created by account.
func changeEmail(s *store.Store, x *site, login string, id forum.UserID, email string) error {
	return s.ChangeEmail(x.ctx, id, "hash of "+login, email, strings.ToLower(email))
}

// failSignIn counts a failed sign-in and returns how long the address must wait instead; 0 if it
// was allowed.
func (x *site) failSignIn(name, address string) time.Duration {
	x.t.Helper()
	_, _, err := x.BeginSignIn(x.ctx, accounts.SignIn{Fold: name, Name: name, Address: address, Failures: 10})
	var refused *forum.Error
	if err != nil && (!errors.As(err, &refused) || refused.Code != forum.CodeRateLimited) {
		x.t.Fatalf("BeginSignIn: %v", err)
	}
	if refused == nil {
		return 0
	}
	return refused.RetryAfter
}

// knowDevice signs a user in from an address.
func (x *site) knowDevice(id forum.UserID, address string) {
	x.t.Helper()
	in := accounts.NewSession{User: id, Digest: strings.Repeat("d0", 32), Ends: x.Now() + 1_000_000, UserAgent: "test",
		Address: address}
	wantOK(x.t, "StartSession", x.StartSession(x.ctx, in))
}

// keep sets or removes a user's bookmark, and reports whether that changed anything.
func (x *site) keep(by *forum.Viewer, id forum.TopicID, want bool) bool {
	x.t.Helper()
	changed, err := x.Bookmark(x.ctx, by.ID, id, want)
	wantOK(x.t, "Bookmark", err)
	return changed
}

// importedAt is the time of all imported objects: in 2020.
const importedAt forum.Time = 1_577_934_245_000

// newMember returns a member of another site whose login may become any of those passed, or the
// first with a number.
func newMember(source string, logins ...string) bulk.ImportUser {
	all := func(yield func(string) bool) {
		for _, login := range logins {
			if !yield(login) {
				return
			}
		}
		for n := 1000; yield(logins[0] + "-" + strconv.Itoa(n)); n++ {
		}
	}
	return bulk.ImportUser{Source: source, Logins: all, Name: strings.ToUpper(logins[0]), CreatedAt: importedAt}
}

// importedTopic is a discussion of another site; author 0 is the ghost.
func importedTopic(source string, author forum.UserID, c forum.CategoryID) posts.NewTopic {
	return posts.NewTopic{
		Author: author, Kind: forum.Discussion, Title: "title of " + source, Content: "text of " + source, Format: forum.HTML,
		Category: c, CreatedAt: importedAt, Source: source,
	}
}

// importedReply is a comment of another site.
func importedReply(source string, author forum.UserID, on forum.TopicID, parent forum.CommentID) bulk.NewReply {
	return bulk.NewReply{Author: author, NewComment: posts.NewComment{
		Topic: on, Parent: parent, Content: "text of " + source, Format: forum.HTML, CreatedAt: importedAt + 1000,
		Source: source,
	}}
}

// readTopic marks a topic as read.
func (x *site) readTopic(by *forum.Viewer, id forum.TopicID) {
	x.t.Helper()
	wantOK(x.t, "MarkTopicRead", x.MarkTopicRead(x.ctx, by, id))
}

func (x *site) start(user forum.UserID, digest string, life time.Duration) {
	x.t.Helper()
	wantOK(x.t, "StartSession",
		x.StartSession(x.ctx, accounts.NewSession{User: user, Digest: digest, Ends: x.Now() + forum.Time(life.Milliseconds()),
			UserAgent: "Browser/1.0 (of " + digest + ")"}))
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

// follow sets or ends a follow, which must change something.
func (x *site) follow(by *forum.Viewer, target forum.Target, want bool) {
	x.t.Helper()
	changed, err := x.Follow(x.ctx, by.ID, target, want)
	if err != nil || !changed {
		x.t.Fatalf("Follow(%d, %+v, %t) = %t, %v; want true", by.ID, target, want, changed, err)
	}
}

// account returns the registration of a user.
func account(login string) accounts.NewUser {
	return accounts.NewUser{
		Login: login, LoginFold: strings.ToLower(login), Name: login,
		Email: login + "@Example.org", EmailFold: strings.ToLower(login) + "@example.org",
		PasswordHash: "hash of " + login,
	}
}

// user registers a user.
func (x *site) user(login string) *forum.Viewer {
	x.t.Helper()
	id, err := x.Register(x.ctx, account(login))
	if err != nil {
		x.t.Fatalf("Register(%q): %v", login, err)
	}
	return &forum.Viewer{ID: id, Role: forum.RoleUser}
}

// userElsewhere registers a user in another partition than p.
func (x *site) userElsewhere(p forum.Partition) *forum.Viewer {
	x.t.Helper()
	for n := 0; ; n++ {
		login := fmt.Sprintf("elsewhere%d", n)
		if key.PartitionOfLogin(login) != p {
			return x.user(login)
		}
	}
}

// moderator registers a moderator.
func (x *site) moderator(login string) *forum.Viewer {
	x.t.Helper()
	v := x.user(login)
	if err := x.SetRole(x.ctx, v.ID, forum.RoleModerator); err != nil {
		x.t.Fatalf("SetRole(%q): %v", login, err)
	}
	return &forum.Viewer{ID: v.ID, Role: forum.RoleModerator}
}

// category creates a category.
func (x *site) category(name string) forum.CategoryID {
	x.t.Helper()
	id, err := x.CreateCategory(x.ctx, name, strings.ToLower(name), "")
	if err != nil {
		x.t.Fatalf("CreateCategory(%q): %v", name, err)
	}
	return id
}

// tab creates a tab of categories.
func (x *site) tab(name string, categories ...forum.CategoryID) forum.TabID {
	x.t.Helper()
	id, err := x.CreateTab(x.ctx, name, strings.ToLower(name), categories)
	if err != nil {
		x.t.Fatalf("CreateTab(%q): %v", name, err)
	}
	return id
}

// discussion returns a new topic.
func discussion(by *forum.Viewer, c forum.CategoryID) posts.NewTopic {
	return posts.NewTopic{Author: by.ID, Kind: forum.Discussion, Title: "a title", Content: "a text",
		Format: forum.Markdown, Category: c}
}

// topic posts a discussion.
func (x *site) topic(by *forum.Viewer, c forum.CategoryID) forum.TopicID {
	x.t.Helper()
	id, err := x.CreateTopic(x.ctx, discussion(by, c))
	if err != nil {
		x.t.Fatalf("CreateTopic: %v", err)
	}
	return id
}

// remark returns a new comment.
func remark(on forum.TopicID, parent forum.CommentID) posts.NewComment {
	return posts.NewComment{Topic: on, Parent: parent, Content: "a reply", Format: forum.Markdown}
}

// comment replies to a topic, or to a parent in it.
func (x *site) comment(by *forum.Viewer, on forum.TopicID, parent forum.CommentID) forum.CommentID {
	x.t.Helper()
	id, err := x.CreateComment(x.ctx, by, remark(on, parent))
	if err != nil {
		x.t.Fatalf("CreateComment: %v", err)
	}
	return id
}

// labels returns tags with these names.
func labels(names ...string) forum.TopicTags {
	tags, err := texts.Tags(nil, names)
	if err != nil {
		panic(err)
	}
	return tags
}

// link returns a new article.
func link(by *forum.Viewer, tags ...string) posts.NewTopic {
	return posts.NewTopic{Author: by.ID, Kind: forum.Article, Title: "a link", Link: "https://example.org/",
		Format: forum.Markdown, Tags: labels(tags...)}
}

// post posts a topic.
func (x *site) post(in posts.NewTopic) forum.TopicID {
	x.t.Helper()
	id, err := x.CreateTopic(x.ctx, in)
	wantOK(x.t, "CreateTopic", err)
	return id
}

// cast votes on a topic.
func (x *site) cast(by *forum.Viewer, id forum.TopicID, v forum.VoteDirection) votes.Voted {
	x.t.Helper()
	voted, err := x.VoteTopic(x.ctx, by, id, v)
	wantOK(x.t, "VoteTopic", err)
	return voted
}

// castOn votes on a comment.
func (x *site) castOn(by *forum.Viewer, id forum.CommentID, v forum.VoteDirection) votes.Voted {
	x.t.Helper()
	voted, err := x.VoteComment(x.ctx, by, id, v)
	wantOK(x.t, "VoteComment", err)
	return voted
}

// give adds and removes tags of a topic.
func (x *site) give(by *forum.Viewer, id forum.TopicID, add, remove forum.TopicTags) {
	x.t.Helper()
	wantOK(x.t, "RetagTopic", x.RetagTopic(x.ctx, by, id, add, remove, forum.Grounds{Reason: forum.ReasonOther}))
}
