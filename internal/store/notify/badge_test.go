package notify_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"pgregory.net/rapid"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
	_ "agora/internal/test/testseed"
)

// badge is the model of one notification of ann's.
type badge struct {
	subject string
	unread  bool // she has not marked it as read
	lost    bool // what it is about was deleted
	comment forum.CommentID
}

// badges is a site whose notifications of ann are compared with a model: those that are not read are unread whenever what
// they are about is there.
type badges struct {
	*storetest.Moderated
	t        *rapid.T
	watched  forum.TopicID // bob's, which ann watches
	own      forum.TopicID // ann's
	watching bool
	hidden   map[string]bool
	notes    []*badge
	follows  bool
	gone     bool // the follower has
	follower *forum.Viewer
	sent     [][]any // the calls that said of notifications whether they are unread
}

// record keeps the calls of scripts that say of notifications whether they are unread.
func (b *badges) record(ctx context.Context, cmds []redis.Cmder, next redis.ProcessPipelineHook) error {
	for _, cmd := range cmds {
		if args := cmd.Args(); cmd.Name() == "evalsha" && badgeScripts[args[1]] {
			b.sent = append(b.sent, slices.Clone(args))
		}
	}
	return next(ctx, cmds)
}

// badgeScripts are the hashes of these scripts.
var badgeScripts = func() map[any]bool {
	hashes := map[any]bool{}
	for _, sc := range script.All {
		switch sc.Name() {
		case "note_seen", "note_hidden", "note_add", "edge_reverse":
			hashes[sc.SHA()], hashes[redistest.SentHash(sc.Text())] = true, true
		}
	}
	return hashes
}()

func (b *badges) note(subject string) *badge {
	for _, n := range b.notes {
		if n.subject == subject {
			return n
		}
	}
	n := &badge{subject: subject, unread: true}
	b.notes = append(b.notes, n)
	return n
}

// comment has bob comment on one of the topics, if it is there.
func (b *badges) comment(on forum.TopicID) {
	if b.hidden[topicName(on)] || on == b.watched && !b.watching {
		return
	}
	id := b.Comment(b.Bob, on, 0)
	b.note("c" + key.Itoa(id)).comment = id
}

func topicName(id forum.TopicID) string { return "t" + key.Itoa(id) }

// of returns the topic of a comment.
func (b *badges) of(n *badge) forum.TopicID {
	return forum.TopicID(record.Atoi(b.Hash(key.Comment(n.comment))["topic"]))
}

// turn hides a topic or comment, or restores it.
func (b *badges) turn(name string, subject forum.Subject) {
	act := forum.ActHide
	if b.hidden[name] {
		act = forum.ActRestore
	}
	_, err := b.Moderation.Moderate(b.Ctx, b.Mod, subject, storetest.Acting(act))
	if err != nil {
		b.t.Fatalf("%s of %s: %v", act, name, err)
	}
	b.hidden[name] = !b.hidden[name]
}

// step does something at random.
func (b *badges) step() {
	var comments []*badge
	for _, n := range b.notes {
		if n.comment != 0 && !n.lost {
			comments = append(comments, n)
		}
	}
	one := func() *badge {
		if len(comments) == 0 {
			return nil
		}
		return rapid.SampledFrom(comments).Draw(b.t, "which")
	}
	switch what := rapid.IntRange(0, 11).Draw(b.t, "what"); what {
	case 0, 1:
		b.comment([]forum.TopicID{b.watched, b.own}[what])
	case 2, 3:
		id := []forum.TopicID{b.watched, b.own}[what-2]
		b.turn(topicName(id), forum.Subject{Topic: id})
	case 4, 5:
		if n := one(); n != nil {
			b.turn(n.subject, forum.Subject{Comment: n.comment})
		}
	case 6:
		if n := one(); n != nil && !b.hidden[topicName(b.of(n))] {
			must.OK(b.Moderated.T, b.Posts.DeleteComment(b.Ctx, b.Bob, n.comment))
			n.lost, n.unread = true, false
		}
	case 7:
		b.follow()
	case 8:
		if len(b.notes) > 0 {
			n := rapid.SampledFrom(b.notes).Draw(b.t, "read")
			seq := record.Atoi(b.Hash(key.Note(b.Ann.ID))[n.subject])
			must.OK(b.Moderated.T, b.Notify.MarkNotification(b.Ctx, b.Ann.ID, seq))
			n.unread = false
		}
	case 9:
		if rapid.IntRange(0, 3).Draw(b.t, "all") == 0 {
			must.OK(b.Moderated.T, b.Notify.MarkNotifications(b.Ctx, b.Ann.ID))
			for _, n := range b.notes {
				n.unread = false
			}
		}
	case 11: // of a process that was slow
		if len(b.sent) > 0 {
			must.OK(b.Moderated.T, b.Redis.Do(b.Ctx, rapid.SampledFrom(b.sent).Draw(b.t, "late")...).Err())
		}
	case 10:
		if rapid.IntRange(0, 2).Draw(b.t, "watch") == 0 && !b.hidden[topicName(b.watched)] {
			b.watching = !b.watching
			must.Do(b.Follows.WatchTopic(b.Ctx, b.Ann.ID, b.watched, b.watching))(b.Moderated.T)
			for _, n := range b.notes {
				if n.comment != 0 && !b.watching && b.of(n) == b.watched {
					n.unread = false
				}
			}
		}
	}
}

