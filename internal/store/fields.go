package store

import (
	"strings"

	"agora/internal/forum"
)

// fields is a hash as Redis answers it.
type fields map[string]string

func (f fields) int(name string) int { return int(whole(f[name])) }

func (f fields) time(name string) forum.Time { return forum.Time(f.int(name)) }

func decodeTopic(id forum.TopicID, f fields) *forum.Topic {
	if f["state"] == "" {
		return nil
	}
	return decode(&forum.Topic{ID: id}, topicColumns, f)
}

func decodeComment(id forum.CommentID, f fields) *forum.Comment {
	if f["topic"] == "" {
		return nil
	}
	c := decode(&forum.Comment{ID: id}, commentColumns, f)
	if c.DeletedAt != 0 {
		c.AuthorID = 0
	}
	return c
}

func decodeCategory(id forum.CategoryID, f fields) *forum.Category {
	if f["name"] == "" {
		return nil
	}
	return decode(&forum.Category{ID: id}, categoryColumns, f)
}

func decodeTab(id forum.TabID, f fields) *forum.Tab {
	if f["name"] == "" {
		return nil
	}
	return decode(&forum.Tab{ID: id}, tabColumns, f)
}

func decodeTag(id forum.TagID, f fields) *forum.Tag {
	if f["name"] == "" {
		return nil
	}
	return decode(&forum.Tag{ID: id}, tagColumns, f)
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

// encodeTags writes tags as lines "id name"; names have no line feeds.
func encodeTags(tags forum.TopicTags) string {
	lines := make([]string, len(tags))
	for i, t := range tags {
		lines[i] = itoa(t.ID) + " " + t.Name
	}
	return strings.Join(lines, "\n")
}

func decodeTags(s string) forum.TopicTags {
	if s == "" {
		return nil
	}
	var tags forum.TopicTags
	for line := range strings.SplitSeq(s, "\n") {
		id, name, _ := strings.Cut(line, " ")
		if n := forum.TagID(whole(id)); n > 0 && n <= forum.MaxTagID {
			tags = append(tags, forum.TopicTag{ID: n, Name: name})
		}
	}
	return tags
}
