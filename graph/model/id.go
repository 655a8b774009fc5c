package model

import (
	"fmt"
	"io"
	"strconv"

	"github.com/99designs/gqlgen/graphql"

	"agora/breadth"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
)

// ViewerID identifies the private data of a user.
type ViewerID forum.UserID

// MarshalID writes an id that is already encoded.
func MarshalID(id string) graphql.Marshaler { return graphql.MarshalString(id) }

// AppendID appends an id that is already encoded.
func AppendID(b []byte, id string) []byte { return breadth.AppendString(b, id) }

// UnmarshalID reads an id: a string, or an integer as GraphQL allows.
func UnmarshalID(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case int:
		return strconv.Itoa(v), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	}
	if n, ok := v.(fmt.Stringer); ok { // json.Number
		if _, err := strconv.ParseInt(n.String(), 10, 64); err == nil {
			return n.String(), nil
		}
	}
	return "", forum.BadInput(nil, "An ID must be a string or a whole number.")
}

func marshalKey(typ, key string) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) { io.WriteString(w, `"`+globalid.New(typ, key)+`"`) })
}

func appendKey[K ~string | ~[]byte](b []byte, typ string, key K) []byte {
	return append(globalid.Append(append(b, '"'), typ, key), '"')
}

func appendNumber[T ~int64](b []byte, typ string, id T) []byte {
	var digits [20]byte
	return appendKey(b, typ, strconv.AppendInt(digits[:0], int64(id), 10))
}

func marshalNumber[T ~int64](typ string, id T) graphql.Marshaler {
	return marshalKey(typ, strconv.FormatInt(int64(id), 10))
}

func unmarshalNumber[T ~int64](typ string, v any) (T, error) {
	s, err := UnmarshalID(v)
	if err != nil {
		return 0, err
	}
	found, key, ok := globalid.Split(s)
	if !ok || found != typ {
		return 0, forum.BadInput(nil, "This is not the id of a %s.", typ)
	}
	return forum.ParseID[T](key)
}

// MarshalUserID writes the global id of a user.
func MarshalUserID(id forum.UserID) graphql.Marshaler { return marshalNumber(globalid.User, id) }

// AppendUserID appends what MarshalUserID writes.
func AppendUserID(b []byte, id forum.UserID) []byte { return appendNumber(b, globalid.User, id) }

// UnmarshalUserID reads the global id of a user.
func UnmarshalUserID(v any) (forum.UserID, error) {
	return unmarshalNumber[forum.UserID](globalid.User, v)
}

// MarshalTopicID writes the global id of a topic.
func MarshalTopicID(id forum.TopicID) graphql.Marshaler { return marshalNumber(globalid.Topic, id) }

// AppendTopicID appends what MarshalTopicID writes.
func AppendTopicID(b []byte, id forum.TopicID) []byte { return appendNumber(b, globalid.Topic, id) }

// UnmarshalTopicID reads the global id of a topic.
func UnmarshalTopicID(v any) (forum.TopicID, error) {
	return unmarshalNumber[forum.TopicID](globalid.Topic, v)
}

// MarshalCommentID writes the global id of a comment.
func MarshalCommentID(id forum.CommentID) graphql.Marshaler {
	return marshalNumber(globalid.Comment, id)
}

// AppendCommentID appends what MarshalCommentID writes.
func AppendCommentID(b []byte, id forum.CommentID) []byte {
	return appendNumber(b, globalid.Comment, id)
}

// UnmarshalCommentID reads the global id of a comment.
func UnmarshalCommentID(v any) (forum.CommentID, error) {
	return unmarshalNumber[forum.CommentID](globalid.Comment, v)
}

// MarshalCategoryID writes the global id of a category.
func MarshalCategoryID(id forum.CategoryID) graphql.Marshaler {
	return marshalNumber(globalid.Category, id)
}

// AppendCategoryID appends what MarshalCategoryID writes.
func AppendCategoryID(b []byte, id forum.CategoryID) []byte {
	return appendNumber(b, globalid.Category, id)
}

// UnmarshalCategoryID reads the global id of a category.
func UnmarshalCategoryID(v any) (forum.CategoryID, error) {
	return unmarshalNumber[forum.CategoryID](globalid.Category, v)
}

// MarshalTabID writes the global id of a tab.
func MarshalTabID(id forum.TabID) graphql.Marshaler { return marshalNumber(globalid.Tab, id) }

// AppendTabID appends what MarshalTabID writes.
func AppendTabID(b []byte, id forum.TabID) []byte { return appendNumber(b, globalid.Tab, id) }

// UnmarshalTabID reads the global id of a tab.
func UnmarshalTabID(v any) (forum.TabID, error) { return unmarshalNumber[forum.TabID](globalid.Tab, v) }

// MarshalGroupID writes the global id of a group.
func MarshalGroupID(id forum.GroupID) graphql.Marshaler { return marshalNumber(globalid.Group, id) }

