package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/bulk"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/store/notify"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	built "agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// noteLines returns a user's notifications as read from the store, oldest first, one per line: "seq REASON
// actor subject", with a "*" if it is unread.
func (x *site) noteLines(of *forum.Viewer) []string {
	x.t.Helper()
	rows := x.page(notify.NotificationList(of.ID, false), forum.Window{Count: 2000}).Rows
	refs := make([]notify.NoteRef, len(rows))
	for i, r := range rows {
		refs[i] = notify.NoteRef{Owner: of.ID, Seq: r.ID}
	}
	r := x.Read(x.ctx)
	found := built.Sent(x.t, r, r.Notify.Notifications(refs))
	var lines []string
	for i, n := range found {
		if n == nil {
			lines = append(lines, fmt.Sprintf("%d does not exist", refs[i].Seq))
			continue
		}
		mark := "*"
		if n.IsRead {
			mark = ""
		}
		lines = append(lines, fmt.Sprintf("%d%s %s %d %s", n.Seq, mark, n.Reason, n.ActorID, record.EncodeSubject(n.Subject)))
	}
	slices.Reverse(lines)
	return lines
}

func (x *site) wantNotes(when string, of *forum.Viewer, want ...string) {
	x.t.Helper()
	if got := x.noteLines(of); !slices.Equal(got, want) {
		x.t.Errorf("%s: notifications of %d = %q; want %q", when, of.ID, got, want)
	}
}

// naming returns mentions of users.
func naming(of ...*forum.Viewer) forum.Mentions {
	var ms forum.Mentions
	for i, v := range of {
		ms = append(ms, forum.Mention{Fold: fmt.Sprintf("m%d", i), User: v.ID})
	}
	return ms
}

// say posts a comment that mentions users.
func (x *site) say(by *forum.Viewer, topic forum.TopicID, parent forum.CommentID, of ...*forum.Viewer) forum.CommentID {
	x.t.Helper()
	in := remark(topic, parent)
	in.Mentions = naming(of...)
	return must.Do(x.Posts.CreateComment(x.ctx, by, in))(x.t)
}

// Each user gets one notification of a comment, for the strongest reason; its author gets none.
func TestNotificationsOfAComment(t *testing.T) {
	w := newThreadSite(t)
	carl := w.User("carl")
	w.settle()
	// newThreadSite: bob commented on ann's topic, ann replied.
	w.wantNotes("at first", w.ann, fmt.Sprintf("1* COMMENT %d c%d", w.bob.ID, w.comment))
	w.wantNotes("at first", w.bob, fmt.Sprintf("1* REPLY %d c%d", w.ann.ID, w.answer))
	tests := []struct {
		name     string
		by       *forum.Viewer
		parent   forum.CommentID
		mentions []*forum.Viewer
		want     map[*forum.Viewer]string
	}{
		{"a mention outranks the topic", w.bob, 0, []*forum.Viewer{w.ann, carl},
			map[*forum.Viewer]string{w.ann: "MENTION", carl: "MENTION"}},
		{"a reply outranks a mention and the topic", carl, w.answer, []*forum.Viewer{w.ann},
			map[*forum.Viewer]string{w.ann: "REPLY"}},
		{"a reply to another user notifies both", carl, w.comment, nil,
			map[*forum.Viewer]string{w.bob: "REPLY", w.ann: "COMMENT"}},
		{"own actions notify no user", w.ann, w.answer, []*forum.Viewer{w.ann}, nil},
	}
	for _, tt := range tests {
		before := map[*forum.Viewer]int{}
		for _, v := range []*forum.Viewer{w.ann, w.bob, carl} {
			before[v] = len(w.noteLines(v))
		}
		id := w.say(tt.by, w.topic, tt.parent, tt.mentions...)
		for v, n := range before {
			want := []string{}
			if tt.want[v] != "" {
				want = append(want, fmt.Sprintf("%d* %s %d c%d", n+1, tt.want[v], tt.by.ID, id))
			}
			if got := w.noteLines(v)[n:]; !slices.Equal(got, want) {
				t.Errorf("%s: user %d has %q; want %q", tt.name, v.ID, got, want)
			}
		}
		w.Engine.Cleaner.Flush()
		h := w.hash(key.Comment(id))
		if notified := len(record.ParseIDs[forum.UserID](h["told"])); h["tell"] != "" || notified != len(tt.want) {
			t.Errorf("%s: comment = %v; want no tell, and %d in told", tt.name, h, len(tt.want))
		}
	}
	if left := w.keysLike(":task:n:"); len(left) > 0 {
		t.Errorf("tasks = %v; want none", left)
	}
	w.wantSound()
}

