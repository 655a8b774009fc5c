package graph_test

import (
	"errors"
	"fmt"
	"slices"

	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/store/acts"
	"agora/internal/store/moderation"
	"agora/internal/store/posts"
	"agora/internal/store/sessions"
	"agora/internal/test/must"
)

// busy fills a filled site so that every list has rows: all users follow others, and have comments and edited posts
// that mention others. All are banned except the first and the fourth, who moderate. These and the second have read
// everything once, and have lists, and notifications of all kinds.
func (s *site) busy() {
	s.t.Helper()
	posts := s.posts()
	users := s.everybody()
	s.reply(users, posts)
	s.settle()
	s.clock.Advance(2 * forum.MergeEdits) // so that an edit makes a revision
	s.edit(users, s.posts())
	s.settle()
	s.befriend(users)
	s.moderated()
	s.sanction(users, s.posts())
	s.settle()
	for _, login := range []string{"user00", "user01", "user03"} {
		s.readOnce(userOf(s.tokenOf(login)), users)
	}
	s.settle()
}

// entry is a topic or comment of a test site.
type entry struct {
	forum.Subject
	author forum.UserID
	later  bool // a comment after the first of its topic
}

// key returns the number in a global id.
func key[T ~int64](id string) T {
	_, text, _ := globalid.Split(id)
	n, _ := forum.ParseID[T](text)
	return n
}

// posts returns all topics, each before its first 100 comments.
func (s *site) posts() (all []entry) {
	s.t.Helper()
	a := s.must("", `{ front(orderBy: {field: CREATED}) { topics(first: 100) { nodes { id author { id }
		comments(first: 100) { nodes { id author { id } } } } } } }`, nil)
	topics, _ := a.at("front", "topics", "nodes").([]any)
	for i := range topics {
		at := func(path ...any) string { return a.text(append([]any{"front", "topics", "nodes", i}, path...)...) }
		topic := forum.Subject{Topic: key[forum.TopicID](at("id"))}
		all = append(all, entry{topic, key[forum.UserID](at("author", "id")), false})
		for n := 0; at("comments", "nodes", n, "id") != ""; n++ {
			all = append(all, entry{forum.Subject{Comment: key[forum.CommentID](at("comments", "nodes", n, "id"))},
				key[forum.UserID](at("comments", "nodes", n, "author", "id")), n > 0})
		}
	}
	return all
}

// everybody returns all users, by login.
func (s *site) everybody() (all []forum.UserID) {
	s.t.Helper()
	a := s.must("", `{ users(first: 100) { nodes { id } } }`, nil)
	for n := 0; a.text("users", "nodes", n, "id") != ""; n++ {
		all = append(all, key[forum.UserID](a.text("users", "nodes", n, "id")))
	}
	return all
}

// check fails the test if something did not work.
func (s *site) check(errs ...error) {
	s.t.Helper()
	must.OK(s.t, errors.Join(errs...))
}

// reply lets each user comment on two topics, one of them today's first.
func (s *site) reply(users []forum.UserID, entries []entry) {
	s.t.Helper()
	var topics []entry
	for _, p := range entries {
		if p.Topic != 0 {
			topics = append(topics, p)
		}
	}
	for i, user := range users {
		for _, n := range []int{i % len(topics), (i + 1) % len(topics)} {
			s.clock.Advance(second)
			_, err := s.store.Bulk().Posts.CreateComment(s.t.Context(), &forum.Viewer{ID: user, Role: forum.RoleUser},
				posts.NewComment{Topic: topics[n].Topic, Content: "One more", Format: forum.Markdown})
			s.check(err)
		}
	}
}

// edit lets the authors of all posts mention users in them.
func (s *site) edit(users []forum.UserID, entries []entry) {
	s.t.Helper()
	content := "Some *text* for @user00, @user01 and @user03"
	mentions := forum.Mentions{{Fold: "user00", User: users[0]}, {Fold: "user01", User: users[1]},
		{Fold: "user03", User: users[3]}}
	for _, p := range entries {
		s.clock.Advance(second)
		by := &forum.Viewer{ID: p.author, Role: forum.RoleUser}
		if p.Topic != 0 {
			s.check(s.store.Posts.UpdateTopic(s.t.Context(), by, p.Topic, posts.TopicChange{Content: &content,
				Mentions: mentions}))
			continue
		}
		s.check(s.store.Posts.UpdateComment(s.t.Context(), by, p.Comment,
			posts.CommentChange{Content: content, Mentions: mentions}))
	}
}

// befriend lets users follow each other, and gives those who ask lists, bookmarks, blocks, read marks and sessions.
func (s *site) befriend(users []forum.UserID) {
	s.t.Helper()
	ctx := s.t.Context()
	for i, user := range users {
		s.clock.Advance(second)
		_, err := s.store.Follows.Follow(ctx, user, forum.Target{User: users[(i+1)%len(users)]}, true)
		s.check(err)
	}
	for _, by := range []forum.UserID{users[0], users[1], users[3]} {
		_, err := s.store.Follows.Block(ctx, by, users[5], true)
		s.check(err)
	}
	for _, by := range []forum.UserID{users[1], users[3]} {
		list, err := s.store.Follows.CreateList(ctx, by, "Others", "others")
		s.check(err, s.store.Follows.UpdateListMembers(ctx, by, list, []forum.UserID{users[0], users[2]}, nil))
		for n := range 2 {
			ends := s.store.Engine.Now() + forum.Time(forum.SessionLife.Milliseconds())
			s.check(s.store.Sessions.StartSession(ctx, sessions.NewSession{User: by, Digest: sessionOf(by,
				n).Digest(), Ends: ends}))
		}
	}
	for _, p := range s.posts() {
		for _, by := range []forum.UserID{users[0], users[1], users[3]} {
			if p.Topic != 0 {
				_, err := s.store.Follows.Bookmark(ctx, by, p.Topic, true)
				s.check(err, s.store.Posts.MarkTopicRead(ctx, &forum.Viewer{ID: by}, p.Topic))
			}
		}
	}
}

