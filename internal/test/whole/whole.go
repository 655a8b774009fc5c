// Package whole reads whole objects for tests, with every field that the store has of them.
package whole

import (
	"errors"

	"agora/internal/forum"
	"agora/internal/store"
)

// Topics reads topics, including deleted ones; nil for one that does not exist.
func Topics(r *store.Read, ids []forum.TopicID) func() ([]*forum.Topic, error) {
	return withTexts(r, r.Listing.Topics(ids), ids,
		func(id forum.TopicID) forum.Subject { return forum.Subject{Topic: id} },
		func(t forum.Topic, text string) *forum.Topic {
			if t.Long > 0 {
				t.Content = text
			}
			return &t
		})
}

// Comments reads comments, including tombstones; nil for one that does not exist.
func Comments(r *store.Read, ids []forum.CommentID) func() ([]*forum.Comment, error) {
	return withTexts(r, r.Listing.Comments(ids), ids,
		func(id forum.CommentID) forum.Subject { return forum.Subject{Comment: id} },
		func(c forum.Comment, text string) *forum.Comment {
			if c.Long > 0 {
				c.Content = text
			}
			return &c
		})
}

// withTexts also reads the long texts of posts.
func withTexts[ID, T any](r *store.Read, posts func() ([]*T, []error), ids []ID, of func(ID) forum.Subject,
	with func(T, string) *T) func() ([]*T, error) {
	subjects := make([]forum.Subject, len(ids))
	for i, id := range ids {
		subjects[i] = of(id)
	}
	texts := r.Listing.LongTexts(subjects)
	return func() ([]*T, error) {
		found, errs := posts()
		long, err := texts()
		if err := errors.Join(append(errs, err)...); err != nil {
			return nil, err
		}
		for i, o := range found {
			if o != nil {
				found[i] = with(*o, long[i].Content)
			}
		}
		return found, nil
	}
}

// Users reads users; nil is an account that does not exist.
func Users(r *store.Read, ids []forum.UserID) func() ([]*forum.User, error) {
	return all(r.Listing.Users(ids))
}

// Categories reads categories; nil for one that does not exist.
func Categories(r *store.Read, ids []forum.CategoryID) func() ([]*forum.Category, error) {
	return all(r.Listing.Categories(ids))
}

// Tabs reads tabs; nil for one that does not exist.
func Tabs(r *store.Read, ids []forum.TabID) func() ([]*forum.Tab, error) {
	return all(r.Listing.Tabs(ids))
}

// all joins the errors of a read.
func all[T any](read func() ([]*T, []error)) func() ([]*T, error) {
	return func() ([]*T, error) {
		found, errs := read()
		return found, errors.Join(errs...)
	}
}