// A topic notifies the users it mentions, an edit those who were not mentioned before.
func TestNotificationsOfATopic(t *testing.T) {
	w := newThreadSite(t)
	carl, dora := w.User("carl"), w.User("dora")
	in := discussion(w.bob, w.a)
	in.Mentions = naming(carl, w.bob)
	id := w.Post(in)
	w.wantNotes("after posting", carl, fmt.Sprintf("1* MENTION %d t%d", w.bob.ID, id))
	text := "new"
	wantOK(t, "UpdateTopic", w.Posts.UpdateTopic(w.ctx, w.bob, id, posts.TopicChange{Content: &text,
		Mentions: naming(dora, carl)}))
	w.wantNotes("after an edit", dora, fmt.Sprintf("1* MENTION %d t%d", w.bob.ID, id))
	w.wantNotes("after an edit", carl, fmt.Sprintf("1* MENTION %d t%d", w.bob.ID, id))
	wantOK(t, "UpdateTopic", w.Posts.UpdateTopic(w.ctx, w.bob, id, posts.TopicChange{Content: &text}))
	wantOK(t, "UpdateTopic", w.Posts.UpdateTopic(w.ctx, w.bob, id, posts.TopicChange{Content: &text,
		Mentions: naming(dora)}))
	w.wantNotes("after taking it back and naming her again", dora, fmt.Sprintf("1* MENTION %d t%d", w.bob.ID, id))
	w.settle()
	if got, want := w.hash(key.Topic(id))["told"], key.Itoa(carl.ID)+" "+key.Itoa(dora.ID); got != want {
		t.Errorf("told = %q; want %q", got, want)
	}
	w.wantSound()
}

// An edit of a comment notifies users who were not mentioned before, with the time of the edit.
func TestEditOfACommentNotifiesNewMentions(t *testing.T) {
	w := newThreadSite(t)
	carl := w.User("carl")
	w.settle()
	w.clock.Advance(time.Minute)
	wantOK(t, "UpdateComment",
		w.Posts.UpdateComment(w.ctx, w.bob, w.comment, posts.CommentChange{Content: "x", Mentions: naming(carl, w.bob,
			w.ann)}))
	w.wantNotes("after the edit", carl, fmt.Sprintf("1* MENTION %d c%d", w.bob.ID, w.comment))
	w.wantNotes("after the edit", w.ann, fmt.Sprintf("1* COMMENT %d c%d", w.bob.ID, w.comment))
	if got, want := w.hash(key.Note(carl.ID))["1"],
		fmt.Sprintf("MENTION %d c%d %d", w.bob.ID, w.comment, w.Engine.Now()); got != want {
		t.Errorf("notification = %q; want %q", got, want)
	}
	w.wantClean()
}

// No user is notified twice, by a user in a block with them, or after deletion.
func TestRefusedNotifications(t *testing.T) {
	w := newThreadSite(t)
	carl, dora := w.User("carl"), w.User("dora")
	for _, block := range [][2]*forum.Viewer{{w.bob, carl}, {dora, w.bob}} {
		must.Do(w.Follows.Block(w.ctx, block[0].ID, block[1].ID, true))(t)
	}
	wantOK(t, "DeleteAccount", w.Accounts.DeleteAccount(w.ctx, w.ann.ID, "hash of ann"))
	w.say(w.bob, w.topic, w.answer, carl, dora)
	for _, v := range []*forum.Viewer{w.ann, carl, dora} {
		w.wantNotes("after all", v)
	}
	w.wantClean()
}

