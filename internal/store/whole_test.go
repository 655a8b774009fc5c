package store

import (
	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// Tests read whole objects.

// rows queues one HGETALL per id.
func rows[ID ~int64, T any](r *Read, ids []ID, key func(ID) string,
	decode func(ID, record.Fields) *T) func() ([]*T, error) {
	cmds := make([]*redis.MapStringStringCmd, len(ids))
	for i, id := range ids {
		cmds[i] = r.b.HGetAll(r.ctx, key(id))
	}
	return func() ([]*T, error) {
		if r.err != nil {
			return nil, r.err
		}
		found := make([]*T, len(ids))
		for i, cmd := range cmds {
			found[i] = decode(ids[i], record.Fields(cmd.Val()))
		}
		return found, nil
	}
}

// Categories reads categories.
func (r *Read) Categories(ids []forum.CategoryID) func() ([]*forum.Category, error) {
	return rows(r, ids, key.Category, record.DecodeCategory)
}

// Tabs reads tabs.
func (r *Read) Tabs(ids []forum.TabID) func() ([]*forum.Tab, error) {
	return rows(r, ids, key.Tab, record.DecodeTab)
}

// Topics reads topics, deleted ones too.
func (r *Read) Topics(ids []forum.TopicID) func() ([]*forum.Topic, error) {
	return rows(r, ids, key.Topic, record.DecodeTopic)
}

// Comments reads comments, tombstones too, whatever the state of their topics.
func (r *Read) Comments(ids []forum.CommentID) func() ([]*forum.Comment, error) {
	return rows(r, ids, key.Comment, record.DecodeComment)
}

// Tags reads tags.
func (r *Read) Tags(ids []forum.TagID) func() ([]*forum.Tag, error) {
	return rows(r, ids, key.Tag, record.DecodeTag)
}

// Users reads active users. The hash contains secrets that never leave the store, so it is read field by
// field.
func (r *Read) Users(ids []forum.UserID) func() ([]*forum.User, error) {
	users := make([]*forum.User, len(ids))
	for i, id := range ids {
		users[i] = &forum.User{ID: id, Handle: forum.Handle{Status: forum.Named, Asked: forum.Everything}}
	}
	filled := r.FillUsers(users)
	return func() ([]*forum.User, error) {
		if r.err != nil {
			return nil, r.err
		}
		filled()
		for i, u := range users {
			if u.Handle = (forum.Handle{}); !u.Active {
				users[i] = nil
			}
		}
		return users, nil
	}
}

// Lists reads lists of users; nil where there is none.
func (r *Read) Lists(ids []forum.ListID) func() ([]*forum.UserList, error) {
	return rows(r, ids, key.List, func(id forum.ListID, f record.Fields) *forum.UserList {
		if f["owner"] == "" {
			return nil
		}
		return record.Decode(&forum.UserList{ID: id}, record.ListColumns, f)
	})
}
