package acts_test

import (
	"fmt"
	"strings"
	"testing"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/posts"
	"agora/internal/store/storetest"
	"agora/internal/test/site"
)

// evidenceOf returns the copies of a subject, latest first.
func evidenceOf(w *storetest.Thread, of forum.Subject) []*forum.Evidence {
	w.T.Helper()
	r := w.Read(w.Ctx)
	return site.Sent(w.T, r, r.Acts.Evidence([]forum.Subject{of}))[0]
}

// The first copy and the latest are kept, each of at most 64 KiB of whole characters. What did not change since the
// last copy is not copied again.
func TestEvidenceIsBounded(t *testing.T) {
	w := storetest.NewModerated(t)
	of := forum.Subject{Comment: w.CommentID}
	change := func(content string) {
		w.Clock.Advance(1e9)
		storetest.WantOK(t, "UpdateComment", w.Posts.UpdateComment(w.Ctx, w.Bob, w.CommentID,
			posts.CommentChange{Content: content}))
	}
	for i := range forum.EvidenceCopies + 2 {
		change(fmt.Sprint("Text ", i))
		for _, action := range []forum.ActKind{forum.ActLock, forum.ActUnlock, forum.ActLock, forum.ActUnlock} {
			w.Moderate(w.Mod, of, action)
		}
	}
	var texts []string
	for _, e := range evidenceOf(w.Thread, of) {
		texts = append(texts, e.Content)
	}
	if got, want := strings.Join(texts, ","), "Text 6,Text 5,Text 4,Text 3,Text 0"; got != want {
		t.Errorf("copies = %s; want %s", got, want)
	}
	change("x" + strings.Repeat("é", forum.MaxEvidence/2))
	w.Moderate(w.Mod, of, forum.ActLock)
	latest := evidenceOf(w.Thread, of)[0]
	if want := "x" + strings.Repeat("é", forum.MaxEvidence/2-1); latest.Content != want || !latest.Truncated {
		t.Errorf("the copy has %d bytes, truncated: %t; want %d whole characters", len(latest.Content),
			latest.Truncated,
			forum.MaxEvidence/2)
	}
	w.WantClean()
	if n := w.Redis.HLen(w.Ctx, key.Evidence(of)).Val(); n != forum.EvidenceCopies {
		t.Errorf("%d copies are stored; want %d", n, forum.EvidenceCopies)
	}
}

// Of a topic that was deleted, the log keeps which fields moderators have edited, not what they said.
func TestActsOfDeletedTopicsLoseTheirTitles(t *testing.T) {
	x := storetest.New(t)
	ann, mod := x.User("ann"), x.Moderator("mod")
	topic, title := x.Topic(ann, x.Category("go")), "What a moderator wrote"
	storetest.WantOK(t, "UpdateTopic", x.Posts.UpdateTopic(x.Ctx, mod, topic,
		posts.TopicChange{Title: &title, Why: forum.Grounds{Reason: forum.ReasonOther}}))
	acts := x.Redis.ZRange(x.Ctx, key.SubjectActs(forum.Subject{Topic: topic}), 0, -1).Val()
	if len(acts) != 1 {
		t.Fatalf("acts = %v; want one", acts)
	}
	id, _, err := record.ParseMember(acts[0])
	storetest.WantOK(t, "ParseMember", err)
	act := key.Act(forum.ActID(id))
	before := x.Redis.HGet(x.Ctx, act, "detail").Val()
	storetest.WantOK(t, "DeleteTopic", x.Posts.DeleteTopic(x.Ctx, ann, topic))
	if after := x.Redis.HGet(x.Ctx, act, "detail").Val(); !strings.Contains(before, title) || after != "title" {
		t.Errorf("the act has %q, and %q after the topic was deleted; want the title, and only its name", before, after)
	}
}
