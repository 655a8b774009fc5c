package posts_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/posts"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
	"agora/internal/test/testseed"
)

// history returns the kept texts of a subject, oldest first, as "number:text", without the present one.
func history(x *storetest.Site, of forum.Subject) []string {
	x.T.Helper()
	numbers := must.Do(x.Redis.ZRange(x.Ctx, key.Revisions(of), 0, -1).Result())(x.T)
	if len(numbers) == 0 {
		return nil
	}
	present, err := x.Redis.HGet(x.Ctx, key.Subject(of), "revision").Result()
	if err != nil || numbers[len(numbers)-1] != present {
		x.T.Fatalf("the last revision of %v is %q, %v; want the present one of %q", numbers, present, err, numbers)
	}
	var refs []posts.RevisionRef
	for _, n := range numbers[:len(numbers)-1] {
		refs = append(refs, posts.RevisionRef{Of: of, Number: int(record.Atoi(n))})
	}
	if n, err := x.Redis.HLen(x.Ctx, key.Texts(of)).Result(); err != nil || int(n) != len(refs) {
		x.T.Fatalf("%d texts of %v, %v; want one for each earlier revision", n, numbers, err)
	}
	r := x.Read(x.Ctx)
	read, readTexts := r.Posts.Revisions(refs), r.Posts.PackedTexts(refs)
	must.OK(x.T, r.Exec())
	found := must.Do(read())(x.T)
	packed := must.Do(readTexts())(x.T)
	var texts []string
	for i, f := range found {
		text, err := packed[i].Unpack(of, func(int) error { return nil })
		if err != nil || f.Stored != len(packed[i]) || f.Content != "" {
			x.T.Fatalf("revision %d has %d bytes and the text %q, %v; want %d bytes", f.Number, f.Stored, f.Content,
				err,
				len(packed[i]))
		}
		texts = append(texts, fmt.Sprintf("%d:%s", f.Number, text.Content))
		if (f.Previous == nil) != (i == 0) || i > 0 && f.Previous.Number != found[i-1].Number {
			x.T.Fatalf("before revision %d is %+v", f.Number, f.Previous)
		}
	}
	return texts
}

// Whatever is edited when, the history agrees with a model: edits within two minutes are merged while there is room for
// copies, and the first and the latest revisions are kept.
func TestHistoryAgreesWithAModel(t *testing.T) {
	testlevel.Sequential(t)
	x := storetest.New(t)
	ann := x.User("ann")
	topic := x.Topic(ann, x.Category("Tea"))
	of := forum.Subject{Topic: topic}
	type version struct {
		number int
		text   string
		since  forum.Time
	}
	versions := []version{{1, "a text", x.Engine.Now()}}
	r, copies := rand.New(rand.NewPCG(testseed.First(), 0)), 0
	for step := range 150 {
		x.Clock.Advance(time.Duration(r.Int64N(2 * int64(forum.MergeEdits))))
		text := fmt.Sprint("Text ", step, strings.Repeat(" again", r.IntN(40)))
		if r.IntN(10) == 0 {
			text = versions[len(versions)-1].text // changes nothing
		}
		must.OK(t, x.Posts.UpdateTopic(x.Ctx, ann, topic, posts.TopicChange{Content: &text}))
		last := &versions[len(versions)-1]
		switch {
		case text == last.text:
		case x.Engine.Now()-last.since < forum.Time(forum.MergeEdits.Milliseconds()) && copies < forum.EvidenceCopies-1:
			copies++
			last.number, last.text = last.number+1, text
		default:
			versions = append(versions, version{last.number + 1, text, x.Engine.Now()})
		}
		if len(versions) > forum.MaxRevisions {
			versions = slices.Delete(versions, 1, 2)
		}
		var want []string
		for _, v := range versions[:len(versions)-1] {
			want = append(want, fmt.Sprintf("%d:%s", v.number, v.text))
		}
		if got := history(x, of); !slices.Equal(got, want) {
			t.Fatalf("step %d: history %q; want %q", step, got, want)
		}
	}
	if len(versions) < 20 {
		t.Errorf("only %d revisions: the test has shown little", len(versions))
	}
}

