package graph

import (
	"context"
	"errors"

	"agora/graph/model"
	"agora/internal/app"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/opt"
	"agora/internal/ratelimit"
	"agora/internal/text"
)

// Preview resolves Query.preview.
func (r query) Preview(ctx context.Context, content string, format *forum.ContentFormat) (*model.Preview, error) {
	if err := r.Rates.Take(ratelimit.Previews, auth.CallerFrom(ctx)); err != nil {
		return nil, err
	}
	p := &model.Preview{Format: opt.Or(format, forum.Markdown)}
	var err error
	if p.Content, err = text.Body([]string{"content"}, content, 0, forum.MaxContent); err != nil {
		var bad *forum.Error
		if errors.As(err, &bad) { // a query has no payload for it
			err = forum.BadInput(bad.Path, "%s", bad.Message)
		}
		return nil, err
	}
	p.Mentions, err = app.Mentions(ctx, p.Content, p.Format, nil)
	return p, err
}

// previewed returns the source of a preview.
func previewed(ctx context.Context, p *model.Preview) (text.Source, error) {
	sources := []text.Source{{Content: p.Content, Format: p.Format, ID: "preview-"}}
	errs := nameMentioned(ctx, sources, nil, func(int) forum.Mentions { return p.Mentions })
	if errs != nil {
		return text.Source{}, errs[0]
	}
	return sources[0], nil
}

// ContentHTML resolves Preview.contentHtml.
func (r preview) ContentHTML(ctx context.Context, p *model.Preview) (string, error) {
	s, err := previewed(ctx, p)
	if err != nil {
		return "", err
	}
	return render(ctx, r.texts(), s, whole)
}

// Excerpt resolves Preview.excerpt.
func (r preview) Excerpt(ctx context.Context, p *model.Preview, length *int) (string, error) {
	most := opt.Or(length, anyExcerpt)
	if err := checkExcerpt(most); err != nil {
		return "", err
	}
	s, err := previewed(ctx, p)
	if err != nil {
		return "", err
	}
	return excerpt(ctx, r.texts(), s, most)
}

// Mentions resolves Preview.mentions.
func (preview) Mentions(ctx context.Context, p *model.Preview) ([]*loader.User, error) {
	return onlyResult(mentioned(ctx, []forum.Mentions{p.Mentions.Direct()}))
}
