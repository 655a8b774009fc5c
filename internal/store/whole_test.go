package store

import "agora/internal/forum"

// Tests read objects without handles.

// rows reads objects; nil where there is none.
func rows[ID ~int64, T any](r *Read, ids []ID, fill func(*Read, []*T) func(), name func(ID) *T,
	handle func(*T) *forum.Handle) func() ([]*T, error) {
	found := make([]*T, len(ids))
	for i, id := range ids {
		found[i] = name(id)
	}
	filled := fill(r, found)
	return func() ([]*T, error) {
		if r.err != nil {
			return nil, r.err
		}
		filled()
		for i, o := range found {
			if h := handle(o); h.Status == forum.Absent {
				found[i] = nil
			} else {
				*h = forum.Handle{}
			}
		}
		return found, nil
	}
}

// Categories reads categories.
func (r *Read) Categories(ids []forum.CategoryID) func() ([]*forum.Category, error) {
	return rows(r, ids, (*Read).FillCategories,
		func(id forum.CategoryID) *forum.Category { return &forum.Category{ID: id} },
		func(c *forum.Category) *forum.Handle { return &c.Handle })
}

// Tabs reads tabs.
func (r *Read) Tabs(ids []forum.TabID) func() ([]*forum.Tab, error) {
	return rows(r, ids, (*Read).FillTabs, func(id forum.TabID) *forum.Tab { return &forum.Tab{ID: id} },
		func(t *forum.Tab) *forum.Handle { return &t.Handle })
}

// Topics reads topics, deleted ones too.
func (r *Read) Topics(ids []forum.TopicID) func() ([]*forum.Topic, error) {
	return rows(r, ids, (*Read).FillTopics, func(id forum.TopicID) *forum.Topic { return &forum.Topic{ID: id} },
		func(t *forum.Topic) *forum.Handle { return &t.Handle })
}

// Comments reads comments, tombstones too, whatever the state of their topics.
func (r *Read) Comments(ids []forum.CommentID) func() ([]*forum.Comment, error) {
	return rows(r, ids, (*Read).FillComments, func(id forum.CommentID) *forum.Comment { return &forum.Comment{ID: id} },
		func(c *forum.Comment) *forum.Handle { return &c.Handle })
}

// Tags reads tags.
func (r *Read) Tags(ids []forum.TagID) func() ([]*forum.Tag, error) {
	return rows(r, ids, (*Read).FillTags, func(id forum.TagID) *forum.Tag { return &forum.Tag{ID: id} },
		func(t *forum.Tag) *forum.Handle { return &t.Handle })
}

// Users reads active users.
func (r *Read) Users(ids []forum.UserID) func() ([]*forum.User, error) {
	return rows(r, ids, (*Read).FillUsers, func(id forum.UserID) *forum.User { return &forum.User{ID: id} },
		func(u *forum.User) *forum.Handle { return &u.Handle })
}

// Lists reads lists of users; nil where there is none.
func (r *Read) Lists(ids []forum.ListID) func() ([]*forum.UserList, error) {
	return rows(r, ids, (*Read).FillLists, func(id forum.ListID) *forum.UserList { return &forum.UserList{ID: id} },
		func(l *forum.UserList) *forum.Handle { return &l.Handle })
}
