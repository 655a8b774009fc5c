// Package whole reads whole objects for tests, with every field that the store has of them.
package whole

import (
	"agora/internal/forum"
	"agora/internal/store"
)

// Topics reads topics, including deleted ones; nil for one that does not exist.
func Topics(r *store.Read, ids []forum.TopicID) func() ([]*forum.Topic, error) {
	topics := read(r, ids, (*store.Read).FillTopics, func(id forum.TopicID) *forum.Topic {
		return &forum.Topic{ID: id, Handle: unread}
	}, func(t *forum.Topic) *forum.Handle { return &t.Handle })
	return withTexts(r, topics, ids, func(id forum.TopicID) forum.Subject { return forum.Subject{Topic: id} },
		func(t *forum.Topic, text string) {
			if t.Long > 0 {
				t.Content = text
			}
		})
}

// Comments reads comments, including tombstones; nil for one that does not exist.
func Comments(r *store.Read, ids []forum.CommentID) func() ([]*forum.Comment, error) {
	comments := read(r, ids, (*store.Read).FillComments, func(id forum.CommentID) *forum.Comment {
		return &forum.Comment{ID: id, Handle: unread}
	}, func(c *forum.Comment) *forum.Handle { return &c.Handle })
	return withTexts(r, comments, ids, func(id forum.CommentID) forum.Subject { return forum.Subject{Comment: id} },
		func(c *forum.Comment, text string) {
			if c.Long > 0 {
				c.Content = text
			}
		})
}

// withTexts also reads the long texts of posts.
func withTexts[ID, T any](r *store.Read, posts func() ([]*T, error), ids []ID, of func(ID) forum.Subject,
	set func(*T, string)) func() ([]*T, error) {
	subjects := make([]forum.Subject, len(ids))
	for i, id := range ids {
		subjects[i] = of(id)
	}
	texts := r.LongTexts(subjects)
	return func() ([]*T, error) {
		found, err := posts()
		if err != nil {
			return nil, err
		}
		long, err := texts()
		if err != nil {
			return nil, err
		}
		for i, o := range found {
			if o != nil {
				set(o, long[i].Content)
			}
		}
		return found, nil
	}
}

// Users reads users; nil is an account that does not exist.
func Users(r *store.Read, ids []forum.UserID) func() ([]*forum.User, error) {
	return read(r, ids, (*store.Read).FillUsers, func(id forum.UserID) *forum.User {
		return &forum.User{ID: id, Handle: unread}
	}, func(u *forum.User) *forum.Handle { return &u.Handle })
}

// Categories reads categories; nil for one that does not exist.
func Categories(r *store.Read, ids []forum.CategoryID) func() ([]*forum.Category, error) {
	return read(r, ids, (*store.Read).FillCategories, func(id forum.CategoryID) *forum.Category {
		return &forum.Category{ID: id, Handle: unread}
	}, func(c *forum.Category) *forum.Handle { return &c.Handle })
}

// Tabs reads tabs; nil for one that does not exist.
func Tabs(r *store.Read, ids []forum.TabID) func() ([]*forum.Tab, error) {
	return read(r, ids, (*store.Read).FillTabs, func(id forum.TabID) *forum.Tab {
		return &forum.Tab{ID: id, Handle: unread}
	}, func(t *forum.Tab) *forum.Handle { return &t.Handle })
}

var unread = forum.Handle{Status: forum.Named}

// read fills objects. The function it returns returns them, as if they had never been handles.
func read[ID, T any](
	r *store.Read, ids []ID, fill func(*store.Read, []*T) func(), name func(ID) *T, handle func(*T) *forum.Handle,
) func() ([]*T, error) {
	objs := make([]*T, len(ids))
	for i, id := range ids {
		objs[i] = name(id)
	}
	filled := fill(r, objs)
	return func() ([]*T, error) {
		filled()
		for i, o := range objs {
			h := handle(o)
			if h.Failure != nil {
				return nil, h.Failure
			}
			if h.Missing() {
				objs[i] = nil
				continue
			}
			*h = forum.Handle{}
		}
		return objs, nil
	}
}
