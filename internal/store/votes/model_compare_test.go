package votes_test

import (
	"cmp"
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/store/storetest"
	"agora/internal/store/votes"
)

// rowsOf returns the expected rows of a container in an order, unsorted.
func (b *ballot) rowsOf(in func(*ballotTopic) bool, score func(*ballotTopic) float64) []forum.Row {
	var rows []forum.Row
	for _, id := range storetest.SortedIDs(b.topics) {
		t := b.topics[id]
		if t.deleted || !in(t) {
			continue
		}
		m := fmt.Sprintf("%011x%08x", int64(t.created), int64(t.id))
		rows = append(rows, forum.Row{ID: int64(t.id), CreatedAt: t.created,
			Position: forum.Position{Score: score(t), Member: m}})
	}
	return rows
}

// ballotScores are the keys of the live orders.
var ballotScores = map[forum.TopicOrderField]func(*ballotTopic) float64{
	forum.ByCreated: func(t *ballotTopic) float64 { return float64(t.created) },
	forum.ByActive:  func(t *ballotTopic) float64 { return float64(t.active) },
	forum.ByScore: func(t *ballotTopic) float64 {
		up, down := t.counts()
		return float64(int64(t.created) + 432_000*int64(up-down))
	},
	forum.ByHot: func(t *ballotTopic) float64 {
		up, down := t.counts()
		return forum.Hot(t.created, up-down)
	},
}

// places returns the containers of the model and their content.
func (b *ballot) places() map[key.Container]func(*ballotTopic) bool {
	in := map[key.Container]func(*ballotTopic) bool{key.FrontContainer: func(*ballotTopic) bool { return true }}
	for _, c := range b.categories {
		in[key.CategoryContainer(c)] = func(t *ballotTopic) bool { return t.category == c }
	}
	for _, tag := range ballotTags.IDs() {
		in[key.TagContainer(tag)] = func(t *ballotTopic) bool { return slices.Contains(t.tags, tag) }
	}
	return in
}

// compare checks what is stored, and compares what readers are shown with the model.
func (b *ballot) compare(rt *rapid.T) {
	b.steps++
	b.SettleHomes()
	for _, f := range b.Findings() {
		rt.Fatalf("Check found %s", f)
	}
	b.compareCounts(rt)
	if len(b.topics) > 0 {
		b.comparePages(rt)
	}
}

// compareCounts compares the counts of topics and comments, and one user's votes on all.
func (b *ballot) compareCounts(rt *rapid.T) {
	topics, comments, by := storetest.SortedIDs(b.topics), storetest.SortedIDs(b.comments), b.someone(rt)
	var subjects []votes.Subject
	var want []forum.VoteDirection
	for _, id := range topics {
		t := b.topics[id]
		shown := forum.Topic{ID: id, Kind: t.kind, State: forum.TopicOpen, CreatedAt: t.created}
		subjects = append(subjects, votes.SubjectOf(shown.Votes(b.Engine.Now()), b.Engine.Now()))
		v := t.votes[by.ID]
		if t.expired {
			_, v = record.UnpackVote(float64(b.logs[by.ID][id]))
		}
		want = append(want, cmp.Or(v, forum.VoteNone))
	}
	for _, id := range comments {
		subjects = append(subjects, votes.SubjectOf((&forum.Comment{ID: id}).Votes(b.Engine.Now()), b.Engine.Now()))
		want = append(want, cmp.Or(b.comments[id].votes[by.ID], forum.VoteNone))
	}
	r := b.Read(b.Ctx)
	ts, cs, vs := r.Listing.Topics(topics), r.Listing.Comments(comments), r.Votes.VotesBy(by.ID, subjects)
	storetest.WantOK(b.T, "Exec", r.Exec())
	shown, _ := ts()
	for i, id := range topics {
		up, down := b.topics[id].counts()
		if shown[i].Upvotes != up || shown[i].Downvotes != down {
			rt.Fatalf("topic %d shows %d, %d votes; want %d, %d", id, shown[i].Upvotes, shown[i].Downvotes, up, down)
		}
	}
	remarks, _ := cs()
	for i, id := range comments {
		if up, down := sides(b.comments[id].votes); remarks[i].Upvotes != up || remarks[i].Downvotes != down {
			rt.Fatalf("comment %d shows %d, %d votes; want %d, %d", id, remarks[i].Upvotes, remarks[i].Downvotes, up,
				down)
		}
	}
	if votes, _ := vs(); !slices.Equal(votes, want) {
		rt.Fatalf("votes of %d on %v, %v = %v; want %v", by.ID, topics, comments, votes, want)
	}
}

// timelines returns all live timelines of the model with their content.
func (b *ballot) timelines() map[forum.Timeline]func(*ballotTopic) bool {
	all := map[forum.Timeline]func(*ballotTopic) bool{}
	for order := range ballotScores {
		for _, direction := range []forum.OrderDirection{forum.Ascending, forum.Descending} {
			for c, in := range b.places() {
				tl := forum.Timeline{Kind: forum.FrontTimeline, Order: order, Direction: direction}
				for _, id := range b.categories {
					if c == key.CategoryContainer(id) {
						tl.Kind, tl.Owner = forum.CategoryTimeline, int64(id)
					}
				}
				for _, id := range ballotTags.IDs() {
					if c == key.TagContainer(id) {
						tl.Kind, tl.Owner = forum.TagTimeline, int64(id)
					}
				}
				all[tl] = in
			}
			tab := forum.Timeline{Kind: forum.TabTimeline, Owner: int64(b.tab), Order: order, Direction: direction}
			all[tab] = func(t *ballotTopic) bool { return slices.Contains(b.categories[:2], t.category) }
		}
	}
	return all
}

// comparePages compares pages of some of the timelines.
func (b *ballot) comparePages(rt *rapid.T) {
	all := b.timelines()
	var names []string
	byName := map[string]forum.Timeline{}
	for tl := range all {
		names = append(names, tl.Name())
		byName[tl.Name()] = tl
	}
	slices.Sort(names)
	for range 2 {
		tl := byName[rapid.SampledFrom(names).Draw(rt, "timeline")]
		desc := tl.Direction == forum.Descending
		rows := storetest.Ordered(b.rowsOf(all[tl], ballotScores[tl.Order]), desc)
		w := storetest.DrawWindow(rt, rows)
		got, _ := storetest.Merged(listing.TimelineLists(tl, b.categories[:2]), w,
			func(r listing.ListRead) forum.Page { return b.Page(r.List, r.Window) })
		if want := storetest.WantedPage(rows, desc, w); !storetest.SamePage(got, want) {
			rt.Fatalf("%s, %+v = %+v; want %+v", tl.Name(), w, got, want)
		}
	}
}
