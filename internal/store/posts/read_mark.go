package posts

import (
	"context"
	"fmt"
	"maps"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/homes"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/paging"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/store/script"
)

// TimelineMark is the mark of a timeline; its value is a time.
func TimelineMark(t forum.Timeline) listing.ReadMark { return listing.ReadMark("l" + t.Name()) }

// visible reports whether a viewer may see the topic with these fields.
func (s *Store) visible(ctx context.Context, by *forum.Viewer, f record.Fields) bool {
	var t forum.Topic
	catalogue.Topic.Decode(&t, maps.All(f))
	rules := s.rules.Current(ctx)
	return t.VisibleTo(by, &rules)
}

// MarkTopicRead records that the viewer has read all current comments of a topic. A viewer who can see a
// deleted topic may mark it too. It returns NOT_FOUND at topicId, UNAUTHENTICATED.
func (s *Store) MarkTopicRead(ctx context.Context, by *forum.Viewer, id forum.TopicID) error {
	b := s.engine.Client.Batch()
	read := record.Get(ctx, b, key.Topic(id), "state", "audience", "author", "category", "floor")
	if err := b.Exec(ctx); err != nil {
		return fmt.Errorf("mark topic %d: %w", id, err)
	}
	f := read()
	if !s.visible(ctx, by, f) {
		return forum.NotFound(forum.Path("topicId"), "topic")
	}
	return s.MarkRead(ctx, by.ID, listing.TopicMark(id), int64(f.Int("floor")), forum.Subject{})
}

// MarkCommentRead records that the viewer has read the comments of a topic up to one of them, and marks the
// notification about that one as read. A viewer who can see a deleted topic may do so too. It returns NOT_FOUND at
// commentId, UNAUTHENTICATED.
func (s *Store) MarkCommentRead(ctx context.Context, by *forum.Viewer, id forum.CommentID) error {
	at, err := record.LocateComment(ctx, s.engine.Client, id)
	if err != nil {
		return fmt.Errorf("mark comment %d: %w", id, err)
	}
	b := s.engine.Client.Batch()
	read := record.Get(ctx, b, key.Topic(at.Topic), "state", "audience", "author", "category")
	if err := b.Exec(ctx); err != nil {
		return fmt.Errorf("mark comment %d: %w", id, err)
	}
	if !s.visible(ctx, by, read()) {
		return forum.NotFound(forum.Path("commentId"), "comment")
	}
	return s.MarkRead(ctx, by.ID, listing.TopicMark(at.Topic), at.Number, forum.Subject{Comment: id})
}

// MarkTimelineRead records that a user has seen all current topics of a timeline, which the user must be
// allowed to read. It returns UNAUTHENTICATED.
func (s *Store) MarkTimelineRead(ctx context.Context, by forum.UserID, t forum.Timeline) error {
	return s.MarkRead(ctx, by, TimelineMark(t), int64(s.engine.Now()), forum.Subject{})
}

// MarkRead sets a mark; the notification about a comment is marked as read with it.
func (s *Store) MarkRead(ctx context.Context, by forum.UserID, m listing.ReadMark, upTo int64,
	about forum.Subject) error {
	s.engine.Step("mark_read")
	call := script.MarkRead{
		User: key.User(by), Marks: key.Marks(by), Marked: key.Marked(by), Name: string(m), UpTo: upTo,
		Now: s.engine.Now(), Most: int64(s.engine.Limits.ReadMarks),
	}
	if about.Comment != 0 {
		subject := record.EncodeSubject(about)
		call.Unread, call.Notes, call.Subject = key.Unread(by), key.Note(by), &subject
	}
	if err := s.engine.Client.Run(ctx, call).Err(); err != nil {
		return fmt.Errorf("mark %s: %w", m, record.ScriptError(err))
	}
	return nil
}

// ReadMarks reads how far a user has read; nil where nothing is marked.
func (r Read) ReadMarks(by forum.UserID, marks []listing.ReadMark) func() ([]*int64, error) {
	names := make([]string, len(marks))
	for i, m := range marks {
		names[i] = string(m)
	}
	cmd := r.read.Batch.HMGet(r.read.Ctx, key.Marks(by), names...)
	return func() ([]*int64, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		upTo := make([]*int64, len(marks))
		for i, v := range cmd.Val() {
			if text, ok := v.(string); ok {
				n := record.Atoi(text)
				upTo[i] = &n
			}
		}
		return upTo, nil
	}
}

