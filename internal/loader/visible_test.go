package loader

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agora/internal/forum"
	"agora/internal/store/listing"
	"agora/internal/test/must"
)

// sights are the paths to the site's objects, each by its name. They return the title or content of the object, or ""
// if the viewer cannot see it.
func (x *site) sights(l *Loaders) map[string]func(context.Context) string {
	all := map[string]func(context.Context) string{}
	topics := map[string]forum.TopicID{"topic": x.topic, "deleted": x.deleted, "imported": x.imported,
		"dropped": x.dropped, "none": nothing}
	for name, id := range topics {
		all[name] = func(ctx context.Context) string { return shownTopic(ctx, l, l.Topics, id) }
		all[name+" in a list"] = func(ctx context.Context) string { return shownTopic(ctx, l, l.ListedTopics, id) }
	}
	comments := map[string]forum.CommentID{"comment": x.comment, "buried": x.buried, "no comment": nothing}
	for name, id := range comments {
		all[name] = func(ctx context.Context) string { return shownComment(ctx, l, id) }
	}
	for name, id := range map[string]forum.UserID{"ann": x.ann.ID, "left": x.left, "ghost": 0, "nobody": nobody} {
		all[name] = func(ctx context.Context) string { return shownUser(ctx, l, l.Users, id) }
		all[name+" as author"] = func(ctx context.Context) string {
			return shownUser(ctx, l, func(_ context.Context, ids []forum.UserID) ([]*User, []error) {
				return l.Authors(ids), nil
			}, id)
		}
	}
	all["what bob wrote"] = func(ctx context.Context) string {
		pages, _ := l.Pages(ctx, pointers(listing.UserComments(x.bob.ID)), forum.Window{Count: 9})
		var shown []string
		for _, id := range IDs[forum.CommentID](pages[0]) {
			shown = append(shown, shownComment(ctx, l, id))
		}
		return fmt.Sprint(shown)
	}
	return all
}

func shownTopic(
	ctx context.Context, l *Loaders, name func([]forum.TopicID) []*Topic, id forum.TopicID,
) string {
	ts := name([]forum.TopicID{id})
	errs := l.NeedTopics(ctx, ts)
	switch {
	case errs != nil:
		return errs[0].Error()
	case ts[0].Missing():
		return ""
	}
	if ts[0].Title == "" {
		return "erased"
	}
	return ts[0].Title
}

func shownComment(ctx context.Context, l *Loaders, id forum.CommentID) string {
	cs := l.Comments([]forum.CommentID{id})
	errs := l.NeedComments(ctx, cs)
	switch {
	case errs != nil:
		return errs[0].Error()
	case cs[0].Missing():
		return ""
	}
	return cs[0].Content
}

func shownUser(ctx context.Context, l *Loaders, load func(context.Context, []forum.UserID) ([]*User, []error),
	id forum.UserID) string {
	us, errs := load(ctx, []forum.UserID{id})
	if errs == nil && us[0] != nil {
		errs = l.NeedUsers(ctx, us)
	}
	switch {
	case errs != nil:
		return errs[0].Error()
	case us[0] == nil || us[0].Missing():
		return ""
	}
	return fmt.Sprint(us[0].Login, us[0].ID == id)
}

// hide marks a topic as deleted like a deletion that crashes before it updates the lists: its comments are still in
// those of their authors.
func (x *site) hide(id forum.TopicID) {
	x.t.Helper()
	key := fmt.Sprintf("{p%02x}:t:%d", uint8(id.Partition()), id)
	must.OK(x.t, x.redis.HSet(x.t.Context(), key, "state", string(forum.TopicDeleted), "deleted",
		int64(x.Engine.Now())).Err())
}

// The objects that each viewer sees are the same on every path: alone, when the topic of a comment was not named
// before, and together with all other paths in the same level, in both executors.
func TestVisibility(t *testing.T) {
	x := newSite(t)
	half := x.post()
	x.reply(x.bob, half, 0)
	x.hide(half)
	public := map[string]string{
		"topic": "t", "topic in a list": "t", "imported": "t", "imported in a list": "t", "none": "", "none in a list": "",
		"deleted": "", "deleted in a list": "", "dropped": "", "dropped in a list": "",
		"comment": "c", "buried": "", "no comment": "", "what bob wrote": "[ c]",
		"ann": "anntrue", "ann as author": "anntrue", "ghost": "ghosttrue", "ghost as author": "ghosttrue",
		"left": "", "left as author": "ghostfalse", "nobody": "", "nobody as author": "ghostfalse",
	}
	author := maps.Clone(public)
	author["deleted"], author["buried"], author["what bob wrote"] = "erased", "c", "[c c]"
	moderator := maps.Clone(author)
	moderator["dropped"] = "t"
	viewers := []struct {
		name   string
		viewer *forum.Viewer
		want   map[string]string
	}{{"signed out", nil, public}, {"stranger who commented", x.bob, public}, {"author", x.ann, author},
		{"moderator", x.mod, moderator}}
	for _, v := range viewers {
		for _, mode := range modes {
			alone := map[string]string{}
			for name := range x.sights(nil) {
				ctx, l, _ := x.response(v.viewer)
				mode.run(t, ctx, l, func(ctx context.Context) { alone[name] = x.sights(l)[name](ctx) })
			}
			if diff := cmp.Diff(v.want, alone); diff != "" {
				t.Errorf("%s, %s, one by one (-want +got):\n%s", v.name, mode.name, diff)
			}
			if diff := cmp.Diff(v.want, x.together(mode.run, v.viewer)); diff != "" {
				t.Errorf("%s, %s, together (-want +got):\n%s", v.name, mode.name, diff)
			}
		}
	}
}

