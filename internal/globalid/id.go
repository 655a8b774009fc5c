// Package globalid has the ids by which clients name objects. A global id is base64url of "Type:key": the full name of
// the type and its key, so that it can be looked up without further information. It has at most 64 characters; clients
// never parse it.
package globalid

import (
	"encoding/base64"
	"strconv"
	"strings"

	"agora/internal/auth"
	"agora/internal/forum"
)

// MaxLength is the longest global id, in characters.
const MaxLength = 64

// Types that have global ids.
const (
	User         = "User"
	Viewer       = "Viewer"
	Topic        = "Topic"
	Comment      = "Comment"
	Category     = "Category"
	Tab          = "Tab"
	Group        = "Group"
	Tag          = "Tag"
	UserList     = "UserList"
	Timeline     = "Timeline"
	Session      = "Session"
	Token        = "ApiToken"
	Invitation   = "Invitation"
	Notification = "Notification"
	Act          = "ModerationAct"
)

// New returns the global id of an object.
func New(typ, key string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(typ + ":" + key))
}

// OfNumber returns the global id of an object that has a number.
func OfNumber[T ~int64](typ string, id T) string { return New(typ, strconv.FormatInt(int64(id), 10)) }

// Append appends the global id of an object.
func Append[K ~string | ~[]byte](b []byte, typ string, key K) []byte {
	var plain [MaxLength]byte
	return base64.RawURLEncoding.AppendEncode(b, append(append(append(plain[:0], typ...), ':'), key...))
}

// Split returns the type and the key of a global id. The key is not checked.
func Split(id string) (typ, key string, ok bool) {
	if len(id) > MaxLength {
		return "", "", false
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(id)
	if err != nil {
		return "", "", false
	}
	typ, key, ok = strings.Cut(string(b), ":")
	// The decoder skips line breaks.
	return typ, key, ok && typ != "" && key != "" && New(typ, key) == id
}

// Object is what a global id names.
type Object struct {
	Type     string
	Number   int64          // of all types with numbers
	Timeline forum.Timeline // of a Timeline
	Session  string         // name of a Session, ApiToken or Invitation of the user Number
	Seq      int64          // of a Notification of the user Number
}

// Parse parses a global id. An id that this server cannot have issued is BAD_USER_INPUT at path.
func Parse(path []string, id string) (Object, error) {
	typ, key, ok := Split(id)
	if ok {
		var o Object
		if o, ok = parse(typ, key); ok {
			return o, nil
		}
	}
	return Object{}, forum.BadInput(path, "This is not an id.")
}

func parse(typ, key string) (o Object, ok bool) {
	o.Type = typ
	var err error
	switch typ {
	case User, Viewer, Topic, Comment, Category, Tab, Group, UserList:
		if typ == User && key == "0" { // the ghost
			return o, true
		}
		o.Number, err = forum.ParseID[int64](key)
	case Act:
		var act forum.ActID
		act, err = forum.ParseActID(key)
		o.Number = int64(act)
	case Tag:
		o.Number, ok = positive(key)
		return o, ok && o.Number <= int64(forum.MaxTagID)
	case Timeline:
		o.Timeline, ok = forum.ParseTimeline(key)
		return o, ok
	case Session, Token, Invitation:
		user, name, _ := strings.Cut(key, ":")
		if !auth.IsSessionName(name) { // a prefix of a name would end any session that begins with it
			return o, false
		}
		o.Session = name
		o.Number, err = forum.ParseID[int64](user)
	case Notification:
		owner, seq, _ := strings.Cut(key, ":")
		if o.Seq, ok = positive(seq); !ok {
			return o, false
		}
		o.Number, err = forum.ParseID[int64](owner)
	default:
		return o, false
	}
	return o, err == nil
}

// positive parses a number of at least 1 as it is written.
func positive(s string) (n int64, ok bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil && n > 0 && strconv.FormatInt(n, 10) == s
}

// nouns are the names of types in messages, where they differ from the lower-case type.
var nouns = map[string]string{UserList: "list", Act: "act of a moderator"}

// Of returns the number of an object of one type. An id of another type is NOT_FOUND at path.
func Of[T ~int64](path []string, typ, id string) (T, error) {
	o, err := Parse(path, id)
	if err != nil {
		return 0, err
	}
	if o.Type != typ {
		noun, ok := nouns[typ]
		if !ok {
			noun = strings.ToLower(typ)
		}
		return 0, forum.NotFound(path, noun)
	}
	return T(o.Number), nil
}

// All is Of for many ids; the path of an error ends with the index of the id.
func All[T ~int64](path []string, typ string, ids []string) ([]T, error) {
	numbers := make([]T, len(ids))
	for i, id := range ids {
		var err error
		if numbers[i], err = Of[T](append(path[:len(path):len(path)], strconv.Itoa(i)), typ, id); err != nil {
			return nil, err
		}
	}
	return numbers, nil
}
