//go:build oracle

package oracle

import (
	"context"
	"reflect"

	"agora/graph/model"
	"agora/internal/loader"
)

// found are the objects in the result of a resolver.
type found struct {
	topics     []*loader.Topic
	comments   []*loader.Comment
	users      []*loader.User
	categories []*loader.Category
	tabs       []*loader.Tab
	tags       []*loader.Tag
	lists      []*loader.UserList
}

// read reads the objects in a value whole, and leaves out the missing ones. In slots, a slice, they become nil.
func read(ctx context.Context, v reflect.Value, slots bool) {
	var f found
	f.look(v)
	l := loader.From(ctx)
	l.NeedTopics(ctx, f.topics)
	l.NeedComments(ctx, f.comments)
	l.NeedUsers(ctx, f.users)
	l.NeedCategories(ctx, f.categories)
	l.NeedTabs(ctx, f.tabs)
	l.NeedTags(ctx, f.tags)
	l.NeedUserLists(ctx, f.lists)
	if slots {
		pruneSlots(v)
		return
	}
	if prune(v) {
		v.SetZero()
	}
}

// look finds the objects in a value, but not those inside them.
func (f *found) look(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		switch o := v.Interface().(type) {
		case *loader.Topic:
			f.topics = append(f.topics, o)
		case *loader.Comment:
			f.comments = append(f.comments, o)
		case *loader.User:
			f.users = append(f.users, o)
		case *loader.Category:
			f.categories = append(f.categories, o)
		case *loader.Tab:
			f.tabs = append(f.tabs, o)
		case *loader.Tag:
			f.tags = append(f.tags, o)
		case *loader.UserList:
			f.lists = append(f.lists, o)
		default:
			f.look(v.Elem())
		}
	case reflect.Interface:
		f.look(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				f.look(v.Field(i))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			f.look(v.Index(i))
		}
	}
}

// handle is an object that may be missing.
type handle interface{ Missing() bool }

// prune removes the missing objects from a value, and reports whether the value itself is missing: an edge is missing
// if its node is.
func prune(v reflect.Value) (missing bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return false
		}
		if o, ok := v.Interface().(handle); ok {
			return o.Missing()
		}
		return prune(v.Elem())
	case reflect.Interface:
		return !v.IsNil() && prune(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			at := v.Type().Field(i)
			if !at.IsExported() {
				continue
			}
			if v.Type() == reflect.TypeFor[model.RecordClicksPayload]() && at.Name == "Topics" {
				pruneSlots(v.Field(i)) // the one list of a payload with null in it
				continue
			}
			if !prune(v.Field(i)) {
				continue
			}
			if at.Name == "Node" {
				return true
			}
			v.Field(i).SetZero()
		}
	case reflect.Slice:
		pruneSlice(v)
	}
	return false
}

// pruneSlots replaces missing objects by nil.
func pruneSlots(v reflect.Value) {
	for i := range v.Len() {
		if prune(v.Index(i)) {
			v.Index(i).SetZero()
		}
	}
}

// pruneSlice removes missing objects from a list.
func pruneSlice(v reflect.Value) {
	if v.IsNil() || !v.CanSet() {
		return
	}
	rest := reflect.MakeSlice(v.Type(), 0, v.Len())
	for i := range v.Len() {
		if e := v.Index(i); !prune(e) {
			rest = reflect.Append(rest, e)
		}
	}
	v.Set(rest)
}
