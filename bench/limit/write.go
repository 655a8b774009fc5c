package limit

import (
	"context"
	"strconv"
	"strings"

	"agora/bench/keys"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/store/engine"
	"agora/internal/store/listing"
	"agora/internal/store/posts"
	"agora/internal/text"
)

// viewer reads the session, with the commands that Agora sends.
func (h *Handler) viewer(r request) (*forum.Viewer, error) {
	secret, _ := strings.CutPrefix(r.http.Header.Get("Authorization"), "Bearer ")
	token, ok := auth.ParseToken(secret)
	if !ok {
		return nil, errNotSignedIn
	}
	read := h.store.Read(r.http.Context())
	session := read.Sessions.Session(token.User, token.Digest())
	if err := read.Exec(); err != nil {
		return nil, err
	}
	viewer, _, err := session()
	if err == nil && viewer == nil {
		err = errNotSignedIn
	}
	return viewer, err
}

// input returns the members of the variable `i`.
func input(variables []byte) (*scanner, bool) {
	s, ok := open(variables)
	if !ok {
		return nil, false
	}
	_, value, ok := s.next()
	if !ok {
		return nil, false
	}
	return open(value)
}

// reply posts a comment: it reads the session, runs the store's script, and writes indexes together with reading the
// fields of comment and topic that the answer needs.
func (h *Handler) reply(ctx context.Context, out []byte, r request) ([]byte, error) {
	viewer, err := h.viewer(r)
	if err != nil {
		return out, err
	}
	s, ok := input(r.variables)
	if !ok {
		return out, errJSON
	}
	in := posts.NewComment{Format: forum.Markdown}
	for name, value, ok := s.next(); ok && err == nil; name, value, ok = s.next() {
		switch string(name) {
		case "topicId":
			in.Topic, err = readID[forum.TopicID](value, globalid.Topic)
		case "content":
			in.Content, err = readString(value)
		}
	}
	if err == nil {
		in.Content, err = text.Body(forum.Path("content"), in.Content, 1, forum.MaxContent)
	}
	if err != nil {
		return out, err
	}
	var topic *forum.Topic
	var comment *forum.Comment
	in.ReadBack = func(r *engine.Read, of engine.Written) func(bool) {
		topics := listing.On(r).Topics([]forum.TopicID{in.Topic})
		comments := listing.On(r).Comments([]forum.CommentID{of.Comment})
		return func(sent bool) {
			if sent {
				topic, comment = only(topics()), only(comments())
			}
		}
	}
	id, err := h.store.Posts.CreateComment(ctx, viewer, in)
	if err != nil {
		return out, err
	}
	if topic == nil || comment == nil || !topic.State.Listed() {
		return out, forum.NotFound(forum.Path("topicId"), "topic")
	}
	out = append(out, `{"data":{"createComment":{"comment":{"id":"`...)
	out = appendID(out, globalid.Comment, int64(id))
	out = append(out, `","number":`...)
	out = strconv.AppendInt(out, int64(comment.Number), 10)
	return append(out, `},"errors":[]}}}`...), nil
}

// only returns the one object that was read, or nil.
func only[T any](found []*T, _ []error) *T { return found[0] }

// post posts a topic: it reads the session and the category, runs the store's script, and writes indexes together with
// reading the fields of the topic that the answer needs.
func (h *Handler) post(ctx context.Context, out []byte, r request) ([]byte, error) {
	viewer, err := h.viewer(r)
	if err != nil {
		return out, err
	}
	in, err := postInput(r.variables)
	if err != nil {
		return out, err
	}
	in.Author = viewer.ID
	l := h.newLevel(ctx, h.rdb)
	defer l.free()
	category := l.hash(keys.Category, int64(in.Category), nameField)
	if err := l.send(); err != nil {
		return out, err
	}
	if category.values().at(0) == "" {
		return out, forum.NotFound(forum.Path("category"), "category")
	}
	var topic *forum.Topic
	in.ReadBack = func(r *engine.Read, of engine.Written) func(bool) {
		topics := listing.On(r).Topics([]forum.TopicID{of.Topic})
		return func(sent bool) {
			if sent {
				topic = only(topics())
			}
		}
	}
	id, err := h.store.Posts.CreateTopic(ctx, in)
	if err != nil {
		return out, err
	}
	if topic == nil {
		return out, forum.NotFound(nil, "topic")
	}
	out = append(out, `{"data":{"createTopic":{"topic":{"id":"`...)
	out = appendID(out, globalid.Topic, int64(id))
	out = append(out, `","number":`...)
	out = strconv.AppendInt(out, int64(id), 10)
	out = append(out, `,"title":`...)
	out = appendString(out, topic.Title)
	return append(out, `},"errors":[]}}}`...), nil
}

// postInput parses and checks a topic to post.
func postInput(variables []byte) (in posts.NewTopic, err error) {
	s, ok := input(variables)
	if !ok {
		return in, errJSON
	}
	in.Kind, in.Format = forum.Discussion, forum.Markdown
	for name, value, ok := s.next(); ok && err == nil; name, value, ok = s.next() {
		switch string(name) {
		case "title":
			in.Title, err = readString(value)
		case "content":
			in.Content, err = readString(value)
		case "category":
			if c, ok := open(value); ok {
				if _, id, ok := c.next(); ok {
					in.Category, err = readID[forum.CategoryID](id, globalid.Category)
				}
			}
		}
	}
	if err != nil {
		return in, err
	}
	if in.Title, err = text.Line(forum.Path("title"), in.Title, 1, forum.MaxTitle); err != nil {
		return in, err
	}
	in.Content, err = text.Body(forum.Path("content"), in.Content, 0, forum.MaxContent)
	return in, err
}

// readID parses a global id of one type.
func readID[T ~int64](value []byte, want string) (T, error) {
	s, err := readString(value)
	if err != nil {
		return 0, err
	}
	typ, key, ok := globalid.Split(s)
	if !ok || typ != want {
		return 0, errJSON
	}
	return forum.ParseID[T](key)
}

// appendID appends the global id of an object with a number.
func appendID(out []byte, typ string, id int64) []byte {
	return append(out, globalid.New(typ, strconv.FormatInt(id, 10))...)
}