// The earlier texts of a subject have a maximum size, unpacked, however small they are as stored: of those between the
// first and the latest, the oldest go.
func TestHistoryIsSmall(t *testing.T) {
	testlevel.Sequential(t)
	t.Run("noise", func(t *testing.T) { wantSmallHistory(t, noise) })
	t.Run("one character", func(t *testing.T) {
		n := 0
		wantSmallHistory(t, func(size int) string {
			n++
			return strings.Repeat(string(rune(0x4e00+n)), size)
		})
	})
}

func wantSmallHistory(t *testing.T, text func(size int) string) {
	x := storetest.New(t)
	ann := x.User("ann")
	topic := x.Topic(ann, x.Category("Tea"))
	of := forum.Subject{Topic: topic}
	var last []string
	for n := range 12 {
		x.Clock.Advance(2 * forum.MergeEdits)
		text := text(forum.MaxContent)
		must.OK(t, x.Posts.UpdateTopic(x.Ctx, ann, topic, posts.TopicChange{Content: &text}))
		kept, bytes := history(x, of), 0
		for _, text := range kept {
			bytes += len(text)
		}
		if bytes > forum.MaxRevisionBytes || bytes+forum.MaxRevisionBytes/4 < forum.MaxRevisionBytes && len(kept) <= n {
			t.Fatalf("after %d edits %d revisions take %d bytes; want at most %d, and as many as fit", n+1, len(kept),
				bytes,
				forum.MaxRevisionBytes)
		}
		if !strings.HasPrefix(kept[0], "1:") || n > 1 && !slices.Contains(kept, last[len(last)-1]) {
			t.Fatal("the first revision is missing, or the one before the present one")
		}
		last = kept
	}
	if len(last) > 11 {
		t.Errorf("%d revisions are kept of 12 edits; want fewer", len(last))
	}
}

// Who edits a text owes for packing the one before.
func TestPackingIsOwed(t *testing.T) {
	x := storetest.New(t)
	ann := x.User("ann")
	topic := x.Topic(ann, x.Category("Tea"))
	var owes debts
	ctx := store.WithDebts(x.Ctx, &owes)
	for _, text := range []string{noise(forum.MaxContent), "short"} {
		x.Clock.Advance(2 * forum.MergeEdits)
		owes = 0
		must.OK(t, x.Posts.UpdateTopic(ctx, ann, topic, posts.TopicChange{Content: &text}))
	}
	if least := debts(forum.MaxContent / 20); owes < least {
		t.Errorf("an edit of a long text owes %d microseconds; want at least %d", owes, least)
	}
}

// debts counts what is owed.
type debts int

// Owe implements pipeline.Debtor.
func (d *debts) Owe(microseconds int) { *d += debts(microseconds) }

// Texts that version 0.1.0 packed, without their lengths, are read and kept as others are.
func TestHistoryOfOlderData(t *testing.T) {
	x := storetest.New(t)
	ann := x.User("ann")
	topic := x.Topic(ann, x.Category("Tea"))
	of := forum.Subject{Topic: topic}
	want := []string{"1:a text"}
	for n := range 3 {
		x.Clock.Advance(2 * forum.MergeEdits)
		text := strings.Repeat("abc", 1000*(n+1))
		must.OK(t, x.Posts.UpdateTopic(x.Ctx, ann, topic, posts.TopicChange{Content: &text}))
		if got := history(x, of); !slices.Equal(got, want) {
			t.Fatalf("after %d edits: history %.40q; want %.40q", n+1, got, want)
		}
		for number, packed := range x.Redis.HGetAll(x.Ctx, key.Texts(of)).Val() {
			must.OK(t, x.Redis.HSet(x.Ctx, key.Texts(of), number,
				regexp.MustCompile(` M\d+ `).ReplaceAllString(packed, " M")).Err())
		}
		want = append(want, fmt.Sprint(n+2, ":", text))
	}
}

