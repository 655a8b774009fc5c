package loader

import (
	"context"

	"agora/internal/forum"
)

// AskTopics queues a part of the topics for the next pipeline, and reports whether there is anything to wait for.
func (l *Loaders) AskTopics(ts []*forum.Topic, want forum.Part) bool {
	return l.topicHandles.ask(ts, want)
}

// AskUsers is AskTopics for users.
func (l *Loaders) AskUsers(us []*forum.User) bool { return l.userHandles.ask(us, forum.Basics) }

// AskComments is AskTopics for comments.
func (l *Loaders) AskComments(cs []*forum.Comment, want forum.Part) bool {
	return l.commentHandles.ask(cs, want)
}

// AskCategories is AskTopics for categories.
func (l *Loaders) AskCategories(cs []*forum.Category) bool {
	return l.categoryHandles.ask(cs, forum.Basics)
}

// AskTabs is AskTopics for tabs.
func (l *Loaders) AskTabs(ts []*forum.Tab) bool { return l.tabHandles.ask(ts, forum.Basics) }

// NeedTopics returns when a part of the topics is known. Topics that do not exist or failed stay without it.
func (l *Loaders) NeedTopics(ctx context.Context, ts []*forum.Topic, want forum.Part) []error {
	l.topicHandles.need(ctx, ts, want)
	return failures(ts, l.topicHandles.handle)
}

// NeedUsers is NeedTopics for users.
func (l *Loaders) NeedUsers(ctx context.Context, us []*forum.User) []error {
	l.userHandles.need(ctx, us, forum.Basics)
	return failures(us, l.userHandles.handle)
}

// NeedComments is NeedTopics for comments. A comment is visible to everyone who can see its topic, unless it is held;
// of one that is hidden most see only where it is.
func (l *Loaders) NeedComments(ctx context.Context, cs []*forum.Comment, want forum.Part) []error {
	l.commentHandles.need(ctx, cs, want)
	var topics []*forum.Topic
	for _, c := range cs {
		if c.Status == forum.Named {
			topics = append(topics, l.topicHandles.one(c.TopicID))
		}
	}
	l.topicHandles.need(ctx, topics, forum.Basics)
	for _, c := range cs {
		if c.Status != forum.Named {
			continue
		}
		t := l.topicHandles.one(c.TopicID)
		if t.Status != forum.Named {
			c.Status, c.Failure = t.Status, t.Failure
			continue
		}
		if c.State.Live() && !c.Unlisted {
			continue
		}
		if c.Obscure(l.viewer, t); !c.VisibleTo(l.viewer, t) {
			c.Status = forum.Absent
		}
	}
	return failures(cs, l.commentHandles.handle)
}

// NeedCategories is NeedTopics for categories, which are always read whole.
func (l *Loaders) NeedCategories(ctx context.Context, cs []*forum.Category) []error {
	l.categoryHandles.need(ctx, cs, forum.Basics)
	return failures(cs, l.categoryHandles.handle)
}

// NeedTabs is NeedTopics for tabs, which are always read whole.
func (l *Loaders) NeedTabs(ctx context.Context, ts []*forum.Tab) []error {
	l.tabHandles.need(ctx, ts, forum.Basics)
	return failures(ts, l.tabHandles.handle)
}