// AppendGroupID appends what MarshalGroupID writes.
func AppendGroupID(b []byte, id forum.GroupID) []byte { return appendNumber(b, globalid.Group, id) }

// UnmarshalGroupID reads the global id of a group.
func UnmarshalGroupID(v any) (forum.GroupID, error) {
	return unmarshalNumber[forum.GroupID](globalid.Group, v)
}

// MarshalTagID writes the global id of a tag.
func MarshalTagID(id forum.TagID) graphql.Marshaler { return marshalNumber(globalid.Tag, id) }

// AppendTagID appends what MarshalTagID writes.
func AppendTagID(b []byte, id forum.TagID) []byte { return appendNumber(b, globalid.Tag, id) }

// UnmarshalTagID reads the global id of a tag.
func UnmarshalTagID(v any) (forum.TagID, error) { return unmarshalNumber[forum.TagID](globalid.Tag, v) }

// MarshalListID writes the global id of a list of users.
func MarshalListID(id forum.ListID) graphql.Marshaler { return marshalNumber(globalid.UserList, id) }

// AppendListID appends what MarshalListID writes.
func AppendListID(b []byte, id forum.ListID) []byte { return appendNumber(b, globalid.UserList, id) }

// UnmarshalListID reads the global id of a list of users.
func UnmarshalListID(v any) (forum.ListID, error) {
	return unmarshalNumber[forum.ListID](globalid.UserList, v)
}

// MarshalActID writes the global id of an entry of the moderation log.
func MarshalActID(id forum.ActID) graphql.Marshaler { return marshalNumber(globalid.Act, id) }

// AppendActID appends what MarshalActID writes.
func AppendActID(b []byte, id forum.ActID) []byte { return appendNumber(b, globalid.Act, id) }

// UnmarshalActID reads the global id of an entry of the moderation log.
func UnmarshalActID(v any) (forum.ActID, error) {
	s, err := UnmarshalID(v)
	if err != nil {
		return 0, err
	}
	found, key, ok := globalid.Split(s)
	if !ok || found != globalid.Act {
		return 0, forum.BadInput(nil, "This is not the id of a %s.", globalid.Act)
	}
	return forum.ParseActID(key)
}

// MarshalViewerID writes the global id of a user's private data.
func MarshalViewerID(id ViewerID) graphql.Marshaler { return marshalNumber(globalid.Viewer, id) }

// AppendViewerID appends what MarshalViewerID writes.
func AppendViewerID(b []byte, id ViewerID) []byte { return appendNumber(b, globalid.Viewer, id) }

// UnmarshalViewerID reads the global id of a user's private data.
func UnmarshalViewerID(v any) (ViewerID, error) { return unmarshalNumber[ViewerID](globalid.Viewer, v) }

// MarshalTimelineID writes the global id of a timeline.
func MarshalTimelineID(id forum.TimelineID) graphql.Marshaler {
	return marshalKey(globalid.Timeline, string(id))
}

// AppendTimelineID appends what MarshalTimelineID writes.
func AppendTimelineID(b []byte, id forum.TimelineID) []byte {
	return appendKey(b, globalid.Timeline, string(id))
}

// UnmarshalTimelineID reads the global id of a timeline.
func UnmarshalTimelineID(v any) (forum.TimelineID, error) {
	s, err := UnmarshalID(v)
	if err != nil {
		return "", err
	}
	typ, key, ok := globalid.Split(s)
	if !ok || typ != globalid.Timeline {
		return "", forum.BadInput(nil, "This is not the id of a Timeline.")
	}
	return forum.TimelineID(key), nil
}

// MarshalNotificationID writes the global id of a notification.
func MarshalNotificationID(id forum.NotificationID) graphql.Marshaler {
	return marshalKey(globalid.Notification, string(id))
}

// AppendNotificationID appends what MarshalNotificationID writes.
func AppendNotificationID(b []byte, id forum.NotificationID) []byte {
	return appendKey(b, globalid.Notification, string(id))
}

// UnmarshalNotificationID reads the global id of a notification.
func UnmarshalNotificationID(v any) (forum.NotificationID, error) {
	s, err := UnmarshalID(v)
	if err != nil {
		return "", err
	}
	typ, key, ok := globalid.Split(s)
	if !ok || typ != globalid.Notification {
		return "", forum.BadInput(nil, "This is not the id of a Notification.")
	}
	return forum.NotificationID(key), nil
}

// SessionID returns the global id of a user's session from the digest of its token.
func SessionID(user forum.UserID, digest string) string {
	return globalid.New(globalid.Session, strconv.FormatInt(int64(user), 10)+":"+auth.SessionName(digest))
}

// TokenID returns the global id of a user's API token from its digest.
func TokenID(user forum.UserID, digest string) string {
	return globalid.New(globalid.Token, strconv.FormatInt(int64(user), 10)+":"+auth.SessionName(digest))
}
