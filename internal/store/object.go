package store

import (
	"agora/internal/forum"
	"agora/internal/store/internal/record"
)

// fill queues the reads of a filler and returns a function that sets the objects from the results.
func fill[T any](r *Read, f *record.Filler[T], objs []*T) func() {
	set := f.Fill(r.ctx, r.b, objs, r.near())
	return func() { set(r.err) }
}

// FillTopics reads topics of which the id is known, each whole by one HGETALL.
func (r *Read) FillTopics(ts []*forum.Topic) func() { return fill(r, record.TopicFiller, ts) }

// FillComments is FillTopics for comments. The author of a tombstone is the ghost.
func (r *Read) FillComments(cs []*forum.Comment) func() { return fill(r, record.CommentFiller, cs) }

// FillUsers is FillTopics for users. Users that are not active are missing.
func (r *Read) FillUsers(us []*forum.User) func() { return fill(r, record.UserFiller, us) }

// FillCategories is FillTopics for categories.
func (r *Read) FillCategories(cs []*forum.Category) func() { return fill(r, record.CategoryFiller, cs) }

// FillTabs is FillTopics for tabs.
func (r *Read) FillTabs(ts []*forum.Tab) func() { return fill(r, record.TabFiller, ts) }

// FillTags is FillTopics for tags.
func (r *Read) FillTags(ts []*forum.Tag) func() { return fill(r, record.TagFiller, ts) }
