package graph

import (
	"cmp"
	"strconv"
	"strings"

	"agora/graph/model"
	"agora/internal/auth"
	"agora/internal/forum"
)

// object is what a global id names.
type object struct {
	typ      string
	number   int64          // of all types with numbers
	timeline forum.Timeline // of a Timeline
	session  string         // name of a Session, ApiToken or Invitation of the user number
	seq      int64          // of a Notification of the user number
}

// parseObject parses a global id. An id that this server cannot have issued is BAD_USER_INPUT at path.
func parseObject(path []string, id string) (object, error) {
	bad := forum.BadInput(path, "This is not an id.")
	typ, key, ok := model.ParseGlobalID(id)
	if !ok {
		return object{}, bad
	}
	o := object{typ: typ}
	var err error
	switch typ {
	case model.TypeUser, model.TypeViewer, model.TypeTopic, model.TypeComment, model.TypeCategory, model.TypeTab,
		model.TypeUserList:
		if typ == model.TypeUser && key == "0" { // the ghost
			return o, nil
		}
		o.number, err = forum.ParseID[int64](key)
	case model.TypeAct:
		var act forum.ActID
		act, err = forum.ParseActID(key)
		o.number = int64(act)
	case model.TypeTag:
		o.number, err = strconv.ParseInt(key, 10, 64)
		if o.number < 1 || o.number > int64(forum.MaxTagID) || strconv.FormatInt(o.number, 10) != key {
			return object{}, bad
		}
	case model.TypeTimeline:
		if o.timeline, ok = forum.ParseTimeline(key); !ok {
			return object{}, bad
		}
	case model.TypeSession, model.TypeToken, model.TypeInvitation:
		user, name, _ := strings.Cut(key, ":")
		if !auth.IsSessionName(name) { // a prefix of a name would end any session that begins with it
			return object{}, bad
		}
		o.session = name
		o.number, err = forum.ParseID[int64](user)
	case model.TypeNotification:
		owner, seq, _ := strings.Cut(key, ":")
		o, err = parseNotification(owner, seq)
	default:
		return object{}, bad
	}
	if err != nil {
		return object{}, bad
	}
	return o, nil
}

// nouns are the names of types in messages, where they differ from the lower-case type.
var nouns = map[string]string{model.TypeUserList: "list", model.TypeAct: "act of a moderator"}

// idOf parses the id of an object of one type in a mutation's input. An id of another type is NOT_FOUND.
func idOf[T ~int64](path []string, typ, id string) (T, error) {
	o, err := parseObject(path, id)
	if err != nil {
		return 0, err
	}
	if o.typ != typ {
		return 0, forum.NotFound(path, cmp.Or(nouns[typ], strings.ToLower(typ)), id)
	}
	return T(o.number), nil
}

// idsOf parses many ids; the path of an error ends with the index of the id.
func idsOf[T ~int64](path []string, typ string, ids []string) ([]T, error) {
	numbers := make([]T, len(ids))
	for i, id := range ids {
		var err error
		if numbers[i], err = idOf[T](append(path[:len(path):len(path)], strconv.Itoa(i)), typ, id); err != nil {
			return nil, err
		}
	}
	return numbers, nil
}

// oneOf checks that exactly one way of naming something is set. gqlgen checks that in literals, not in variables.
func oneOf(path []string, names ...bool) error {
	n := 0
	for _, set := range names {
		if set {
			n++
		}
	}
	if n != 1 {
		return forum.BadInput(path, "Set exactly one field, and not to null.")
	}
	return nil
}
