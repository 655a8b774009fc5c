package fsck

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/categories"
	"agora/internal/store/internal/record"
	"agora/internal/store/moderation"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// TestCheckDuringWrites checks repeatedly while eight writers change the site: no pending write may
// be a finding.
func TestCheckDuringWrites(t *testing.T) {
	testlevel.Long(t)
	const writers, operations = 8, 200
	x := newCheckSite(t)
	written := make(chan struct{})
	var wg sync.WaitGroup
	for n := range writers {
		w := &checkWriter{checkSite: x, s: x.process(), n: n, rng: rand.New(rand.NewPCG(uint64(n), 7)),
			topics: []forum.TopicID{x.thread, x.article}}
		wg.Go(func() { // ends after a fixed number of operations
			for i := range operations {
				if err := w.write(i); err != nil && forum.CodeOf(err) == "" {
					t.Errorf("writer %d, operation %d: %v", w.n, i, err)
				}
			}
		})
	}
	go func() { // ends when the writers have
		wg.Wait()
		close(written)
	}()
	for checks := 0; ; checks++ {
		r := must.Do(Check(x.ctx, x.Store, Options{Rest: 5 * time.Millisecond}))(t)
		for _, f := range r.Findings {
			t.Errorf("check %d found %s", checks, f)
		}
		select {
		case <-written:
		default:
			continue
		}
		t.Logf("%d checks, %d topics and %d comments at the end", checks+1, r.Topics, r.Comments)
		break
	}
	wantOK(t, "Flush", x.Flush(x.ctx))
	x.clock.Advance(2 * record.TaskLease * time.Millisecond)
	must.Do(x.Engine.RunDueTasks(x.ctx))(t)
	wantOK(t, "Flush", x.Flush(x.ctx))
	if r := x.check(false); r.Found+r.Unsettled != 0 {
		t.Errorf("Check at rest found %v, %d unsettled; want nothing", r.Findings, r.Unsettled)
	}
}

// checkWriter is one of several concurrent writers.
type checkWriter struct {
	*checkSite
	s        *store.Store
	n        int
	rng      *rand.Rand
	topics   []forum.TopicID
	comments []forum.CommentID
	created  []forum.CategoryID
}

// write executes one random mutation.
func (w *checkWriter) write(i int) error {
	by := []*forum.Viewer{w.ann, w.bob, w.mod}[w.rng.IntN(3)]
	topic := w.topics[w.rng.IntN(len(w.topics))]
	if w.rng.IntN(3) == 0 {
		return w.meet(by)
	}
	switch what := w.rng.IntN(32); {
	case what < 4:
		return w.post(by)
	case what < 11:
		return w.reply(by, topic)
	case what < 13 && len(w.comments) > 0:
		return w.moderate(forum.Subject{Comment: w.comments[w.rng.IntN(len(w.comments))]})
	case what < 14 && topic != w.thread:
		return w.moderate(forum.Subject{Topic: topic})
	case what < 16:
		to := []forum.CategoryID{w.talk, w.news, w.empty}[w.rng.IntN(3)]
		return w.s.Posts.UpdateTopic(w.ctx, w.mod, topic, posts.TopicChange{Category: &to, Why: because})
	case what < 17:
		_, err := w.s.Accounts.Register(w.ctx, account(fmt.Sprintf("new%d-%d", w.n, i)))
		return err
	case what < 18:
		_, err := w.s.Votes.RecordClicks(w.ctx, by, fmt.Sprint(i), []forum.TopicID{topic})
		return err
	case what < 20:
		return w.rearrange(i)
	case what < 28:
		return w.vote(by, topic)
	case what < 31:
		return w.label(topic)
	default:
		return w.s.Listing.TakeSnapshot(w.ctx, w.top, w.Listing.SnapshotNow()+int64(i), nil)
	}
}

// meet makes a user follow, block, list or post a status, or makes a guest leave.
func (w *checkWriter) meet(by *forum.Viewer) error {
	other := []forum.UserID{w.ann.ID, w.bob.ID, w.mod.ID, w.cyd}[w.rng.IntN(4)]
	want := w.rng.IntN(2) == 0
	var err error
	switch what := w.rng.IntN(16); {
	case what < 5:
		_, err = w.s.Follows.Follow(w.ctx, by.ID, forum.Target{User: other}, want)
	case what < 8:
		_, err = w.s.Follows.Follow(w.ctx, by.ID,
			forum.Target{Category: []forum.CategoryID{w.talk, w.news, w.empty}[w.rng.IntN(3)]}, want)
	case what < 10:
		_, err = w.s.Follows.Follow(w.ctx, by.ID, forum.Target{Tag: w.some()[0].ID}, want)
	case what < 11:
		_, err = w.s.Follows.Block(w.ctx, by.ID, other, w.rng.IntN(4) == 0)
	case what < 13 && want:
		err = w.s.Follows.UpdateListMembers(w.ctx, w.ann.ID, w.none, []forum.UserID{other}, nil)
	case what < 13:
		err = w.s.Follows.UpdateListMembers(w.ctx, w.ann.ID, w.none, nil, []forum.UserID{other})
	case what < 15:
		_, err = w.s.Posts.CreateTopic(w.ctx,
			posts.NewTopic{Author: by.ID, Kind: forum.Status, Title: "s", Content: "s", Format: forum.Markdown})
	default:
		err = w.leave()
	}
	return err
}

