package graph

import (
	"context"
	"strconv"

	"agora/breadth"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/opt"
	"agora/internal/text"
)

// renderer renders the texts of all responses, unless Resolver.Texts is set.
var renderer = text.NewRenderer(text.DefaultCache, text.Images{})

func (r *Resolver) texts() *text.Renderer {
	if r.Texts != nil {
		return r.Texts
	}
	return renderer
}

// The bounds of the length of an excerpt, in code points, and its default.
const (
	minExcerpt = 20
	maxExcerpt = 1000
	anyExcerpt = 200
)

// topicTexts returns the sources of the texts of topics, with an error for those that the response has no room for.
func topicTexts(ctx context.Context, ts []*loader.Topic) ([]text.Source, []error) {
	l := loader.From(ctx)
	l.NeedTopics(ctx, ts)
	mentions := func(i int) forum.Mentions { return ts[i].Mentions }
	askMembers(ctx, len(ts), mentions)
	contents, errs := l.Texts(ctx, ts)
	sources := make([]text.Source, len(ts))
	for i, t := range ts {
		sources[i] = text.Source{Content: contents[i], Format: t.Format, ID: noteIDs("topic", t.ID)}
	}
	return sources, nameMentioned(ctx, sources, errs, mentions)
}

// commentTexts is topicTexts for comments.
func commentTexts(ctx context.Context, cs []*loader.Comment) ([]text.Source, []error) {
	l := loader.From(ctx)
	l.NeedComments(ctx, cs)
	mentions := func(i int) forum.Mentions { return cs[i].Mentions }
	askMembers(ctx, len(cs), mentions)
	contents, errs := l.CommentTexts(ctx, cs)
	sources := make([]text.Source, len(cs))
	for i, c := range cs {
		sources[i] = text.Source{Content: contents[i], Format: c.Format, ID: noteIDs("comment", c.ID)}
	}
	return sources, nameMentioned(ctx, sources, errs, mentions)
}

// askMembers queues the members whom n texts name, and returns them in order.
func askMembers(ctx context.Context, n int, mentions func(i int) forum.Mentions) []*loader.User {
	var ids []forum.UserID
	for i := range n {
		for _, m := range mentions(i) {
			ids = append(ids, m.User)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	members := loader.From(ctx).Authors(ids)
	loader.From(ctx).AskUsers(members)
	return members
}

// nameMentioned gives sources the present logins of the members whom they name, without those who are gone. It adds to
// errs one for each source with members who could not be read.
func nameMentioned(ctx context.Context, sources []text.Source, errs []error,
	mentions func(i int) forum.Mentions) []error {
	members := askMembers(ctx, len(sources), mentions)
	if len(members) == 0 {
		return errs
	}
	failed := loader.From(ctx).NeedUsers(ctx, members)
	n := 0
	for i := range sources {
		for _, m := range mentions(i) {
			member := members[n]
			switch {
			case failed != nil && failed[n] != nil:
				if errs == nil {
					errs = make([]error, len(sources))
				}
				if errs[i] == nil {
					errs[i] = failed[n]
				}
			case member.ID != 0 && member.Active:
				sources[i].Mentions = append(sources[i].Mentions, text.Mention{Fold: m.Fold, Login: member.Login})
			}
			n++
		}
	}
	return errs
}

// noteIDs begins the ids of the footnotes of a post.
func noteIDs[ID ~int64](kind string, id ID) string {
	return kind + "-" + strconv.FormatInt(int64(id), 10) + "-"
}

// textsFunc returns the sources of the texts of posts, as topicTexts does.
type textsFunc[T any] func(context.Context, []*T) ([]text.Source, []error)

// contents returns texts as they were written, nil with an error for those that the response has no room for.
func contents(ctx context.Context, texts []string, errs []error) ([]*string, error) {
	meter, all := breadth.MeterFrom(ctx), refs(texts)
	for i, s := range texts {
		if errs != nil && errs[i] != nil {
			all[i] = nil
		} else if err := meter.Charge(breadth.StringSize(s), 0); err != nil {
			if errs == nil {
				errs = make([]error, len(texts))
			}
			all[i], errs[i] = nil, err
		}
	}
	return batchResult(all, errs)
}

// shown renders texts, as contents does.
func shown[T any](ctx context.Context, renderer *text.Renderer, objs []*T, of textsFunc[T]) ([]*string, error) {
	return textsOf(ctx, objs, of, func(s text.Source) (string, error) { return render(ctx, renderer, s, whole) })
}

// excerpts returns the starts of rendered texts, as contents does.
func excerpts[T any](ctx context.Context, renderer *text.Renderer, objs []*T, length *int,
	of textsFunc[T]) ([]*string, error) {
	most := opt.Or(length, anyExcerpt)
	if err := checkExcerpt(most); err != nil {
		return failAll[*string](objs, err)
	}
	return textsOf(ctx, objs, of, func(s text.Source) (string, error) { return excerpt(ctx, renderer, s, most) })
}

// textsOf returns what use makes of texts, nil with its error if it fails.
func textsOf[T any](ctx context.Context, objs []*T, of textsFunc[T],
	use func(text.Source) (string, error)) ([]*string, error) {
	sources, errs := of(ctx, objs)
	all, values := make([]*string, len(objs)), make([]string, len(objs))
	for i, s := range sources {
		if errs != nil && errs[i] != nil {
			continue
		}
		var err error
		if values[i], err = use(s); err == nil {
			all[i] = &values[i]
			continue
		}
		if errs == nil {
			errs = make([]error, len(objs))
		}
		errs[i] = err
	}
	return batchResult(all, errs)
}

// render returns what is shown of a rendered text. It fails if the response has no room for it, or takes too long.
func render(ctx context.Context, renderer *text.Renderer, s text.Source, shown func(html string) string) (string,
	error) {
	meter, cost := breadth.MeterFrom(ctx), text.RenderCost(s)
	most := cost / text.RenderedByte
	if err := meter.Charge(cost, most); err != nil {
		return "", err
	}
	html, err := renderer.HTML(ctx, s)
	if err != nil {
		return "", err
	}
	html = shown(html)
	if err := meter.Charge(0, len(html)-most); err != nil {
		return "", err
	}
	if err := meter.Charge(breadth.StringSize(html), 0); err != nil {
		return "", err
	}
	return html, nil
}

// whole shows a rendered text as it is.
func whole(html string) string { return html }

// excerpt returns the start of a text, as render does.
func excerpt(ctx context.Context, renderer *text.Renderer, s text.Source, length int) (string, error) {
	return render(ctx, renderer, text.Start(s, length), func(html string) string { return text.Excerpt(html, length) })
}

func checkExcerpt(length int) error {
	if length < minExcerpt || length > maxExcerpt {
		return forum.BadInput([]string{"length"}, "Ask for %d to %d code points.", minExcerpt, maxExcerpt)
	}
	return nil
}
