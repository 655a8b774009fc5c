// Package catalogue says what is stored: for topics, comments, users, categories, tabs, groups, tags and lists of users
// a table of fields each, and a row for each key. What reads, checks, erases, exports and documents fields and keys
// follows from them.
//
// An object is in two hashes of one slot. The hash under its key has what readers are shown, is read whole by HGETALL,
// and holds no secret. The internal hash beside it has what only scripts and accounts use, and the counts of a user,
// which others change often. No field is in both.
package catalogue

import (
	"iter"
	"slices"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

// Field is a field of a stored object.
type Field[T any] struct {
	Name string
	// Valid reports whether a value is well-formed. A missing field is, unless it is required.
	Valid    func(value string) bool
	Required bool
	// Kept says why the field is kept when the object is deleted. Without it, the field is removed.
	Kept string
	// Set sets the field of an object that readers are shown; it is nil if the field is in the internal hash.
	Set func(o *T, value string)
	// Posted is set if it is a text that members write. If readers are shown it, and any text is well-formed, but
	// members do not write it, Made says what does.
	Posted *forum.Posted
	Made   string
	// Doc says what it means, in Markdown.
	Doc string
}

// Why several fields are kept.
const (
	keptPlace   = "a deleted post keeps its place among the others"
	keptCounts  = "counts and orders follow from it"
	keptHistory = "the moderation log shows when, and by whom, it was edited"
	keptActs    = "names an act of the moderation log"
	keptWork    = "what the deletion leaves to tasks needs it"
	keptImport  = "a repeated import must not import it again"
	// Emptied fields remain with an empty value.
	Emptied = "readers need the field, which is emptied"
)

// Table is what is stored of the objects of one type.
type Table[T any] struct {
	Name  string
	Shown []Field[T]
	// Others are the fields of the internal hash; for lists of users, other fields of the only one.
	Others []Field[T]
	byName map[string]int
	// complete sets what follows from the fields; nil for nothing.
	complete func(*T)
}

func table[T any](name string, shown, others []Field[T]) *Table[T] {
	t := &Table[T]{Name: name, Shown: shown, Others: others, byName: map[string]int{}}
	for i, f := range shown {
		t.byName[f.Name] = i
	}
	return t
}

// completed has Decode call complete at its end.
func (t *Table[T]) completed(complete func(*T)) *Table[T] {
	t.complete = complete
	return t
}

// IsInternal reports whether a field is in the internal hash.
func (t *Table[T]) IsInternal(name string) bool {
	return slices.ContainsFunc(t.Others, func(f Field[T]) bool { return f.Name == name })
}

// Erased returns the names of the fields that are removed when an object is deleted: of the hash that readers are
// shown, and of the internal one.
func (t *Table[T]) Erased() (shown, others []string) { return erased(t.Shown), erased(t.Others) }

func erased[T any](fields []Field[T]) (names []string) {
	for _, f := range fields {
		if f.Kept == "" {
			names = append(names, f.Name)
		}
	}
	return names
}

// Posted returns the texts that members write, by the names of their fields.
func (t *Table[T]) Posted() map[string]forum.Posted {
	all := map[string]forum.Posted{}
	for _, f := range t.Shown {
		if f.Posted != nil {
			all[f.Name] = *f.Posted
		}
	}
	return all
}

// Wrong returns the names of the fields that are missing or malformed, given those of both hashes. What is left out is
// not checked.
func (t *Table[T]) Wrong(fields map[string]string, leftOut ...string) (names []string) {
	for _, f := range slices.Concat(t.Shown, t.Others) {
		value, there := fields[f.Name]
		if !slices.Contains(leftOut, f.Name) && (there && !f.Valid(value) || !there && f.Required) {
			names = append(names, f.Name)
		}
	}
	return names
}

// Names returns the names of all fields but some.
func (t *Table[T]) Names(but ...string) []string {
	var names []string
	for _, f := range slices.Concat(t.Shown, t.Others) {
		if !slices.Contains(but, f.Name) {
			names = append(names, f.Name)
		}
	}
	return names
}

// Decode sets the fields of an object from its hash.
func (t *Table[T]) Decode(o *T, hash iter.Seq2[string, string]) {
	for name, value := range hash {
		if i, ok := t.byName[name]; ok {
			t.Shown[i].Set(o, value)
		}
	}
	if t.complete != nil {
		t.complete(o)
	}
}

// internalOf are the names of the fields in the internal hashes, by the letter of the type in keys: those of a
// partition, and those of {cat} and {grp}.
var internalOf = map[string]map[string]bool{
	"t": namesOf(Topic.Others), "c": namesOf(Comment.Others), "u": namesOf(User.Others),
	"{cat}:c": namesOf(Category.Others), "{cat}:t": namesOf(Tab.Others),
	"{grp}:g": namesOf(Group.Others),
}

func namesOf[T any](fields []Field[T]) map[string]bool {
	names := map[string]bool{}
	for _, f := range fields {
		names[f.Name] = true
	}
	return names
}

// shownOf are the names of the other fields.
var shownOf = map[string]map[string]bool{
	"t": namesOf(Topic.Shown), "c": namesOf(Comment.Shown), "u": namesOf(User.Shown),
	"{cat}:c": namesOf(Category.Shown), "{cat}:t": namesOf(Tab.Shown),
	"{grp}:g": namesOf(Group.Shown),
}

// Strays returns those of the names of fields that a hash of an object, with this key, cannot have.
func Strays(k string, names []string) []string {
	object, internal := strings.CutSuffix(k, key.Internal(""))
	known := shownOf[typeOf(object)]
	if internal {
		known = internalOf[typeOf(object)]
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return known == nil || known[name] })
}

// typeOf returns the letter of the type of the object with a key, as in internalOf.
func typeOf(object string) string {
	place, rest, _ := strings.Cut(object, ":")
	letter, id, ok := strings.Cut(rest, ":")
	switch {
	case !ok || strings.Contains(id, ":"):
		return ""
	case place == "{cat}" || place == "{grp}":
		return object[:len(place)+1+len(letter)]
	}
	return letter
}

// KeyOf returns the key of that hash of an object which has a field: the object's own, or that of the internal one. The
// hashes of other objects have all their fields.
func KeyOf(object, field string) string {
	if internalOf[typeOf(object)][field] {
		return key.Internal(object)
	}
	return object
}

// Split returns which of the fields of an object are in its internal hash, and which are in its own.
func Split(object string, names []string) (internal, own []string) {
	known := internalOf[typeOf(object)]
	for _, name := range names {
		if known[name] {
			internal = append(internal, name)
		} else {
			own = append(own, name)
		}
	}
	return internal, own
}

// HasInternal reports whether a key is that of an object with an internal hash.
func HasInternal(object string) bool { return internalOf[typeOf(object)] != nil }
