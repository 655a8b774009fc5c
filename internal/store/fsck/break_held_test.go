package fsck

import (
	"testing"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/acts"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/moderation"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// held posts a topic and a comment by bob that wait for a moderator.
func (x *checkSite) held() (forum.TopicID, forum.CommentID) {
	x.t.Helper()
	in := discussion(x.bob, x.talk)
	in.Held = true
	topic := must.Do(x.Posts.CreateTopic(x.ctx, in))(x.t)
	on := remark(x.thread, 0)
	on.Held = true
	comment := must.Do(x.Posts.CreateComment(x.ctx, x.bob, on))(x.t)
	wantOK(x.t, "Flush", x.Flush(x.ctx))
	return topic, comment
}

// breakHeld breaks what belongs to a topic and a comment that are held.
func breakHeld(breaks func(x *checkSite, topic, comment forum.Subject)) func(*checkSite) {
	return func(x *checkSite) {
		topic, comment := x.held()
		breaks(x, forum.Subject{Topic: topic}, forum.Subject{Comment: comment})
		x.clock.Advance(check.LagLife * 1e6)
	}
}

// approve approves a post.
func (x *checkSite) approve(on forum.Subject) {
	x.t.Helper()
	must.Do(x.Moderation.Moderate(x.ctx, x.mod, on, moderation.Moderation{Action: forum.ActRestore,
		Grounds: because}))(x.t)
	wantOK(x.t, "Flush", x.Flush(x.ctx))
}

var heldBreaks = []siteBreak{
	{"a topic that is held without a case", acts.RuleReports, breakHeld(func(x *checkSite, topic, _ forum.Subject) {
		x.do("DEL", key.Case(topic))
	}), fixed},
	{"a comment that is held without a case", acts.RuleReports, breakHeld(func(x *checkSite, _, comment forum.Subject) {
		x.do("DEL", key.Case(comment))
	}), fixed},
	{"a topic that is held, by a case that says it is not", acts.RuleReports,
		breakHeld(func(x *checkSite, topic, _ forum.Subject) { x.do("HDEL", key.Case(topic), "held") }), fixed},
	{"a comment that is held, by a case that is not in the queue", acts.RuleQueue,
		breakHeld(func(x *checkSite, _, comment forum.Subject) {
			x.do("ZREM", key.Queue("open", 0), record.CaseState{Subject: comment, Topic: x.thread}.CaseMember())
		}), fixed},
	{"a comment that is held, but not among those of its topic", posts.RuleHeld,
		breakHeld(func(x *checkSite, _, comment forum.Subject) {
			x.do("ZREM", key.HeldComments(x.thread), key.Itoa(comment.Comment))
		}), fixed},
	{"a comment that is not held among those that are", posts.RuleHeld,
		func(x *checkSite) { x.do("ZADD", key.HeldComments(x.thread), 7, key.Itoa(x.root)) }, fixed},
	{"a comment that is held on a deleted topic", posts.RuleHeld, func(x *checkSite) {
		x.do("HSET", key.Comment(x.on[0]), "state", "HELD", "floor", 0)
		x.do("ZREM", key.TopicComments(x.deleted), key.Itoa(x.on[0]))
		x.do("ZREM", key.TopicReplies(x.deleted), key.Itoa(x.on[0]))
		x.do("ZADD", key.HeldComments(x.deleted), x.hash(key.Comment(x.on[0]))["created"], key.Itoa(x.on[0]))
	}, fixed},
	{"an approved post that does not count", acts.RuleApproved, breakHeld(func(x *checkSite, topic, _ forum.Subject) {
		x.approve(topic)
		x.do("SREM", key.Approved(x.bob.ID), record.EncodeActSubject(topic))
	}), fixed},
	{"a post that counts, but was not approved", acts.RuleApproved,
		breakHeld(func(x *checkSite, topic, _ forum.Subject) {
			x.do("SADD", key.Approved(x.bob.ID), record.EncodeActSubject(topic))
		}), fixed},
	{"a post of another user that counts", acts.RuleApproved,
		breakHeld(func(x *checkSite, topic, comment forum.Subject) {
			x.approve(comment)
			x.do("SADD", key.Approved(x.ann.ID), record.EncodeActSubject(comment), "x")
		}), fixed},
	{"an approved post of a deleted account that counts", check.RuleOrphanKey,
		func(x *checkSite) { x.do("SADD", key.Approved(x.eve), "t"+key.Itoa(x.left)) }, fixed},
}

// A deleted topic takes the comments with it that were held, and their cases.
func TestHeldCommentsGoWithTheTopic(t *testing.T) {
	x := newCheckSite(t)
	_, comment := x.held()
	_, approved := x.held()
	x.approve(forum.Subject{Comment: approved})
	got := x.rdb.ZRange(x.ctx, key.HeldComments(x.thread), 0, -1).Val()
	if len(got) != 1 || got[0] != key.Itoa(comment) {
		t.Errorf("held comments: %v; want %d", got, comment)
	}
	wantOK(t, "DeleteTopic", x.Posts.DeleteTopic(x.ctx, x.ann, x.thread))
	for n := 1; n > 0; {
		wantOK(t, "Flush", x.Flush(x.ctx))
		x.clock.Advance(record.TaskLease * 1e6)
		n = must.Do(x.Engine.RunDueTasks(x.ctx))(t)
	}
	if f := x.hash(key.Comment(comment)); f["deleted"] == "" || f["content"] != "" {
		t.Errorf("the held comment is %v; want it erased", f)
	}
	if x.exists(key.HeldComments(x.thread)) {
		t.Errorf("%s is left", key.HeldComments(x.thread))
	}
	if f := x.hash(key.Case(forum.Subject{Comment: comment})); f["held"] != "" {
		t.Errorf("the case of the held comment has held %q; want none", f["held"])
	}
	x.clock.Advance(check.LagLife * 1e6)
	if r := x.check(false); r.Found > 0 {
		t.Errorf("found %v; want nothing", r.Findings)
	}
}

// The task that follows a deletion may be killed before any step, also if there are more held comments than it erases
// in a pass.
func TestHeldCommentsGoWithTheTopicAfterCrashes(t *testing.T) {
	testlevel.Sequential(t)
	for n, died := 1, true; died; n += 17 {
		x := newCheckSite(t)
		var held []forum.CommentID
		for range 60 {
			in := remark(x.thread, 0)
			in.Held = true
			id := must.Do(x.Posts.CreateComment(x.ctx, x.bob, in))(t)
			held = append(held, id)
		}
		wantOK(t, "DeleteTopic", x.Posts.DeleteTopic(x.ctx, x.ann, x.thread))
		x.clock.Advance(record.TaskLease * 1e6)
		died = x.dies(n, func(s *store.Store) { s.Engine.RunDueTasks(x.ctx) })
		x.clock.Advance(2 * record.TaskLease * 1e6)
		for done := 1; done > 0; {
			wantOK(t, "Flush", x.Flush(x.ctx))
			done = must.Do(x.Engine.RunDueTasks(x.ctx))(t)
		}
		for _, id := range held {
			if f := x.hash(key.Comment(id)); f["deleted"] == "" || f["content"] != "" {
				t.Errorf("killed before step %d: a held comment is %v; want it erased", n, f)
			}
		}
		x.clock.Advance(check.LagLife * 1e6)
		if r := x.check(false); r.Found > 0 || x.exists(key.HeldComments(x.thread)) {
			t.Errorf("killed before step %d: found %v; want nothing", n, r.Findings)
		}
	}
}

// Approving what a deleted account has posted leaves nothing at the account.
func TestApprovedPostsGoWithTheAccount(t *testing.T) {
	x := newCheckSite(t)
	topic, comment := x.held()
	x.approve(forum.Subject{Topic: topic})
	if got := x.rdb.SMembers(x.ctx, key.Approved(x.bob.ID)).Val(); len(got) != 1 {
		t.Errorf("approved posts: %v; want one", got)
	}
	wantOK(t, "DeleteAccount", x.Accounts.DeleteAccount(x.ctx, x.bob.ID, x.hash(key.User(x.bob.ID))["password"]))
	x.approve(forum.Subject{Comment: comment})
	if x.exists(key.Approved(x.bob.ID)) {
		t.Errorf("the deleted account has %s", key.Approved(x.bob.ID))
	}
}

// A case that check has made of a post that is held is as the one that posting makes, so it can be approved.
func TestRepairedCaseIsTheSame(t *testing.T) {
	x := newCheckSite(t)
	topic, comment := x.held()
	x.clock.Advance(check.LagLife * 1e6)
	for _, on := range []forum.Subject{{Topic: topic}, {Comment: comment}} {
		before := x.hash(key.Case(on))
		x.do("DEL", key.Case(on))
		if r := x.check(true); r.Repaired != r.Found || !r.has(acts.RuleReports, true) {
			t.Errorf("Check without the case of %v = %+v; want it repaired", on, r)
		}
		after := x.hash(key.Case(on))
		for name := range before {
			if before[name] != after[name] {
				t.Errorf("the case of %v has %s %q; want %q", on, name, after[name], before[name])
			}
		}
		x.approve(on)
		if after = x.hash(key.Case(on)); after["held"] != "" {
			t.Errorf("the case of %v, approved, has held %q; want none", on, after["held"])
		}
	}
	x.clock.Advance(check.LagLife * 1e6)
	if r := x.check(false); r.Found > 0 {
		t.Errorf("found %v; want nothing", r.Findings)
	}
}
