package engine

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// ChangeKind is a kind of object whose changes a consumer follows.
type ChangeKind int

// Kinds of objects. An act is of a moderator, a case is the reports on a topic, comment or user.
const (
	TopicChanges ChangeKind = iota
	CommentChanges
	UserChanges
	ActChanges
	CaseChanges
	CategoryChanges
	TabChanges
	// TopicWords are those changes of topics which have a word. One may follow them without the others.
	TopicWords
)

// changeLetters are the kinds in a slot by the first letters of names of objects in scripts, in capitals for those
// changes that have a word. The slots are those of the partitions, of categories and tabs, and of the site.
var changeLetters = map[string]map[byte]ChangeKind{
	"{p": {'c': CommentChanges, 'm': ActChanges, 'r': CaseChanges, 't': TopicChanges, 'T': TopicWords, 'u': UserChanges},
	"{c": {'c': CategoryChanges, 'm': ActChanges, 't': TabChanges},
	"{m": {'m': ActChanges},
}

// lettersIn returns the kinds by their letters in a slot.
func lettersIn(slot string) map[byte]ChangeKind { return changeLetters[slot[:2]] }

// Change says that an object was changed.
type Change struct {
	Kind ChangeKind
	// Subject is the object; of a case, what was reported.
	Subject forum.Subject
	// Word is that of a change with an entry of its own, such as catalogue.ChangeCreated. It is empty if anything else was
	// changed since the last such change, and if the object is met in a walk: what is there now counts.
	Word string
	// Details are what the word says besides, as catalogue.Changes describes.
	Details string
	// Number is the number of the change, which rises in the object's slot; 0 in a walk.
	Number int64
}

// consumer handles changes.
type consumer struct {
	name   string
	kinds  []ChangeKind
	handle func(context.Context, []Change) error
	busy   atomic.Bool // has a turn in this process

	failures atomic.Int64
	mu       sync.Mutex // guards the rest
	state    ConsumerState
	marks    map[string]mark // by slot
}

// consumerName is what consumers may be named.
var consumerName = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)

// OnChange has handle follow the changes of objects of some kinds. It is called with some hundred changes at most, with
// those of an object in their order, at least once with each, by one process at a time. If it fails it is called again
// with fewer; a change with which it fails alone is set aside with what follows of its object, and tried again, while
// the others go on. When its context ends it has lost the slot of the changes, and should return.
//
// A consumer that is new begins with a walk over everything that there is of its kinds, as does one with other kinds
// under the same name. What is not registered for an hour, in any process, is forgotten. OnChange panics if the name is
// registered, or is not made of a to z and hyphens.
func (s *Engine) OnChange(name string, kinds []ChangeKind, handle func(context.Context, []Change) error) {
	there := slices.ContainsFunc(s.consumers, func(c *consumer) bool { return c.name == name })
	if there || !consumerName.MatchString(name) {
		panic(fmt.Sprintf("engine: the consumer %q is registered twice, or its name is malformed", name))
	}
	s.consumers = append(s.consumers, &consumer{name: name, kinds: kinds, handle: handle, marks: map[string]mark{}})
}

// in returns what the consumer is named in a slot: the letters of what it follows there, a colon, and its name; "" if it
// follows nothing there.
func (c *consumer) in(slot string) string {
	var letters []byte
	for letter, kind := range lettersIn(slot) {
		if slices.Contains(c.kinds, kind) {
			letters = append(letters, letter)
		}
	}
	if len(letters) == 0 {
		return ""
	}
	slices.Sort(letters)
	return string(letters) + ":" + c.name
}

// follows reports whether a consumer, as it is named in a slot, follows a change of the object with a name. It follows
// what it meets in a walk if it follows any changes of such objects.
func follows(consumer, object string, c Change) bool {
	letters, _, _ := strings.Cut(consumer, ":")
	letter := object[:1]
	return strings.Contains(letters, letter) ||
		(c.Word != "" || c.Number == 0) && strings.Contains(letters, strings.ToUpper(letter))
}

// parseChange returns the change of an object of a slot, by its name and the word with its details; ok is false if
// it is none that this version knows.
func parseChange(slot, object, word string, number int64) (c Change, ok bool) {
	letter, rest, _ := strings.Cut(object, ":")
	if len(letter) != 1 {
		return c, false
	}
	c = Change{Number: number}
	c.Word, c.Details, _ = strings.Cut(word, ":")
	if c.Kind, ok = lettersIn(slot)[letter[0]]; !ok {
		return c, false
	}
	id, err := forum.ParseID[int64](rest)
	switch c.Kind {
	case TopicChanges:
		c.Subject.Topic = forum.TopicID(id)
	case CommentChanges:
		c.Subject.Comment = forum.CommentID(id)
	case UserChanges:
		c.Subject.User = forum.UserID(id)
	case CategoryChanges:
		c.Subject.Category = forum.CategoryID(id)
	case TabChanges:
		c.Subject.Tab = forum.TabID(id)
	case ActChanges:
		c.Subject.Act, err = forum.ParseActID(rest)
	case CaseChanges:
		c.Subject, err = record.ParseActSubject(rest)
	}
	return c, err == nil
}

// objectKey returns the key by which an object of a slot exists.
func objectKey(slot string, c Change, object string) string {
	if c.Kind == CaseChanges {
		return key.Case(c.Subject)
	}
	return slot + object
}