// moderated makes two users moderators of all categories.
func (s *site) moderated() {
	s.t.Helper()
	admin := &forum.Viewer{ID: userOf(s.tokenOf("user00")), Role: forum.RoleAdmin}
	var changes []acts.ModeratorChange
	for i, login := range []string{"user00", "user01", "user03"} {
		found := must.Do(s.store.Sessions.Credentials(s.t.Context(), login, false))(s.t)
		changes = append(changes, acts.ModeratorChange{User: found.User, On: true, Field: fmt.Sprint("add.", i)})
	}
	for category := range forum.CategoryID(3) {
		_, err := s.store.Acts.SetModerators(s.t.Context(), admin, category+1, changes,
			forum.Grounds{Reason: forum.ReasonOther})
		if err != nil {
			s.t.Fatal(err)
		}
	}
	s.settle()
}

// sanction fills the queue and the moderation log.
func (s *site) sanction(users []forum.UserID, entries []entry) {
	s.t.Helper()
	ctx := s.t.Context()
	s.check(s.store.Accounts.SetRole(ctx, users[0], forum.RoleModerator))
	admin := &forum.Viewer{ID: users[0], Role: forum.RoleAdmin}
	fourth := &forum.Viewer{ID: users[3], Role: forum.RoleAdmin}
	why := forum.Grounds{Reason: forum.ReasonSpam, Note: "A note"}
	entries = slices.DeleteFunc(entries, func(p entry) bool { return p.Comment != 0 && p.later })
	for i, p := range entries {
		s.clock.Advance(7 * second) // within what a user may report in a minute
		by := fourth
		if p.author == users[3] {
			by = admin
		}
		s.check(s.store.Acts.Report(ctx, &forum.Viewer{ID: by.ID, Role: forum.RoleUser}, p.Subject, why))
		actions := []forum.ActKind{forum.ActLock, forum.ActUnlock}
		if p.Topic != 0 {
			actions = append(actions, forum.ActPin, forum.ActUnpin)
		}
		for _, action := range actions {
			_, err := s.store.Moderation.Moderate(ctx, by, p.Subject,
				moderation.Moderation{Action: action, Grounds: why, Place: forum.PinCategory})
			s.check(err)
		}
		if i%3 == 0 {
			_, err := s.store.Acts.ResolveReports(ctx, by, forum.Rules{}, p.Subject, 1, forum.OutcomeUpheld, why)
			s.check(err)
		}
	}
	for i, id := range users {
		s.clock.Advance(7 * second)
		if i == 0 || i == 3 {
			continue
		}
		s.check(s.store.Acts.Report(ctx, &forum.Viewer{ID: users[0], Role: forum.RoleUser}, forum.Subject{User: id},
			why))
		_, err := s.store.Moderation.Warn(ctx, admin, id, why)
		s.check(err)
		_, _, err = s.store.Moderation.Ban(ctx, admin, id, forum.Ban{Scope: forum.BanPost, Grounds: why})
		s.check(err)
	}
}

// readOnce marks all timelines as read.
func (s *site) readOnce(user forum.UserID, users []forum.UserID) {
	s.t.Helper()
	mark := func(t forum.Timeline) {
		s.check(s.store.Posts.MarkTimelineRead(s.t.Context(), user, t))
	}
	orders := []forum.TopicOrderField{forum.ByCreated, forum.ByActive, forum.ByScore, forum.ByHot, forum.ByTop,
		forum.ByControversial}
	owners := map[forum.TimelineKind][]int64{forum.FrontTimeline: {0}, forum.CategoryTimeline: {1, 2, 3},
		forum.TabTimeline: {1, 2}}
	a := s.must("", `{ tags(first: 100) { nodes { id } } }`, nil)
	for n := 0; a.text("tags", "nodes", n, "id") != ""; n++ {
		var id int64
		_, text, _ := globalid.Split(a.text("tags", "nodes", n, "id"))
		fmt.Sscan(text, &id)
		owners[forum.TagTimeline] = append(owners[forum.TagTimeline], id)
	}
	for kind, of := range owners {
		for _, owner := range of {
			for _, order := range orders {
				for _, direction := range []forum.OrderDirection{forum.Ascending, forum.Descending} {
					for _, period := range []forum.Period{forum.PeriodAll, forum.PeriodWeek} {
						t := forum.Timeline{Kind: kind, Owner: owner, Order: order, Direction: direction}
						if order == forum.ByTop {
							t.Period = period
						}
						mark(t)
					}
				}
			}
		}
	}
	newest := func(kind forum.TimelineKind, owner int64) {
		mark(forum.Timeline{Kind: kind, Owner: owner, Order: forum.ByCreated, Direction: forum.Descending})
	}
	newest(forum.HomeTimeline, int64(user))
	for _, id := range users {
		newest(forum.ProfileTimeline, int64(id))
	}
	mark(forum.Timeline{Kind: forum.BookmarksTimeline, Owner: int64(user), Order: forum.ByBookmarked,
		Direction: forum.Descending})
	token := sessionOf(user, 0).String()
	a = s.must(token, `{ viewer { lists(first: 10) { nodes { id } } } }`, nil)
	for n := 0; a.text("viewer", "lists", "nodes", n, "id") != ""; n++ {
		newest(forum.ListTimeline, int64(key[forum.ListID](a.text("viewer", "lists", "nodes", n, "id"))))
	}
}
