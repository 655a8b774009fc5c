package loader

import (
	"context"
	"slices"
	"strings"
	"testing"

	"agora/internal/forum"
	"agora/internal/store/listing"
	"agora/internal/store/votes"
)

// names returns the names of the commands sent since its last call, one string for each pipeline.
func (x *site) names() []string {
	var pipelines []string
	for _, cmds := range x.sent.take(0) {
		var names []string
		for _, cmd := range cmds {
			name, _, _ := strings.Cut(cmd, " ")
			names = append(names, name)
		}
		pipelines = append(pipelines, strings.Join(names, " "))
	}
	return pipelines
}

func (x *site) wantNames(when string, want ...string) {
	x.t.Helper()
	if got := x.names(); !slices.Equal(got, want) {
		x.t.Errorf("%s sent %q; want %q", when, got, want)
	}
}

// The rankings that cursors of comments by votes refer to are stored before the cursors are returned. Without a
// cursor they are not.
func TestRankingsAreStoredFirst(t *testing.T) {
	x := newSite(t)
	lists := pointers(listing.TopicComments(x.topic, false, forum.MostVoted),
		listing.CommentReplies(x.comment, forum.MostControversial))
	for _, mode := range modes {
		ctx, l, _ := x.response(nil)
		mode.run(t, ctx, l, func(ctx context.Context) {
			pages, errs := l.Pages(ctx, lists, forum.Window{Count: 1})
			if errs != nil || !slices.Equal(IDs[forum.CommentID](pages[0]), []forum.CommentID{x.comment}) ||
				!slices.Equal(IDs[forum.CommentID](pages[1]), []forum.CommentID{x.answer}) {
				t.Fatalf("%s: Pages = %+v, %v; want the comment with a vote, and the answer to it", mode.name, pages, errs)
			}
			x.wantNames(mode.name+": two lists", "zrevrange hgetall zrevrange hgetall", "set set")
			next, errs := l.Pages(ctx, lists[:1], forum.Window{Count: 1, After: &pages[0].Rows[0].Position})
			if errs != nil || !slices.Equal(IDs[forum.CommentID](next[0]), []forum.CommentID{x.answer}) ||
				next[0].Start != 1 || next[0].Total != 2 {
				t.Errorf("%s: the next page = %+v, %v; want the answer", mode.name, next, errs)
			}
			x.wantNames(mode.name+": the next page", "get")
			if _, errs := l.Pages(ctx, lists, forum.Window{Count: 1, Bare: true}); errs != nil {
				t.Errorf("%s: Pages without cursors: %v", mode.name, errs)
			}
			x.wantNames(mode.name+": without cursors", "zrevrange hgetall zrevrange hgetall")
		})
		ctx, l, _ = x.response(nil)
		x.sent.take(2)
		mode.run(t, ctx, l, func(ctx context.Context) {
			_, errs := l.Pages(ctx, lists, forum.Window{Count: 1})
			wantFailed(t, mode.name+": a ranking that could not be kept", errs, errBroken)
		})
	}
}

// An invalid cursor of one list does not affect the others.
func TestOneCursorThatHasExpired(t *testing.T) {
	x := newSite(t)
	lists := pointers(listing.TopicComments(x.topic, false, forum.MostVoted),
		listing.TopicComments(x.deleted, false, forum.MostVoted))
	for _, mode := range modes {
		ctx, l, _ := x.response(nil)
		mode.run(t, ctx, l, func(ctx context.Context) {
			pages, _ := l.Pages(ctx, lists[:1], forum.Window{Count: 1})
			found, errs := l.Pages(ctx, lists, forum.Window{Count: 1, After: &pages[0].Rows[0].Position})
			if len(errs) != 2 || errs[0] != nil || forum.CodeOf(errs[1]) != forum.CodeCursorExpired || len(found[0].Rows) != 1 {
				t.Errorf("%s: Pages = %+v, %v; want one row, and CURSOR_EXPIRED for the other list", mode.name, found, errs)
			}
		})
	}
}

// A missing snapshot is taken, once a minute; one named by a cursor is not.
func TestSnapshotsAreTakenOnce(t *testing.T) {
	x := newSite(t)
	tests := []struct {
		timeline forum.Timeline
		want     []forum.TopicID
	}{
		{best(forum.FrontTimeline, 0), []forum.TopicID{x.topic, x.imported}},
		{best(forum.CategoryTimeline, int64(x.category)), []forum.TopicID{x.topic}},
		{best(forum.TabTimeline, int64(x.tab)), []forum.TopicID{x.topic}},
		{best(forum.TabTimeline, 99), []forum.TopicID{}},
		{best(forum.TagTimeline, int64(x.tag)), []forum.TopicID{x.topic}},
		{best(forum.TagTimeline, 99), []forum.TopicID{}},
	}
	read := func(mode int, tl forum.Timeline, w forum.Window) (page *forum.Page, errs []error) {
		ctx, l, _ := x.response(nil)
		modes[mode].run(t, ctx, l, func(ctx context.Context) {
			var pages []*forum.Page
			pages, errs = l.Timelines(ctx, []forum.Timeline{tl}, []forum.Window{w})
			page = pages[0]
		})
		return page, errs
	}
	for _, tt := range tests {
		var first *forum.Page
		for n, times := range []string{"first", "second", "third"} {
			page, errs := read(n%2, tt.timeline, forum.Window{Count: 9})
			got := IDs[forum.TopicID](page)
			slices.Sort(got)
			if want := slices.Sorted(slices.Values(tt.want)); errs != nil || !slices.Equal(got, want) ||
				page.Total != len(want) || page.AsOf == 0 {
				t.Errorf("%s, the %s time: %+v, %v; want the topics %v, with the time", tt.timeline.Name(), times, page, errs, want)
			}
			if n > 0 {
				names := "getrange strlen getrange"
				if tt.timeline.HasPins() {
					names = "evalsha " + names // of the pins
				}
				x.wantNames(tt.timeline.Name()+", the "+times+" time", names)
			}
			if n == 0 {
				first = page
			} else if !slices.Equal(page.Rows, first.Rows) {
				t.Errorf("%s: %+v, the %s time %+v; want the same", tt.timeline.Name(), first.Rows, times, page.Rows)
			}
		}
		position := &forum.Position{Score: float64(x.Listing.SnapshotNow() - 1), Member: "0"}
		for mode := range modes {
			_, errs := read(mode, tt.timeline, forum.Window{Count: 9, After: position})
			if len(errs) != 1 || forum.CodeOf(errs[0]) != forum.CodeCursorExpired {
				t.Errorf("%s by a cursor of the minute before: %v; want CURSOR_EXPIRED", tt.timeline.Name(), errs)
			}
			x.wantNames("a cursor of the minute before", "getrange strlen getrange")
			_, errs = read(mode, tt.timeline,
				forum.Window{Count: 9, After: position, Before: &forum.Position{Score: position.Score + 1, Member: "0"}})
			if len(errs) != 1 || forum.CodeOf(errs[0]) != forum.CodeCursorInvalid {
				t.Errorf("%s between two snapshots: %v; want CURSOR_INVALID", tt.timeline.Name(), errs)
			}
			x.wantNames("cursors of two snapshots")
		}
	}
}

