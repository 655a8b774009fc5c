package cut

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/categories"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	"agora/internal/test/site"
	"agora/internal/test/wait"
)

var quietLog = slog.New(slog.DiscardHandler)

// cutWriter changes topics at random. Refusals do not matter.
type cutWriter struct {
	site       *cutSite
	token      string // of the viewer, who owns the list and the home
	viewer     forum.UserID
	authors    []forum.UserID
	categories []forum.CategoryID
	tab        forum.TabID
	list       forum.ListID
	n          atomic.Int64

	mu     sync.Mutex
	topics []cutTopic
}

type cutTopic struct {
	id     forum.TopicID
	author forum.UserID
}

func newCutWriter(s *cutSite) *cutWriter {
	data, to, ctx := s.processes[0].store, site.On(s.t, s.processes[0].store), s.t.Context()
	w := &cutWriter{site: s, viewer: s.author.ID}
	token := must.Do(auth.NewToken(w.viewer))(s.t)
	w.token = token.String()
	to.Session(w.viewer, token.Digest(), time.Hour)
	for i := range 3 {
		name := fmt.Sprint("author", i)
		w.authors = append(w.authors, to.User(name).ID)
		w.categories = append(w.categories, to.Category(name))
	}
	w.tab = to.Tab("tab", w.categories[:2]...)
	w.list = must.Do(data.Follows.CreateList(ctx, w.viewer, "list", "list"))(s.t)
	must.OK(s.t, data.Follows.UpdateListMembers(ctx, w.viewer, w.list, w.authors[:2], nil))
	to.Turn(s.author, forum.Target{User: w.authors[0]}, true)
	return w
}

// timelines are the timelines that are followed.
func (w *cutWriter) timelines() []forum.Timeline {
	var all []forum.Timeline
	add := func(kind forum.TimelineKind, owner int64, orders ...forum.TopicOrderField) {
		for _, o := range orders {
			all = append(all, forum.Timeline{Kind: kind, Owner: owner, Order: o, Direction: forum.Descending})
		}
	}
	add(forum.FrontTimeline, 0, forum.ByCreated, forum.ByActive)
	add(forum.CategoryTimeline, int64(w.categories[0]), forum.ByCreated, forum.ByActive)
	add(forum.CategoryTimeline, int64(w.categories[2]), forum.ByActive)
	add(forum.TabTimeline, int64(w.tab), forum.ByCreated, forum.ByActive)
	add(forum.ProfileTimeline, int64(w.authors[0]), forum.ByCreated)
	add(forum.HomeTimeline, int64(w.viewer), forum.ByCreated)
	add(forum.ListTimeline, int64(w.list), forum.ByCreated)
	return all
}

// work makes changes until ctx is done.
func (w *cutWriter) work(ctx context.Context, process int) {
	data := w.site.processes[process].store
	for ctx.Err() == nil {
		w.change(context.WithoutCancel(ctx), data)
		w.n.Add(1)
		wait.Pause(ctx, 3*time.Millisecond)
	}
}

// maxCutTopics is the maximum number of topics: a page holds them all.
const maxCutTopics = 60

func (w *cutWriter) change(ctx context.Context, data *store.Store) {
	w.mu.Lock()
	many := len(w.topics)
	var one cutTopic
	if many > 0 {
		one = w.topics[rand.IntN(many)]
	}
	w.mu.Unlock()
	category := w.categories[rand.IntN(len(w.categories))]
	by, mod := &forum.Viewer{ID: one.author}, &forum.Viewer{ID: w.viewer, Role: forum.RoleModerator}
	switch n := rand.IntN(20); {
	case many == 0 || n < 6 && many < maxCutTopics:
		w.post(ctx, data, category)
	case n < 11:
		data.Posts.CreateComment(ctx, by, posts.NewComment{Topic: one.id, Content: "x", Format: forum.Markdown})
	case n < 13:
		data.Votes.VoteTopic(ctx, mod, one.id, []forum.VoteDirection{forum.VoteUp, forum.VoteDown,
			forum.VoteNone}[rand.IntN(3)])
	case n < 16:
		data.Posts.UpdateTopic(ctx, by, one.id, posts.TopicChange{Category: &category})
	case n < 17:
		name := fmt.Sprint("author", rand.IntN(3))
		who := w.authors[rand.IntN(len(w.authors))]
		if rand.IntN(2) == 0 {
			data.Follows.Follow(ctx, w.viewer, forum.Target{User: who}, name != "author0")
		} else {
			data.Follows.Follow(ctx, w.viewer, forum.Target{Category: category}, name != "author0")
		}
	case n < 18:
		who := []forum.UserID{w.authors[rand.IntN(len(w.authors))]}
		if rand.IntN(2) == 0 {
			data.Follows.UpdateListMembers(ctx, w.viewer, w.list, who, nil)
		} else {
			data.Follows.UpdateListMembers(ctx, w.viewer, w.list, nil, who)
		}
	case n < 19 && rand.IntN(2) == 0:
		change := categories.TabChange{Add: w.categories[rand.IntN(3):][:1]}
		if rand.IntN(2) == 0 {
			change.Add, change.Remove = nil, change.Add
		}
		data.Categories.UpdateTab(ctx, w.tab, change)
	default:
		data.Posts.DeleteTopic(ctx, by, one.id)
		w.mu.Lock()
		for i, t := range w.topics {
			if t == one {
				w.topics = append(w.topics[:i:i], w.topics[i+1:]...)
				break
			}
		}
		w.mu.Unlock()
	}
}

func (w *cutWriter) post(ctx context.Context, data *store.Store, category forum.CategoryID) {
	who := w.authors[rand.IntN(len(w.authors))]
	id, err := data.Posts.CreateTopic(
		ctx,
		posts.NewTopic{
			Author:   who,
			Kind:     forum.Discussion,
			Title:    "t",
			Content:  "t",
			Format:   forum.Markdown,
			Category: category,
		},
	)
	if err == nil {
		w.mu.Lock()
		w.topics = append(w.topics, cutTopic{id, who})
		w.mu.Unlock()
	}
}
