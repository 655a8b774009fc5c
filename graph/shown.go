package graph

import (
	"context"

	"agora/internal/breadth"
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

// shown renders the texts of objects. Each counts by its length. Exceeding the limit, or taking too long, ends the
// response.
func shown[T any](ctx context.Context, renderer *text.Renderer, objs []*T,
	source func(*T) text.Source) ([]string, error) {
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
		if err := meter.Hold(len(html)); err != nil {
			return nil, err
		}
		all[i] = html
	}
	return all, nil
}