// noise returns a text of n random code points.
func noise(n int) string {
	var b strings.Builder
	for range n {
		b.WriteRune(0x4e00 + rand.Int32N(20_000))
	}
	return b.String()
}

// An edit that changes nothing makes no revision, neither of a text that was never edited.
func TestAnEditThatChangesNothing(t *testing.T) {
	x := storetest.New(t)
	ann := x.User("ann")
	topic := x.Topic(ann, x.Category("Tea"))
	comment := x.Comment(ann, topic, 0)
	for range 2 {
		x.Clock.Advance(2 * forum.MergeEdits)
		text := site.Discussion(ann, 0).Content
		must.OK(t, x.Posts.UpdateTopic(x.Ctx, ann, topic, posts.TopicChange{Content: &text}))
		must.OK(t, x.Posts.UpdateComment(x.Ctx, ann, comment,
			posts.CommentChange{Content: site.Remark(topic, 0).Content}))
		for _, of := range []forum.Subject{{Topic: topic}, {Comment: comment}} {
			hash := x.Redis.HGetAll(x.Ctx, key.Subject(of)).Val()
			if history(x, of) != nil || hash["revision"] != "" || hash["edited"] != "" && hash["edited"] != "0" {
				t.Errorf("%s after an edit that changes nothing: %q", key.Subject(of), hash)
			}
		}
	}
}

// Of several editors who have seen the same revision exactly one succeeds; the others learn the present one.
func TestOneOfTheEditorsWins(t *testing.T) {
	x := storetest.New(t)
	ann := x.User("ann")
	topic := x.Topic(ann, x.Category("Tea"))
	comment := x.Comment(ann, topic, 0)
	for round := range 5 {
		x.Clock.Advance(2 * forum.MergeEdits)
		errs := make([]error, 16)
		var all sync.WaitGroup
		for i := range errs {
			all.Go(func() {
				text, seen := fmt.Sprint("Round ", round, " editor ", i), posts.Edit{Expected: round + 1}
				if i%2 == 0 {
					errs[i] = x.Posts.UpdateTopic(x.Ctx, ann, topic, posts.TopicChange{Content: &text, Edit: seen})
				} else {
					errs[i] = x.Posts.UpdateComment(x.Ctx, ann, comment, posts.CommentChange{Content: text, Edit: seen})
				}
			})
		}
		all.Wait()
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
				continue
			}
			storetest.WantCode(t, "edit of an old revision", err, forum.CodeStale)
		}
		if won != 2 {
			t.Fatalf("round %d: %d edits succeeded; want one of the topic and one of the comment", round, won)
		}
	}
	for _, of := range []forum.Subject{{Topic: topic}, {Comment: comment}} {
		if got := history(x, of); len(got) != 5 {
			t.Errorf("history of %v: %q; want 5 earlier texts", of, got)
		}
	}
}

// Without an expected revision all edits succeed, whatever comes between, and no text is lost.
func TestNoEditIsLost(t *testing.T) {
	x := storetest.New(t)
	ann, mod := x.User("ann"), x.Moderator("mod")
	topic := x.Topic(ann, x.Category("Tea"))
	var all sync.WaitGroup
	want := []string{"a title"}
	for i := range 4 {
		all.Go(func() {
			by, title := []*forum.Viewer{ann, mod}[i%2], fmt.Sprint("Title ", i+1)
			if err := x.Posts.UpdateTopic(x.Ctx, by, topic, posts.TopicChange{Title: &title,
				Why: storetest.Acting("").Grounds}); err != nil {
				t.Error(err)
			}
		})
		want = append(want, fmt.Sprint("Title ", i+1))
	}
	all.Wait()
	if got, err := x.Redis.HGet(x.Ctx, key.Topic(topic), "revision").Int(); err != nil || got != len(want) {
		t.Errorf("revision %d, %v; want %d, one for each edit", got, err, len(want))
	}
}
