package app

import (
	"context"
	"errors"
	"slices"

	"agora/breadth"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/text"
)

// AskMentioned queues the lookup of the users that a text may mention, whatever its format, for the next read.
func AskMentioned(ctx context.Context, content *string) {
	if content == nil {
		return
	}
	for _, format := range []forum.ContentFormat{forum.Markdown, forum.HTML} {
		mentioned, quoted := text.MentionedLogins(*content, format)
		loader.From(ctx).AskLogins(append(mentioned, quoted...))
	}
}

// Mentions returns the users that a text mentions, without those in a block with the viewer, in either direction. A
// text without `@` costs no read. before are those of the text before an edit, who keep their mentions, whoever has
// their logins now.
func Mentions(ctx context.Context, content string, format forum.ContentFormat, before forum.Mentions) (forum.Mentions,
	error) {
	if err := breadth.MeterFrom(ctx).Charge(text.MentionsCost(content, format), 0); err != nil {
		return nil, err
	}
	folds, quoted := text.MentionedLogins(content, format)
	direct := len(folds)
	if folds = append(folds, quoted...); len(folds) == 0 {
		return nil, nil
	}
	users, errs := loader.From(ctx).Mentionable(ctx, folds)
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	var ms, quotes forum.Mentions
	for i, u := range users {
		m := forum.Mention{Fold: folds[i], Quoted: i >= direct}
		if u != nil {
			m.User = u.ID
		}
		if n := slices.IndexFunc(before, func(old forum.Mention) bool { return old.Fold == m.Fold }); n >= 0 {
			// Whom a quotation names and the text now mentions is notified, unless a block forbids it.
			if old := before[n]; old.User != m.User {
				m.User, m.Quoted = old.User, m.Quoted || old.Quoted
			}
		}
		switch {
		case m.User == 0:
		case m.Quoted:
			quotes = append(quotes, m)
		default:
			ms = append(ms, m)
		}
	}
	return append(ms, quotes...), nil
}