// A notification is added once, however often it is sent; the newest are kept, and notifications older than
// deleted ones are not added again.
func TestNotificationsAreBounded(t *testing.T) {
	testlevel.Sequential(t)
	w := newThreadSite(t)
	w.settle()
	carl := w.User("carl")
	give := func(id, at int64) int {
		t.Helper()
		b := w.Store.Engine.Client.Batch()
		cmd := notify.Note{To: carl.ID, Reason: forum.NotifyReply, Actor: w.bob.ID, Subject: forum.Subject{Comment: forum.CommentID(id)},
			Created: forum.Time(at), Posted: listing.MarkedTopic{}}.Queue(w.ctx, b, w.Engine.Caps.Notes, w.Engine.Now())
		wantOK(t, "note_add", b.Exec(w.ctx))
		return must.Do(cmd.Int())(t)
	}
	for i := range int64(forum.MaxNotifications) {
		if got := give(1000+i, 5000+i); got != notify.NoteAdded {
			t.Fatalf("note %d = %d; want %d", i, got, notify.NoteAdded)
		}
	}
	sizes := func() [4]int64 {
		return [4]int64{w.rdb.ZCard(w.ctx, key.Notes(carl.ID)).Val(), w.rdb.ZCard(w.ctx, key.Unread(carl.ID)).Val(),
			w.rdb.HLen(w.ctx, key.Note(carl.ID)).Val(), record.Atoi(w.hash(key.User(carl.ID))["noteFloor"])}
	}
	steps := []struct {
		name   string
		id, at int64
		want   int
		sizes  [4]int64
	}{
		{"the last kept one again", 1999, 9000, notify.NoteKnown, [4]int64{1000, 1000, 2000, 0}},
		{"one more", 2000, 9000, notify.NoteAdded, [4]int64{1000, 1000, 2000, 5000}},
		{"the deleted one", 1000, 5000, notify.NoteRefused, [4]int64{1000, 1000, 2000, 5000}},
		{"one that is a little newer", 3000, 5001, notify.NoteAdded, [4]int64{1000, 1000, 2000, 5001}},
	}
	for _, s := range steps {
		if got := give(s.id, s.at); got != s.want || sizes() != s.sizes {
			t.Errorf("%s: %d, sizes %v; want %d, %v", s.name, got, sizes(), s.want, s.sizes)
		}
	}
	if got := w.hash(key.User(carl.ID))["noteSeq"]; got != "1002" {
		t.Errorf("noteSeq = %q; want 1002", got)
	}
}

// A follower is notified once; an import notifies no user.
func TestNotificationsOfFollowers(t *testing.T) {
	w := newThreadSite(t)
	for _, want := range []bool{true, false, true} {
		must.Do(w.Follows.Follow(w.ctx, w.bob.ID, forum.Target{User: w.ann.ID}, want))(t)
		w.clock.Advance(time.Second)
	}
	w.wantNotes("after following twice", w.ann, fmt.Sprintf("1* COMMENT %d c%d", w.bob.ID, w.comment),
		fmt.Sprintf("2* FOLLOW %d f%d", w.bob.ID, w.bob.ID))
	carl := w.User("carl")
	_, err := w.Import().Follows(w.ctx, []bulk.NewFollow{{From: carl.ID, To: w.ann.ID}, {From: carl.ID, To: w.bob.ID}})
	wantOK(t, "Follows", err)
	w.wantNotes("after an import", w.bob, fmt.Sprintf("1* REPLY %d c%d", w.ann.ID, w.answer))
	w.wantClean()
}

func TestImportsNotifyNoUser(t *testing.T) {
	w := newThreadSite(t)
	w.settle()
	before := w.noteLines(w.ann)
	topic := discussion(w.bob, w.a)
	topic.Source, topic.Mentions, topic.CreatedAt = "s:t1", naming(w.ann), w.Engine.Now()
	created := must.Do(w.Import().Topics(w.ctx, []posts.NewTopic{topic}))(t)
	comment := bulk.NewReply{Author: w.bob.ID, NewComment: remark(w.topic, w.answer)}
	comment.Source, comment.CreatedAt = "s:c1", w.Engine.Now()
	must.Do(w.Import().Comments(w.ctx, []bulk.NewReply{comment}))(t)
	w.wantNotes("after an import", w.ann, before...)
	if h := w.hash(key.Topic(created[0].ID)); h["tell"] != "" || h["mentions"] == "" {
		t.Errorf("topic = %v; want mentions and no tell", h)
	}
	w.wantClean()
}

// A deleted account has no notifications.
func TestDeletedAccountsHaveNoNotifications(t *testing.T) {
	w := newThreadSite(t)
	wantOK(t, "DeleteAccount", w.Accounts.DeleteAccount(w.ctx, w.ann.ID, "hash of ann"))
	w.settle()
	if left := w.keysLike(key.User(w.ann.ID) + ":note"); len(left) > 0 {
		t.Errorf("keys = %v; want none", left)
	}
	if h := w.hash(key.User(w.ann.ID)); h["noteSeq"] != "" || h["noteFloor"] != "" {
		t.Errorf("account = %v; want no numbers of notifications", h)
	}
	w.wantSound()
}
