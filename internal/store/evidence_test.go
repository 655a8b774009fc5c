package store_test

import (
	"fmt"
	"strings"
	"testing"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/posts"
	built "agora/internal/test/site"
)

// evidenceOf returns the copies of a subject, latest first.
func (w *threadSite) evidenceOf(of forum.Subject) []*forum.Evidence {
	w.t.Helper()
	r := w.Read(w.ctx)
	return built.Sent(w.t, r, r.Acts.Evidence([]forum.Subject{of}))[0]
}

// The first copy and the latest are kept, each of at most 64 KiB of whole characters. What did not change since the
// last copy is not copied again.
func TestEvidenceIsBounded(t *testing.T) {
	w := newModeratedSite(t)
	of := forum.Subject{Comment: w.comment}
	change := func(content string) {
		w.clock.Advance(1e9)
		wantOK(t, "UpdateComment", w.Posts.UpdateComment(w.ctx, w.bob, w.comment,
			posts.CommentChange{Content: content}))
	}
	for i := range forum.EvidenceCopies + 2 {
		change(fmt.Sprint("Text ", i))
		for _, action := range []forum.ActKind{forum.ActLock, forum.ActUnlock, forum.ActLock, forum.ActUnlock} {
			w.moderate(w.mod, of, action)
		}
	}
	var texts []string
	for _, e := range w.evidenceOf(of) {
		texts = append(texts, e.Content)
	}
	if got, want := strings.Join(texts, ","), "Text 6,Text 5,Text 4,Text 3,Text 0"; got != want {
		t.Errorf("copies = %s; want %s", got, want)
	}
	change("x" + strings.Repeat("é", forum.MaxEvidence/2))
	w.moderate(w.mod, of, forum.ActLock)
	latest := w.evidenceOf(of)[0]
	if want := "x" + strings.Repeat("é", forum.MaxEvidence/2-1); latest.Content != want || !latest.Truncated {
		t.Errorf("the copy has %d bytes, truncated: %t; want %d whole characters", len(latest.Content), latest.Truncated,
			forum.MaxEvidence/2)
	}
	w.wantClean()
	if n := w.rdb.HLen(w.ctx, key.Evidence(of)).Val(); n != forum.EvidenceCopies {
		t.Errorf("%d copies are stored; want %d", n, forum.EvidenceCopies)
	}
}

// Of a topic that was deleted, the log keeps which fields moderators have edited, not what they said.
func TestActsOfDeletedTopicsLoseTheirTitles(t *testing.T) {
	x := newSite(t)
	ann, mod := x.User("ann"), x.Moderator("mod")
	topic, title := x.Topic(ann, x.Category("go")), "What a moderator wrote"
	wantOK(t, "UpdateTopic", x.Posts.UpdateTopic(x.ctx, mod, topic,
		posts.TopicChange{Title: &title, Why: forum.Grounds{Reason: forum.ReasonOther}}))
	acts := x.rdb.ZRange(x.ctx, key.SubjectActs(forum.Subject{Topic: topic}), 0, -1).Val()
	if len(acts) != 1 {
		t.Fatalf("acts = %v; want one", acts)
	}
	id, _, err := record.ParseMember(acts[0])
	wantOK(t, "ParseMember", err)
	act := key.Act(forum.ActID(id))
	before := x.rdb.HGet(x.ctx, act, "detail").Val()
	wantOK(t, "DeleteTopic", x.Posts.DeleteTopic(x.ctx, ann, topic))
	if after := x.rdb.HGet(x.ctx, act, "detail").Val(); !strings.Contains(before, title) || after != "title" {
		t.Errorf("the act has %q, and %q after the topic was deleted; want the title, and only its name", before, after)
	}
}
