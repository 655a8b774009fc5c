package store

import (
	"context"
	"errors"
	"math/bits"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agora/internal/forum"
)

// filling is one type of object that is read field by field.
type filling struct {
	name      string
	base, all forum.Fields
	// goFields are the fields of the Go type that each bit fills, in order.
	goFields []string
	// whole reads the object that has something in all fields; fill reads the given
	// objects, which make makes, as far as they ask.
	whole func() any
	fill  func(...any) error
	make  func(missing bool, asked forum.Fields) any
	// deleted reads the same of a deleted one.
	deleted func() any
}

// fillings are those of all types, of objects whose fields are all other than zero.
func (x *site) fillings() []filling {
	ann := x.user("ann")
	category := x.category("go")
	tab := x.tab("all", category)
	wantOK(x.t, "UpdateCategory", x.UpdateCategory(x.ctx, category, CategoryChange{Description: new("for all")}))
	topic := newWhole(x, ann, category)
	parent := x.comment(ann, topic, 0)
	comment := x.fullComment(ann, topic, parent)
	dead := x.comment(ann, topic, parent)
	wantOK(x.t, "DeleteComment", x.DeleteComment(x.ctx, ann, dead))
	return []filling{
		fillingOf(x, "topic", topic, forum.TopicBase, forum.TopicAll, (*Read).Topics, (*Read).FillTopics,
			func(id forum.TopicID, h forum.Handle) *forum.Topic { return &forum.Topic{ID: id, Handle: h} },
			"State", "AuthorID", "Kind", "Title", "Content", "Format", "Link", "CategoryID", "CreatedAt", "EditedAt", "DeletedAt",
			"LastActiveAt", "ClickCount", "CommentCount", "Upvotes", "Downvotes"),
		fillingOf(x, "comment", comment, forum.CommentBase, forum.CommentAll, (*Read).Comments, (*Read).FillComments,
			func(id forum.CommentID, h forum.Handle) *forum.Comment { return &forum.Comment{ID: id, Handle: h} },
			"TopicID", "DeletedAt", "AuthorID", "ParentID", "Depth", "Number", "Content", "Format", "CreatedAt", "EditedAt",
			"ReplyCount", "Mentions", "Upvotes", "Downvotes"),
		fillingOf(x, "category", category, forum.CategoryAll, forum.CategoryAll, (*Read).Categories, (*Read).FillCategories,
			func(id forum.CategoryID, h forum.Handle) *forum.Category { return &forum.Category{ID: id, Handle: h} }, "Name", "Description"),
		fillingOf(x, "tab", tab, forum.TabAll, forum.TabAll, (*Read).Tabs, (*Read).FillTabs,
			func(id forum.TabID, h forum.Handle) *forum.Tab { return &forum.Tab{ID: id, Handle: h} }, "Name", "CategoryCount"),
	}
}
