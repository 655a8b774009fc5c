package notify_test

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
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// noteLines returns a user's notifications as read from the store, oldest first, one per line: "seq REASON
// actor subject", with a "*" if it is unread.
func noteLines(x *storetest.Site, of *forum.Viewer) []string {
	x.T.Helper()
	rows := x.Page(notify.NotificationList(of.ID, false), forum.Window{Count: 2000}).Rows
	refs := make([]notify.NoteRef, len(rows))
	for i, r := range rows {
		refs[i] = notify.NoteRef{Owner: of.ID, Seq: r.ID}
	}
	r := x.Read(x.Ctx)
	found := site.Sent(x.T, r, r.Notify.Notifications(refs))
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
		lines = append(lines, fmt.Sprintf("%d%s %s %d %s", n.Seq, mark, n.Reason, n.ActorID,
			record.EncodeSubject(n.Subject)))
	}
	slices.Reverse(lines)
	return lines
}

func wantNotes(x *storetest.Site, when string, of *forum.Viewer, want ...string) {
	x.T.Helper()
	if got := noteLines(x, of); !slices.Equal(got, want) {
		x.T.Errorf("%s: notifications of %d = %q; want %q", when, of.ID, got, want)
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
func say(x *storetest.Site, by *forum.Viewer, topic forum.TopicID, parent forum.CommentID,
	of ...*forum.Viewer) forum.CommentID {
	x.T.Helper()
	in := site.Remark(topic, parent)
	in.Mentions = naming(of...)
	return must.Do(x.Posts.CreateComment(x.Ctx, by, in))(x.T)
}

// Each user gets one notification of a comment, for the strongest reason; its author gets none.
func TestNotificationsOfAComment(t *testing.T) {
	w := storetest.NewThread(t)
	carl := w.User("carl")
	w.Settle()
	// storetest.NewThread: bob commented on ann's topic, ann replied.
	wantNotes(w.Site, "at first", w.Ann, fmt.Sprintf("1* COMMENT %d c%d", w.Bob.ID, w.CommentID))
	wantNotes(w.Site, "at first", w.Bob, fmt.Sprintf("1* REPLY %d c%d", w.Ann.ID, w.AnswerID))
	tests := []struct {
		name     string
		by       *forum.Viewer
		parent   forum.CommentID
		mentions []*forum.Viewer
		want     map[*forum.Viewer]string
	}{
		{"a mention outranks the topic", w.Bob, 0, []*forum.Viewer{w.Ann, carl},
			map[*forum.Viewer]string{w.Ann: "MENTION", carl: "MENTION"}},
		{"a reply outranks a mention and the topic", carl, w.AnswerID, []*forum.Viewer{w.Ann},
			map[*forum.Viewer]string{w.Ann: "REPLY"}},
		{"a reply to another user notifies both", carl, w.CommentID, nil,
			map[*forum.Viewer]string{w.Bob: "REPLY", w.Ann: "COMMENT"}},
		{"own actions notify no user", w.Ann, w.AnswerID, []*forum.Viewer{w.Ann}, nil},
	}
	for _, tt := range tests {
		before := map[*forum.Viewer]int{}
		for _, v := range []*forum.Viewer{w.Ann, w.Bob, carl} {
			before[v] = len(noteLines(w.Site, v))
		}
		id := say(w.Site, tt.by, w.TopicID, tt.parent, tt.mentions...)
		for v, n := range before {
			want := []string{}
			if tt.want[v] != "" {
				want = append(want, fmt.Sprintf("%d* %s %d c%d", n+1, tt.want[v], tt.by.ID, id))
			}
			if got := noteLines(w.Site, v)[n:]; !slices.Equal(got, want) {
				t.Errorf("%s: user %d has %q; want %q", tt.name, v.ID, got, want)
			}
		}
		w.Engine.Cleaner.Flush()
		h := w.Hash(key.Comment(id))
		if notified := len(record.ParseIDs[forum.UserID](h["told"])); h["tell"] != "" || notified != len(tt.want) {
			t.Errorf("%s: comment = %v; want no tell, and %d in told", tt.name, h, len(tt.want))
		}
	}
	if left := w.KeysLike(":task:n:"); len(left) > 0 {
		t.Errorf("tasks = %v; want none", left)
	}
	w.WantSound()
}

// A topic notifies the users it mentions, an edit those who were not mentioned before.
func TestNotificationsOfATopic(t *testing.T) {
	w := storetest.NewThread(t)
	carl, dora := w.User("carl"), w.User("dora")
	in := site.Discussion(w.Bob, w.A)
	in.Mentions = naming(carl, w.Bob)
	id := w.Post(in)
	wantNotes(w.Site, "after posting", carl, fmt.Sprintf("1* MENTION %d t%d", w.Bob.ID, id))
	text := "new"
	storetest.WantOK(t, "UpdateTopic", w.Posts.UpdateTopic(w.Ctx, w.Bob, id, posts.TopicChange{Content: &text,
		Mentions: naming(dora, carl)}))
	wantNotes(w.Site, "after an edit", dora, fmt.Sprintf("1* MENTION %d t%d", w.Bob.ID, id))
	wantNotes(w.Site, "after an edit", carl, fmt.Sprintf("1* MENTION %d t%d", w.Bob.ID, id))
	storetest.WantOK(t, "UpdateTopic", w.Posts.UpdateTopic(w.Ctx, w.Bob, id, posts.TopicChange{Content: &text}))
	storetest.WantOK(t, "UpdateTopic", w.Posts.UpdateTopic(w.Ctx, w.Bob, id, posts.TopicChange{Content: &text,
		Mentions: naming(dora)}))
	wantNotes(w.Site, "after taking it back and naming her again", dora, fmt.Sprintf("1* MENTION %d t%d", w.Bob.ID, id))
	w.Settle()
	if got, want := w.Hash(key.Topic(id))["told"], key.Itoa(carl.ID)+" "+key.Itoa(dora.ID); got != want {
		t.Errorf("told = %q; want %q", got, want)
	}
	w.WantSound()
}

// An edit of a comment notifies users who were not mentioned before, with the time of the edit.
func TestEditOfACommentNotifiesNewMentions(t *testing.T) {
	w := storetest.NewThread(t)
	carl := w.User("carl")
	w.Settle()
	w.Clock.Advance(time.Minute)
	storetest.WantOK(t, "UpdateComment",
		w.Posts.UpdateComment(w.Ctx, w.Bob, w.CommentID, posts.CommentChange{Content: "x", Mentions: naming(carl, w.Bob,
			w.Ann)}))
	wantNotes(w.Site, "after the edit", carl, fmt.Sprintf("1* MENTION %d c%d", w.Bob.ID, w.CommentID))
	wantNotes(w.Site, "after the edit", w.Ann, fmt.Sprintf("1* COMMENT %d c%d", w.Bob.ID, w.CommentID))
	if got, want := w.Hash(key.Note(carl.ID))["1"],
		fmt.Sprintf("MENTION %d c%d %d", w.Bob.ID, w.CommentID, w.Engine.Now()); got != want {
		t.Errorf("notification = %q; want %q", got, want)
	}
	w.WantClean()
}

// No user is notified twice, by a user in a block with them, or after deletion.
func TestRefusedNotifications(t *testing.T) {
	w := storetest.NewThread(t)
	carl, dora := w.User("carl"), w.User("dora")
	for _, block := range [][2]*forum.Viewer{{w.Bob, carl}, {dora, w.Bob}} {
		must.Do(w.Follows.Block(w.Ctx, block[0].ID, block[1].ID, true))(t)
	}
	storetest.WantOK(t, "DeleteAccount", w.Accounts.DeleteAccount(w.Ctx, w.Ann.ID, "hash of ann"))
	say(w.Site, w.Bob, w.TopicID, w.AnswerID, carl, dora)
	for _, v := range []*forum.Viewer{w.Ann, carl, dora} {
		wantNotes(w.Site, "after all", v)
	}
	w.WantClean()
}

// A notification is added once, however often it is sent; the newest are kept, and notifications older than
// deleted ones are not added again.
func TestNotificationsAreBounded(t *testing.T) {
	testlevel.Sequential(t)
	w := storetest.NewThread(t)
	w.Settle()
	carl := w.User("carl")
	give := func(id, at int64) int {
		t.Helper()
		b := w.Store.Engine.Client.Batch()
		cmd := notify.Note{To: carl.ID, Reason: forum.NotifyReply, Actor: w.Bob.ID,
			Subject: forum.Subject{Comment: forum.CommentID(id)},
			Created: forum.Time(at), Posted: listing.MarkedTopic{}}.Queue(w.Ctx, b, w.Engine.Limits.Notifications, w.Engine.Now())
		storetest.WantOK(t, "note_add", b.Exec(w.Ctx))
		return must.Do(cmd.Int())(t)
	}
	for i := range int64(forum.MaxNotifications) {
		if got := give(1000+i, 5000+i); got != notify.NoteAdded {
			t.Fatalf("note %d = %d; want %d", i, got, notify.NoteAdded)
		}
	}
	sizes := func() [4]int64 {
		return [4]int64{w.Redis.ZCard(w.Ctx, key.Notes(carl.ID)).Val(), w.Redis.ZCard(w.Ctx, key.Unread(carl.ID)).Val(),
			w.Redis.HLen(w.Ctx, key.Note(carl.ID)).Val(), record.Atoi(w.Hash(key.User(carl.ID))["noteFloor"])}
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
	if got := w.Hash(key.User(carl.ID))["noteSeq"]; got != "1002" {
		t.Errorf("noteSeq = %q; want 1002", got)
	}
}

// A follower is notified once; an import notifies no user.
func TestNotificationsOfFollowers(t *testing.T) {
	w := storetest.NewThread(t)
	for _, want := range []bool{true, false, true} {
		must.Do(w.Follows.Follow(w.Ctx, w.Bob.ID, forum.Target{User: w.Ann.ID}, want))(t)
		w.Clock.Advance(time.Second)
	}
	wantNotes(w.Site, "after following twice", w.Ann, fmt.Sprintf("1* COMMENT %d c%d", w.Bob.ID, w.CommentID),
		fmt.Sprintf("2* FOLLOW %d f%d", w.Bob.ID, w.Bob.ID))
	carl := w.User("carl")
	_, err := w.Import().Follows(w.Ctx, []bulk.NewFollow{{From: carl.ID, To: w.Ann.ID}, {From: carl.ID, To: w.Bob.ID}})
	storetest.WantOK(t, "Follows", err)
	wantNotes(w.Site, "after an import", w.Bob, fmt.Sprintf("1* REPLY %d c%d", w.Ann.ID, w.AnswerID))
	w.WantClean()
}

func TestImportsNotifyNoUser(t *testing.T) {
	w := storetest.NewThread(t)
	w.Settle()
	before := noteLines(w.Site, w.Ann)
	topic := site.Discussion(w.Bob, w.A)
	topic.Source, topic.Mentions, topic.CreatedAt = "s:t1", naming(w.Ann), w.Engine.Now()
	created := must.Do(w.Import().Topics(w.Ctx, []posts.NewTopic{topic}))(t)
	comment := bulk.NewReply{Author: w.Bob.ID, NewComment: site.Remark(w.TopicID, w.AnswerID)}
	comment.Source, comment.CreatedAt = "s:c1", w.Engine.Now()
	must.Do(w.Import().Comments(w.Ctx, []bulk.NewReply{comment}))(t)
	wantNotes(w.Site, "after an import", w.Ann, before...)
	if h := w.Hash(key.Topic(created[0].ID)); h["tell"] != "" || h["mentions"] == "" {
		t.Errorf("topic = %v; want mentions and no tell", h)
	}
	w.WantClean()
}

// A deleted account has no notifications.
func TestDeletedAccountsHaveNoNotifications(t *testing.T) {
	w := storetest.NewThread(t)
	storetest.WantOK(t, "DeleteAccount", w.Accounts.DeleteAccount(w.Ctx, w.Ann.ID, "hash of ann"))
	w.Settle()
	if left := w.KeysLike(key.User(w.Ann.ID) + ":note"); len(left) > 0 {
		t.Errorf("keys = %v; want none", left)
	}
	if h := w.Hash(key.User(w.Ann.ID)); h["noteSeq"] != "" || h["noteFloor"] != "" {
		t.Errorf("account = %v; want no numbers of notifications", h)
	}
	w.WantSound()
}
