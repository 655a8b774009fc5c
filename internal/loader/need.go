package loader

import (
	"context"
)

// AskTopics queues those topics for the next pipeline that were not read yet, and reports whether there is anything to
// wait for.
func (l *Loaders) AskTopics(ts []*Topic) bool {
	return l.topicHandles.ask(ts)
}

// AskUsers is AskTopics for users.
func (l *Loaders) AskUsers(us []*User) bool {
	return l.userHandles.ask(us)
}

// AskComments is AskTopics for comments.
func (l *Loaders) AskComments(cs []*Comment) bool {
	return l.commentHandles.ask(cs)
}

// AskCategories is AskTopics for categories.
func (l *Loaders) AskCategories(cs []*Category) bool {
	return l.categoryHandles.ask(cs)
}

// AskTabs is AskTopics for tabs.
func (l *Loaders) AskTabs(ts []*Tab) bool { return l.tabHandles.ask(ts) }

// NeedTopics returns when the topics were read, with an error for each that could not be.
func (l *Loaders) NeedTopics(ctx context.Context, ts []*Topic) []error {
	l.topicHandles.need(ctx, ts)
	return failures(ts)
}

// NeedUsers is NeedTopics for users.
func (l *Loaders) NeedUsers(ctx context.Context, us []*User) []error {
	l.userHandles.need(ctx, us)
	return failures(us)
}

// NeedComments is NeedTopics for comments. A comment is visible to everyone who can see its topic, unless it is held;
// of one that is hidden most see only where it is.
func (l *Loaders) NeedComments(ctx context.Context, cs []*Comment) []error {
	l.commentHandles.need(ctx, cs)
	var topics []*Topic
	for _, c := range cs {
		if c.status == statusWhole {
			topics = append(topics, l.topicHandles.one(c.TopicID))
		}
	}
	l.topicHandles.need(ctx, topics)
	for _, c := range cs {
		if c.status != statusWhole {
			continue
		}
		t := l.topicHandles.one(c.TopicID)
		if t.status != statusWhole {
			c.status, c.failure = t.status, t.failure
			continue
		}
		if c.State.Live() && !c.Unlisted {
			continue
		}
		if c.Comment = c.ShownTo(l.viewer, t.Topic); !c.VisibleTo(l.viewer, t.Topic) {
			c.status = statusAbsent
		}
	}
	return failures(cs)
}

// NeedCategories is NeedTopics for categories.
func (l *Loaders) NeedCategories(ctx context.Context, cs []*Category) []error {
	l.categoryHandles.need(ctx, cs)
	return failures(cs)
}

// NeedTabs is NeedTopics for tabs.
func (l *Loaders) NeedTabs(ctx context.Context, ts []*Tab) []error {
	l.tabHandles.need(ctx, ts)
	return failures(ts)
}