// leave registers a user who meets the others and deletes the account.
func (w *checkWriter) leave() error {
	name := fmt.Sprintf("guest%d-%d", w.n, w.rng.IntN(1_000_000))
	id, err := w.s.Accounts.Register(w.ctx, account(name))
	if err != nil {
		return err
	}
	for _, other := range []forum.UserID{w.ann.ID, w.bob.ID} {
		w.s.Follows.Follow(w.ctx, id, forum.Target{User: other}, true)
		w.s.Follows.Follow(w.ctx, other, forum.Target{User: id}, true)
		w.s.Follows.UpdateListMembers(w.ctx, w.ann.ID, w.none, []forum.UserID{id}, nil)
	}
	return w.s.Accounts.DeleteAccount(w.ctx, id, "hash of "+name)
}

// post posts a discussion, or an article with a tag, on which its author votes.
func (w *checkWriter) post(by *forum.Viewer) error {
	in := discussion(by, w.talk)
	if w.rng.IntN(2) == 0 {
		in.Kind, in.Link, in.Tags = forum.Article, "https://example.org/", w.some()
	}
	id, err := w.s.Posts.CreateTopic(w.ctx, in)
	if err == nil {
		w.topics = append(w.topics, id)
	}
	return err
}

// vote votes on a few subjects over and over, so that votes collide.
func (w *checkWriter) vote(by *forum.Viewer, topic forum.TopicID) error {
	v := []forum.VoteDirection{forum.VoteUp, forum.VoteDown, forum.VoteNone}[w.rng.IntN(3)]
	on := []forum.TopicID{w.article, w.thread, topic}[w.rng.IntN(3)]
	if w.rng.IntN(2) == 0 {
		_, err := w.s.Votes.VoteTopic(w.ctx, by, on, v)
		return err
	}
	remarks := append([]forum.CommentID{w.root, w.child, w.second}, w.comments...)
	_, err := w.s.Votes.VoteComment(w.ctx, by, remarks[w.rng.IntN(len(remarks))], v)
	return err
}

// some returns one or two of a few tags, which other writers add and remove too.
func (w *checkWriter) some() forum.TopicTags {
	few := w.tagged("one", "two", "three", "four", "five")
	at := w.rng.IntN(len(few) - 1)
	return few[at : at+1+w.rng.IntN(2)]
}

func (w *checkWriter) label(topic forum.TopicID) error {
	if w.rng.IntN(2) == 0 {
		return w.s.Posts.RetagTopic(w.ctx, w.mod, topic, w.some(), nil, because)
	}
	return w.s.Posts.RetagTopic(w.ctx, w.mod, topic, nil, w.some(), because)
}

func (w *checkWriter) reply(by *forum.Viewer, topic forum.TopicID) error {
	in := remark(topic, 0)
	if n := len(w.comments); n > 0 && w.rng.IntN(2) == 0 {
		in.Topic, in.Parent = w.thread, w.comments[w.rng.IntN(n)]
	}
	in.Key = fmt.Sprint(w.n, w.rng.IntN(1000))
	id, err := w.s.Posts.CreateComment(w.ctx, by, in)
	if err == nil && in.Topic == w.thread {
		w.comments = append(w.comments, id)
	}
	return err
}

// rearrange creates and deletes categories and tabs.
func (w *checkWriter) rearrange(i int) error {
	if n := len(w.created); n > 3 {
		oldest := w.created[0]
		w.created = w.created[1:]
		return w.s.Categories.DeleteCategory(w.ctx, nil, oldest)
	}
	name := fmt.Sprintf("created %d %d", w.n, i)
	id, err := w.s.Categories.CreateCategory(w.ctx, name, name, "")
	if err != nil {
		return err
	}
	w.created = append(w.created, id)
	tab, err := w.s.Categories.CreateTab(w.ctx, name, name, []forum.CategoryID{id, w.talk})
	if err != nil {
		return err
	}
	if w.rng.IntN(2) == 0 {
		return w.s.Categories.DeleteTab(w.ctx, nil, tab)
	}
	return w.s.Categories.UpdateTab(w.ctx, tab, categories.TabChange{Remove: []forum.CategoryID{w.talk}})
}

// because is why a moderator acts.
var because = forum.Grounds{Reason: forum.ReasonOther}

// moderate hides a topic or comment, or ends that; some are locked.
func (w *checkWriter) moderate(s forum.Subject) error {
	kinds := []forum.ActKind{forum.ActHide, forum.ActHide, forum.ActRestore, forum.ActLock, forum.ActUnlock}
	_, err := w.s.Moderation.Moderate(w.ctx, w.mod, s, moderation.Moderation{Action: kinds[w.rng.IntN(len(kinds))],
		Grounds: because})
	return err
}
