package catalogue

import (
	"strconv"
	"strings"

	"agora/internal/forum"
)

// EncodeMentions formats mentions as "login:id login:id", with "=" for ":" in those that are quoted: scripts notify only
// the others.
func EncodeMentions(ms forum.Mentions) string {
	parts := make([]string, len(ms))
	for i, m := range ms {
		sign := ":"
		if m.Quoted {
			sign = "="
		}
		parts[i] = m.Fold + sign + strconv.FormatInt(int64(m.User), 10)
	}
	return strings.Join(parts, " ")
}

// DecodeMentions parses the result of EncodeMentions.
func DecodeMentions(s string) forum.Mentions {
	var ms forum.Mentions
	for part := range strings.FieldsSeq(s) {
		fold, id, direct := strings.Cut(part, ":")
		if !direct {
			fold, id, _ = strings.Cut(part, "=")
		}
		if user, err := forum.ParseID[forum.UserID](id); err == nil {
			ms = append(ms, forum.Mention{Fold: fold, User: user, Quoted: !direct})
		}
	}
	return ms
}

// EncodeTags formats tags as lines "id name"; names have no line feeds.
func EncodeTags(tags forum.TopicTags) string {
	lines := make([]string, len(tags))
	for i, t := range tags {
		lines[i] = strconv.FormatInt(int64(t.ID), 10) + " " + t.Name
	}
	return strings.Join(lines, "\n")
}

// DecodeTags parses the result of EncodeTags.
func DecodeTags(s string) forum.TopicTags {
	if s == "" {
		return nil
	}
	var tags forum.TopicTags
	for line := range strings.SplitSeq(s, "\n") {
		id, name, _ := strings.Cut(line, " ")
		if n := forum.TagID(Atoi(id)); n > 0 && n <= forum.MaxTagID {
			tags = append(tags, forum.TopicTag{ID: n, Name: name})
		}
	}
	return tags
}
