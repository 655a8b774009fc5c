package graph

import (
	"context"

	"agora/breadth"
	"agora/internal/forum"
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

// excerpts returns the starts of the texts of objects, as shown does.
func excerpts[T any](ctx context.Context, renderer *text.Renderer, objs []*T, length *int,
	source func(*T) text.Source) ([]string, error) {
	most := valueOr(length, anyExcerpt)
	if most < minExcerpt || most > maxExcerpt {
		return nil, forum.BadInput([]string{"length"}, "Ask for %d to %d code points.", minExcerpt, maxExcerpt)
	}
	return rendered(ctx, renderer, objs, source, func(html string) string { return text.Excerpt(html, most) })
}

// shown renders the texts of objects. Each counts by its length. Exceeding the limit, or taking too long, ends the
// response.
func shown[T any](ctx context.Context, renderer *text.Renderer, objs []*T,
	source func(*T) text.Source) ([]string, error) {
	return rendered(ctx, renderer, objs, source, func(html string) string { return html })
}

// rendered renders texts, and returns what use makes of each.
func rendered[T any](ctx context.Context, renderer *text.Renderer, objs []*T, source func(*T) text.Source,
	use func(html string) string) ([]string, error) {
	meter := breadth.MeterFrom(ctx)
	all := make([]string, len(objs))
	for i, o := range objs {
		s := source(o)
		if err := meter.Render(len(s.Content)); err != nil {
			return nil, err
		}
		html, err := renderer.HTML(ctx, s)
		if err != nil {
			return nil, err
		}
		all[i] = use(html)
		if err := meter.Hold(len(all[i])); err != nil {
			return nil, err
		}
	}
	return all, nil
}
