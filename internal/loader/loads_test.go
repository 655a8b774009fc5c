package loader

import (
	"context"

	"agora/internal/forum"
	"agora/internal/store/listing"
	"agora/internal/store/votes"
)

// load is a load of one kind: its cost, and a function that runs it. Like loaders, the function returns one error for
// each key, or nil if nothing failed.
type load struct {
	name  string
	trips int // of a response that runs no other load
	// commands are the commands of its first round trip.
	commands int
	run      func(context.Context, *Loaders) []error
}

// loads are loads of all kinds, with two keys for a load that takes many.
func (x *site) loads() []load {
	all := append(x.objectLoads(), x.tableLoads()...)
	return append(all,
		load{"pages", 1, 4, func(ctx context.Context, l *Loaders) []error {
			_, errs := l.Pages(ctx, pointers(listing.AllTabs(), listing.AllCategories()), forum.Window{Count: 9})
			return errs
		}},
		load{"timelines", 2, 2, func(ctx context.Context, l *Loaders) []error {
			w := forum.Window{Count: 9}
			_, errs := l.Timelines(ctx,
				[]forum.Timeline{activity(forum.FrontTimeline, 0), activity(forum.TabTimeline, int64(x.tab))}, []forum.Window{w, w})
			return errs
		}},
		load{"pages of comments by votes", 1, 2, func(ctx context.Context, l *Loaders) []error {
			_, errs := l.Pages(ctx, pointers(listing.TopicComments(x.topic, false, forum.MostVoted)),
				forum.Window{Count: 9, Bare: true})
			return errs
		}},
		load{"snapshots", 1, 4, func(ctx context.Context, l *Loaders) []error {
			_, errs := l.Timelines(ctx, []forum.Timeline{best(forum.FrontTimeline, 0)}, []forum.Window{{Count: 9}})
			return errs
		}},
		load{"categories of tabs", 1, 1, func(ctx context.Context, l *Loaders) []error {
			_, errs := l.TabCategories(ctx, []forum.TabID{x.tab})
			return errs
		}},
		load{"lengths", 1, 2, func(ctx context.Context, l *Loaders) []error {
			_, errs := l.Lengths(ctx, []listing.List{listing.CategoryTopics(x.category), listing.UserComments(x.bob.ID)})
			return errs
		}},
		load{"votes", 1, 4, func(ctx context.Context, l *Loaders) []error {
			_, errs := l.Votes(ctx, []votes.Subject{votes.SubjectOf(forum.VoteSummary{Topic: x.topic}, 0),
				votes.SubjectOf(forum.VoteSummary{Comment: x.comment}, 0)})
			return errs
		}},
	)
}

// objectLoads are the loads of handles.
func (x *site) objectLoads() []load {
	return []load{
		{"topics", 1, 2, func(ctx context.Context, l *Loaders) []error {
			return l.NeedTopics(ctx, l.Topics([]forum.TopicID{x.topic, x.deleted}))
		}},
		{"listed topics", 1, 2, func(ctx context.Context, l *Loaders) []error {
			return l.NeedTopics(ctx, l.ListedTopics([]forum.TopicID{x.topic, x.imported}))
		}},
		{"comments", 2, 2, func(ctx context.Context, l *Loaders) []error {
			return l.NeedComments(ctx, l.Comments([]forum.CommentID{x.comment, x.answer}))
		}},
		{"categories", 1, 2, func(ctx context.Context, l *Loaders) []error {
			cs, errs := l.CategoriesNow(ctx, []forum.CategoryID{x.category, 99})
			return errs[:min(len(errs), len(cs))]
		}},
		{"tabs", 1, 2, func(ctx context.Context, l *Loaders) []error {
			ts, errs := l.TabsNow(ctx, []forum.TabID{x.tab, 99})
			return errs[:min(len(errs), len(ts))]
		}},
		{"tags", 1, 2, func(ctx context.Context, l *Loaders) []error {
			ts, errs := l.TagsNow(ctx, []forum.TagID{x.tag, 99})
			return errs[:min(len(errs), len(ts))]
		}},
		{"tags of topics", 2, 1, func(ctx context.Context, l *Loaders) []error {
			ts := l.Topics([]forum.TopicID{x.topic})
			if errs := l.NeedTopics(ctx, ts); errs != nil {
				return errs
			}
			return l.NeedTags(ctx, l.TagsOf(ctx, ts)[0])
		}},
		{"a category by name", 1, 1, func(ctx context.Context, l *Loaders) []error {
			_, err := l.CategoryNamed(ctx, "go")
			return addError(nil, 1, 0, err)
		}},
		{"a tab by name", 1, 1, func(ctx context.Context, l *Loaders) []error {
			_, err := l.TabNamed(ctx, "tab")
			return addError(nil, 1, 0, err)
		}},
	}
}

// tableLoads are the loads of users and of tables.
func (x *site) tableLoads() []load {
	two := []forum.UserID{x.ann.ID, x.bob.ID}
	return []load{
		{"users", 1, 4, func(ctx context.Context, l *Loaders) []error { return second(l.Users(ctx, two)) }},
		{"authors", 1, 2, func(ctx context.Context, l *Loaders) []error {
			return l.NeedUsers(ctx, l.Authors([]forum.UserID{x.ann.ID, x.mod.ID}))
		}},
		{"emails", 1, 4, func(ctx context.Context, l *Loaders) []error { return second(l.Emails(ctx, two)) }},
		{"sessions", 1, 2, func(ctx context.Context, l *Loaders) []error { return second(l.Sessions(ctx, two)) }},
		{"tokens", 1, 2, func(ctx context.Context, l *Loaders) []error { return second(l.Tokens(ctx, two)) }},
		{"users by login", 2, 2, func(ctx context.Context, l *Loaders) []error {
			return second(l.UsersByLogin(ctx, []string{"ann", "mod"}))
		}},
	}
}

func second[T any](_ T, errs []error) []error { return errs }
