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

// post is the text of a topic or comment, or why the response has no room for it.
type post struct {
	text.Source
	failure error
}

func topicText(t *forum.Topic) post {
	return post{text.Source{Content: t.Content, Format: t.Format, Mentions: t.Mentions}, t.TextFailure}
}

func commentText(c *forum.Comment) post {
	return post{text.Source{Content: c.Content, Format: c.Format, Mentions: c.Mentions}, c.TextFailure}
}

// contents returns texts as they were written, nil with an error for those that the response has no room for.
func contents[T any](ctx context.Context, objs []*T, of func(*T) post) ([]*string, error) {
	meter := breadth.MeterFrom(ctx)
	return textsOf(objs, of, func(s text.Source) (string, error) {
		return s.Content, meter.Work(text.WriteCost(s.Content))
	})
}

// shown renders texts, as contents does.
func shown[T any](ctx context.Context, renderer *text.Renderer, objs []*T, of func(*T) post) ([]*string, error) {
	return textsOf(objs, of, func(s text.Source) (string, error) { return render(ctx, renderer, s) })
}

// excerpts returns the starts of rendered texts, as contents does.
func excerpts[T any](ctx context.Context, renderer *text.Renderer, objs []*T, length *int,
	of func(*T) post) ([]*string, error) {
	most := valueOr(length, anyExcerpt)
	if err := checkExcerpt(most); err != nil {
		return failAll[*string](objs, err)
	}
	return textsOf(objs, of, func(s text.Source) (string, error) { return excerpt(ctx, renderer, s, most) })
}

// textsOf returns what use makes of texts, nil with its error if it fails.
func textsOf[T any](objs []*T, of func(*T) post, use func(text.Source) (string, error)) ([]*string, error) {
	all := make([]*string, len(objs))
	var errs []error
	for i, o := range objs {
		w := of(o)
		shown, err := "", w.failure
		if err == nil {
			shown, err = use(w.Source)
		}
		if err != nil && errs == nil {
			errs = make([]error, len(objs))
		}
		if err != nil {
			errs[i] = err
			continue
		}
		all[i] = &shown
	}
	return batchResult(all, errs)
}

// render renders a text. It fails if the response has no room for it, or takes too long.
func render(ctx context.Context, renderer *text.Renderer, s text.Source) (string, error) {
	meter := breadth.MeterFrom(ctx)
	if err := meter.Work(text.RenderCost(s)); err != nil {
		return "", err
	}
	html, err := renderer.HTML(ctx, s)
	if err != nil {
		return "", err
	}
	if err := meter.Work(text.WriteCost(html)); err != nil {
		return "", err
	}
	return html, meter.Hold(len(html))
}

// excerpt returns the start of a text, as render does.
func excerpt(ctx context.Context, renderer *text.Renderer, s text.Source, length int) (string, error) {
	s = text.Start(s, length)
	if err := breadth.MeterFrom(ctx).Work(text.RenderCost(s)); err != nil {
		return "", err
	}
	html, err := renderer.HTML(ctx, s)
	return text.Excerpt(html, length), err
}

func checkExcerpt(length int) error {
	if length < minExcerpt || length > maxExcerpt {
		return forum.BadInput([]string{"length"}, "Ask for %d to %d code points.", minExcerpt, maxExcerpt)
	}
	return nil
}