// Live timelines and snapshots may be loaded in one call; each returns its own page.
func TestTimelinesOfAllKinds(t *testing.T) {
	x := newSite(t)
	w := forum.Window{Count: 9}
	bad := forum.Window{Count: 9, After: &forum.Position{Score: 1, Member: "0"}}
	timelines := []forum.Timeline{best(forum.FrontTimeline, 0), activity(forum.CategoryTimeline, int64(x.category)),
		best(forum.FrontTimeline, 0), activity(forum.TabTimeline, int64(x.tab))}
	for _, mode := range modes {
		ctx, l, _ := x.response(nil)
		mode.run(t, ctx, l, func(ctx context.Context) {
			pages, errs := l.Timelines(ctx, timelines, []forum.Window{w, w, bad, w})
			if len(errs) != 4 || errs[0] != nil || errs[1] != nil || forum.CodeOf(errs[2]) != forum.CodeCursorExpired ||
				errs[3] != nil {
				t.Fatalf("%s: Timelines: %v; want CURSOR_EXPIRED for the third", mode.name, errs)
			}
			for i, want := range []struct {
				rows int
				asOf bool
			}{{2, true}, {1, false}, {0, false}, {1, false}} {
				if p := pages[i]; len(p.Rows) != want.rows || (p.AsOf != 0) != want.asOf {
					t.Errorf("%s: timeline %d = %+v; want %d rows, from a snapshot: %t", mode.name, i, p, want.rows, want.asOf)
				}
			}
		})
	}
}

// What the viewer has just voted is not read.
func TestOwnVotesAreKnown(t *testing.T) {
	x := newSite(t)
	voted := x.Cast(x.bob, x.topic, forum.VoteDown)
	answered := x.CastOn(x.bob, x.answer, forum.VoteUp)
	for _, mode := range modes {
		ctx, l, _ := x.response(x.bob)
		mode.run(t, ctx, l, func(ctx context.Context) {
			l.Voted(voted.Votes, forum.VoteDown)
			l.Voted(answered.Votes, forum.VoteUp)
			votes, errs := l.Votes(ctx,
				[]votes.Subject{votes.SubjectOf(voted.Votes, x.Engine.Now()), votes.SubjectOf(answered.Votes,
					x.Engine.Now())})
			if errs != nil || !slices.Equal(votes, []forum.VoteDirection{forum.VoteDown, forum.VoteUp}) {
				t.Errorf("%s: Votes = %v, %v; want DOWN and UP", mode.name, votes, errs)
			}
			x.wantNames(mode.name + ": bob's own votes")
		})
	}
}

// A tag whose name is not stored yet has the name that a topic wrote; by itself it does not exist yet.
func TestTagsWithoutNames(t *testing.T) {
	x := newSite(t)
	if n := x.redis.Del(t.Context(), "{ix:g5}:tag").Val(); n != 1 {
		t.Fatalf("%d tags were stored; want one", n)
	}
	for _, mode := range modes {
		ctx, l, _ := x.response(nil)
		mode.run(t, ctx, l, func(ctx context.Context) {
			alone, errs := l.TagsNow(ctx, []forum.TagID{x.tag})
			if errs != nil || alone[0] != nil {
				t.Errorf("%s: TagsNow = %+v, %v; want none", mode.name, alone, errs)
			}
		})
		ctx, l, _ = x.response(nil)
		mode.run(t, ctx, l, func(ctx context.Context) {
			ts := l.Topics([]forum.TopicID{x.topic, x.imported})
			l.NeedTopics(ctx, ts)
			tags := l.TagsOf(ctx, ts)
			if len(tags[0]) != 1 || len(tags[1]) != 0 {
				t.Fatalf("%s: TagsOf = %v; want one, and none", mode.name, tags)
			}
			if errs := l.NeedTags(ctx, tags[0]); errs != nil || tags[0][0].Name != "Tea" || tags[0][0].Missing() ||
				tags[0][0].ID != x.tag {
				t.Errorf("%s: tag = %+v, %v; want the name that the topic wrote", mode.name, tags[0][0], errs)
			}
		})
	}
}