// UnreadComments counts the live comments of topics above the numbers, except the user's own: all comments
// above, minus tombstones, minus own ones. A comment that is posted or deleted between these counts shows
// in all or none of them the next time.
func (r Read) UnreadComments(by forum.UserID, topics []listing.MarkedTopic) func() ([]int, error) {
	type counts struct{ own, deleted, all *redis.IntCmd }
	cmds := make([]counts, len(topics))
	for i, t := range topics {
		above := "(" + strconv.FormatInt(t.Number, 10)
		cmds[i] = counts{
			own: r.read.Batch.ZLexCount(r.read.Ctx, key.Authors(t.ID), "("+record.Authored(by, t.Number),
				"["+record.Authored(by, listing.MaxNumber)),
			deleted: r.read.Batch.ZCount(r.read.Ctx, key.Tombstones(t.ID), above, "+inf"),
			all:     r.read.Batch.ZCount(r.read.Ctx, key.TopicComments(t.ID), above, "+inf"),
		}
	}
	return func() ([]int, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		unread := make([]int, len(topics))
		for i, c := range cmds {
			unread[i] = int(max(0, c.all.Val()-c.deleted.Val()-c.own.Val()))
		}
		return unread, nil
	}
}

// Unread counts the topics of a list that are newer than a time. Kind is that of the timeline.
type Unread struct {
	List  listing.List
	Kind  forum.TimelineKind
	Since forum.Time
}

// UnreadLists returns the lists of a timeline's topics in which UnreadTopics counts: by time of posting,
// whatever the timeline's order. tab is as for TimelineLists.
func UnreadLists(t forum.Timeline, tab []forum.CategoryID) []listing.List {
	switch t.Kind {
	case forum.HomeTimeline:
		return []listing.List{{Name: t.Name(), Key: key.Home(forum.UserID(t.Owner)), Newest: true}}
	case forum.BookmarksTimeline, forum.DayRankTimeline, forum.ProfileTimeline:
		return listing.TimelineLists(t, tab)
	}
	t.Order, t.Direction = forum.ByCreated, forum.Descending
	return listing.TimelineLists(t, tab)
}

// UnreadTopics counts the topics of lists that are newer than a time: posted later, or in bookmarks,
// bookmarked later.
func (r Read) UnreadTopics(of []Unread) func() ([]int, error) {
	gets := make([]func() (int, error), len(of))
	for i, u := range of {
		gets[i] = r.unreadTopics(u)
	}
	return func() ([]int, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		ns := make([]int, len(of))
		for i, get := range gets {
			var err error
			if ns[i], err = get(); err != nil {
				return nil, err
			}
		}
		return ns, nil
	}
}

func (r Read) unreadTopics(u Unread) func() (int, error) {
	if u.Kind == forum.DayRankTimeline { // ordered by comments: read the rows
		rows := listing.On(r.read).RangeOf(u.List, forum.Window{Count: forum.MaxUnread})
		return func() (int, error) {
			all, err := rows()
			return paging.CountAfter(all, u.Since), err
		}
	}
	since := int64(u.Since)
	if u.Kind == forum.BookmarksTimeline { // to the end of that millisecond
		n := r.read.Batch.Run(r.read.Ctx, script.BookmarksCount{Bookmarks: u.List.Key, Hidden: u.List.Hidden,
			Since: since*1000 + 999})
		return func() (int, error) { return n.Int() }
	}
	n := r.read.Batch.ZCount(r.read.Ctx, u.List.Key, "("+strconv.FormatInt(since, 10), "+inf")
	return func() (int, error) { return int(n.Val()), nil }
}

// HomeWatermarks reads from which time of posting on homes are complete; nil if nothing is below, a time in
// the future if they are not kept.
func (r Read) HomeWatermarks(owners []forum.UserID) func() ([]*forum.Time, error) {
	cmds := make([]*redis.StringCmd, len(owners))
	for i, id := range owners {
		cmds[i] = r.read.Batch.HGet(r.read.Ctx, key.Internal(key.User(id)), "homeFloor")
	}
	return func() ([]*forum.Time, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		watermarks := make([]*forum.Time, len(owners))
		for i, cmd := range cmds {
			if cmd.Val() == "" {
				continue
			}
			never := forum.Time(1<<63 - 1)
			watermarks[i] = &never
			if _, created, err := record.ParseMember(cmd.Val()); err == nil {
				watermarks[i] = &created
			}
		}
		return watermarks, nil
	}
}

// UnreadBelow counts the topics of a home that were posted after a time, including those below its
// watermark. It takes as many round trips as reading such a page.
func (s *Store) UnreadBelow(ctx context.Context, owner forum.UserID, since forum.Time) (int, error) {
	r := s.engine.Read(ctx)
	part := homes.On(r).HomePart(owner, forum.Window{Count: forum.MaxUnread}, s.rules.Current(ctx).Epochs)
	if err := r.Exec(); err != nil {
		return 0, fmt.Errorf("unread topics at home of user %d: %w", owner, err)
	}
	h, err := part()
	if err != nil {
		return 0, err
	}
	var page forum.Page
	if h.Whole() {
		page = h.Page()
	} else if page, err = s.homes.FinishHome(ctx, h); err != nil {
		return 0, err
	}
	return paging.CountAfter(page.Rows, since), nil
}
