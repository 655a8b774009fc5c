package store

import (
	"strconv"
	"strings"

	"agora/internal/forum"
)

// fields is a hash as Redis answers it.
type fields map[string]string

func (f fields) int(name string) int {
	n, _ := strconv.ParseInt(f[name], 10, 64)
	return int(n)
}

func (f fields) time(name string) forum.Time { return forum.Time(f.int(name)) }

func decodeUser(id forum.UserID, f fields) *forum.User {
	if f["state"] != userActive {
		return nil
	}
	return &forum.User{
		ID:         id,
		Login:      f["login"],
		LoginFold:  f["fold"],
		Name:       f["name"],
		Role:       forum.Role(f["role"]),
		CreatedAt:  f.time("created"),
		TopicCount: f.int("topics"),
	}
}

func decodeTopic(id forum.TopicID, f fields) *forum.Topic {
	if f["state"] == "" {
		return nil
	}
	return &forum.Topic{
		ID:           id,
		Kind:         forum.TopicKind(f["kind"]),
		State:        forum.TopicState(f["state"]),
		Title:        f["title"],
		Content:      f["content"],
		Format:       forum.ContentFormat(f["format"]),
		Link:         f["link"],
		AuthorID:     forum.UserID(f.int("author")),
		CategoryID:   forum.CategoryID(f.int("category")),
		CreatedAt:    f.time("created"),
		EditedAt:     f.time("edited"),
		DeletedAt:    f.time("deleted"),
		LastActiveAt: f.time("active"),
		ClickCount:   f.int("clicks"),
		CommentCount: f.int("comments"),
		Upvotes:      f.int("up"),
		Downvotes:    f.int("down"),
	}
}

func decodeComment(id forum.CommentID, f fields) *forum.Comment {
	if f["topic"] == "" {
		return nil
	}
	c := &forum.Comment{
		ID:         id,
		TopicID:    forum.TopicID(f.int("topic")),
		AuthorID:   forum.UserID(f.int("author")),
		ParentID:   forum.CommentID(f.int("parent")),
		Depth:      f.int("depth"),
		Number:     f.int("floor"),
		Content:    f["content"],
		Format:     forum.ContentFormat(f["format"]),
		CreatedAt:  f.time("created"),
		EditedAt:   f.time("edited"),
		DeletedAt:  f.time("deleted"),
		ReplyCount: f.int("replies"),
		Mentions:   decodeMentions(f["mentions"]),
		Upvotes:    f.int("up"),
		Downvotes:  f.int("down"),
	}
	if c.DeletedAt != 0 {
		c.AuthorID = 0
	}
	return c
}

func decodeCategory(id forum.CategoryID, f fields) *forum.Category {
	if f["name"] == "" {
		return nil
	}
	return &forum.Category{ID: id, Name: f["name"], Description: f["description"]}
}

func decodeTab(id forum.TabID, f fields) *forum.Tab {
	if f["name"] == "" {
		return nil
	}
	return &forum.Tab{ID: id, Name: f["name"], CategoryCount: f.int("categories")}
}

// encodeMentions writes mentions as "login:id login:id".
func encodeMentions(ms forum.Mentions) string {
	parts := make([]string, len(ms))
	for i, m := range ms {
		parts[i] = m.Fold + ":" + itoa(m.User)
	}
	return strings.Join(parts, " ")
}

func decodeMentions(s string) forum.Mentions {
	var ms forum.Mentions
	for _, part := range strings.Fields(s) {
		fold, id, _ := strings.Cut(part, ":")
		if user, err := forum.ParseID[forum.UserID](id); err == nil {
			ms = append(ms, forum.Mention{Fold: fold, User: user})
		}
	}
	return ms
}