// together follows all paths in one response.
func (x *site) together(run runner, viewer *forum.Viewer) map[string]string {
	ctx, l, _ := x.response(viewer)
	var mu sync.Mutex
	seen := map[string]string{}
	var resolvers []func(context.Context)
	sights := x.sights(l)
	for _, name := range slices.Sorted(maps.Keys(sights)) {
		resolvers = append(resolvers, func(ctx context.Context) {
			shown := sights[name](ctx)
			mu.Lock()
			defer mu.Unlock()
			seen[name] = shown
		})
	}
	run(x.t, ctx, l, slices.Repeat(resolvers, 4)...)
	return seen
}

// An object that the viewer may not see is absent, and is not read again.
func TestHandlesOfHiddenObjectsAreEmpty(t *testing.T) {
	x := newSite(t)
	ctx, l, _ := x.response(x.bob)
	inResponse(t, ctx, l, func(ctx context.Context) {
		ts := l.Topics([]forum.TopicID{x.deleted, x.dropped, nothing})
		l.NeedTopics(ctx, ts)
		cs := l.Comments([]forum.CommentID{x.buried, nothing})
		l.NeedComments(ctx, cs)
		for _, topic := range ts {
			if topic.status != statusAbsent {
				t.Errorf("topic %d: %+v; want it absent", topic.ID, topic.handle)
			}
		}
		for _, c := range cs {
			if c.status != statusAbsent {
				t.Errorf("comment %d: %+v; want it absent", c.ID, c.handle)
			}
		}
		x.sent.take(0)
		l.NeedTopics(ctx, ts)
		l.NeedComments(ctx, cs)
		x.want("the hidden objects, once more")
	})
}

// A tombstone keeps its position; its author is the ghost, whenever that is read.
func TestTombstonesAreTheGhosts(t *testing.T) {
	x := newSite(t)
	must.OK(t, x.Posts.DeleteComment(t.Context(), x.bob, x.comment))
	for _, mode := range modes {
		ctx, l, _ := x.response(x.mod)
		mode.run(t, ctx, l, func(ctx context.Context) {
			cs := l.Comments([]forum.CommentID{x.comment, x.answer})
			if errs := l.NeedComments(ctx, cs); errs != nil || cs[0].Content != "" || cs[0].Number != 1 {
				t.Errorf("%s: comments = %+v, %v; want the tombstone with number 1", mode.name, cs[0], errs)
			}
			authors := l.Authors([]forum.UserID{cs[0].AuthorID, cs[1].AuthorID})
			errs := l.NeedUsers(ctx, authors)
			if errs != nil || authors[0].Login != forum.GhostLogin || authors[1].ID != x.ann.ID {
				t.Errorf("%s: Authors = %v, %v; want the ghost and ann", mode.name, authors, errs)
			}
			parents := l.Parents(ctx, cs)
			if parents[0] != nil || parents[1] == nil || parents[1].ID != x.comment {
				t.Errorf("%s: Parents = %v; want none, and the tombstone", mode.name, parents)
			}
		})
	}
}

// A list hides a deleted topic even from its author, while in the same response a query by id shows it; both are read
// once.
func TestListsHideWhatItsAuthorSees(t *testing.T) {
	x := newSite(t)
	for _, order := range [][]int{{0, 1}, {1, 0}} {
		ctx, l, usage := x.response(x.ann)
		shown := make([]string, 2)
		ways := []func(context.Context){
			func(ctx context.Context) { shown[0] = shownTopic(ctx, l, l.Topics, x.deleted) },
			func(ctx context.Context) { shown[1] = shownTopic(ctx, l, l.ListedTopics, x.deleted) },
		}
		inResponse(t, ctx, l, ways[order[0]], ways[order[1]], func(ctx context.Context) {
			for _, way := range order { // also if one of them is already known
				ways[way](ctx)
			}
		})
		if !slices.Equal(shown, []string{"erased", ""}) {
			t.Errorf("by id and in a list = %q; want it by id only", shown)
		}
		wantUsage(t, "both", usage, 1, 1)
	}
}
