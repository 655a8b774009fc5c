package loader

import (
	"context"

	"agora/internal/forum"
)

// AskTopics queues those topics for the next pipeline that were not read yet, and reports whether there is anything to
// wait for.
func (l *Loaders) AskTopics(ts []*forum.Topic) bool {
	return l.topicHandles.ask(ts)
}

// AskUsers is AskTopics for users.
func (l *Loaders) AskUsers(us []*forum.User) bool {
	return l.userHandles.ask(us)
}

// AskComments is AskTopics for comments.
func (l *Loaders) AskComments(cs []*forum.Comment) bool {
	return l.commentHandles.ask(cs)
}

// AskCategories is AskTopics for categories.
func (l *Loaders) AskCategories(cs []*forum.Category) bool {
	return l.categoryHandles.ask(cs)
}

// AskTabs is AskTopics for tabs.
func (l *Loaders) AskTabs(ts []*forum.Tab) bool { return l.tabHandles.ask(ts) }

// NeedTopics returns when the topics were read, with an error for each that could not be.
func (l *Loaders) NeedTopics(ctx context.Context, ts []*forum.Topic) []error {
	l.topicHandles.need(ctx, ts)
	return failures(ts, l.topicHandles.handle)
}

// NeedUsers is NeedTopics for users.
func (l *Loaders) NeedUsers(ctx context.Context, us []*forum.User) []error {
	l.userHandles.need(ctx, us)
	return failures(us, l.userHandles.handle)
}

// NeedComments is NeedTopics for comments. A comment is visible to everyone who can see its topic, unless it is held;
// of one that is hidden most see only where it is.
func (l *Loaders) NeedComments(ctx context.Context, cs []*forum.Comment) []error {
	l.commentHandles.need(ctx, cs)
	var topics []*forum.Topic
	for _, c := range cs {
		if c.Status == forum.Whole {
			topics = append(topics, l.topicHandles.one(c.TopicID))
		}
	}
	l.topicHandles.need(ctx, topics)
	for _, c := range cs {
		if c.Status != forum.Whole {
			continue
		}
		t := l.topicHandles.one(c.TopicID)
		if t.Status != forum.Whole {
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

// NeedCategories is NeedTopics for categories.
func (l *Loaders) NeedCategories(ctx context.Context, cs []*forum.Category) []error {
	l.categoryHandles.need(ctx, cs)
	return failures(cs, l.categoryHandles.handle)
}

// NeedTabs is NeedTopics for tabs.
func (l *Loaders) NeedTabs(ctx context.Context, ts []*forum.Tab) []error {
	l.tabHandles.need(ctx, ts)
	return failures(ts, l.tabHandles.handle)
}