// follow has the follower follow ann or not, be blocked by her, or leave.
func (b *badges) follow() {
	name := "f" + key.Itoa(b.follower.ID)
	switch how := rapid.IntRange(0, 5).Draw(b.t, "how"); {
	case b.gone:
	case how == 0:
		must.OK(b.Moderated.T, b.Accounts.DeleteAccount(b.Ctx, b.follower.ID, "hash of fay"))
		b.gone, b.follows = true, false
	case how == 1:
		for _, blocked := range []bool{true, false} {
			must.Do(b.Follows.Block(b.Ctx, b.Ann.ID, b.follower.ID, blocked))(b.Moderated.T)
		}
		b.follows = false
	default:
		b.follows = !b.follows
		must.Do(b.Follows.Follow(b.Ctx, b.follower.ID, forum.Target{User: b.Ann.ID}, b.follows))(b.Moderated.T)
		if b.follows {
			b.note(name)
		}
	}
	b.hidden[name] = !b.follows
}

// check compares the unread notifications with the model.
func (b *badges) check() {
	b.Clock.Advance(record.TaskLease * time.Millisecond)
	b.Settle()
	var want []string
	for _, n := range b.notes {
		hidden := b.hidden[n.subject] || n.comment != 0 && b.hidden[topicName(b.of(n))]
		if n.unread && !n.lost && !hidden {
			want = append(want, n.subject)
		}
	}
	notes, got := b.Hash(key.Note(b.Ann.ID)), []string(nil)
	for _, seq := range b.Redis.ZRange(b.Ctx, key.Unread(b.Ann.ID), 0, -1).Val() {
		n, ok := record.ParseNote(notes[seq])
		if !ok {
			b.t.Fatalf("unread %s is %q", seq, notes[seq])
		}
		if n.Subject.Act == 0 { // ann is told of what moderators do, too
			got = append(got, record.EncodeSubject(n.Subject))
		}
	}
	if slices.Sort(want); !slices.Equal(slices.Sorted(slices.Values(got)), want) {
		b.t.Fatalf("unread %v; want %v (hidden %v, withheld %q)", got, want, b.hidden, notes[record.WithheldField])
	}
}

// The badge is what there is to read, whatever is hidden, restored, deleted, followed, watched and read in any order.
func TestBadgesFollowWhatThereIs(t *testing.T) {
	testlevel.Sequential(t)
	rapid.Check(t, func(rt *rapid.T) {
		b := &badges{Moderated: storetest.NewModerated(t), t: rt, hidden: map[string]bool{}, watching: true}
		pipeline.Universal(b.Engine.Client.Redis).AddHook(redistest.Hook(b.record))
		b.follower = b.User("fay")
		b.watched, b.own = b.Topic(b.Bob, b.A), b.Topic(b.Ann, b.A)
		b.Watch(b.Ann, b.watched, true)
		must.OK(t, b.Notify.MarkNotifications(b.Ctx, b.Ann.ID))
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			b.Clock.Advance(time.Second)
			b.step()
			if rapid.Bool().Draw(rt, "settled") {
				b.check()
			}
		}
		b.check()
		b.WantSound()
	})
}
