package usual

import (
	"strconv"
	"strings"
	"time"

	"agora/bench/usual/model"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/text"
)

func userOf(_ int64, f map[string]string) *model.User {
	if f["state"] != "ACTIVE" {
		return nil
	}
	return &model.User{Login: f["login"], Name: f["name"]}
}

// ghost replaces deleted authors.
func ghost() *model.User { return &model.User{Login: forum.GhostLogin, Name: forum.Ghost(0).Name} }

func topicOf(id int64, f map[string]string) *model.Topic {
	if f["state"] == "" || f["state"] == string(forum.TopicDeleted) {
		return nil
	}
	t := &model.Topic{
		ID: globalID(globalid.Topic, id), Number: int(id), Title: f["title"], Content: f["content"],
		Format:   f["format"],
		AuthorID: int64(number(f["author"])), CategoryID: int64(number(f["category"])),
		CreatedAt: instant(f["created"]), LastActiveAt: instant(f["active"]), CommentCount: number(f["comments"]),
		Votes: votesOf(f, f["state"] == string(forum.TopicOpen)),
	}
	if f["kind"] == string(forum.Article) {
		closes := t.CreatedAt.Add(time.Duration(forum.VotingWindow) * time.Millisecond)
		t.Votes.ClosesAt = &closes
		t.Votes.IsOpen = t.Votes.IsOpen && time.Now().Before(closes)
	}
	return t
}

func commentOf(id int64, f map[string]string) *model.Comment {
	if f["topic"] == "" {
		return nil
	}
	c := &model.Comment{
		ID: globalID(
			globalid.Comment,
			id,
		), Number: number(f["floor"]), Depth: number(f["depth"]), Content: f["content"], Format: f["format"],
		Mentions: f["mentions"], ReplyCount: number(f["replies"]), AuthorID: int64(number(f["author"])),
		Votes: votesOf(f, f["deleted"] == ""),
	}
	if f["deleted"] != "" {
		c.AuthorID = 0
	}
	return c
}

func categoryOf(id int64, f map[string]string) *model.Category {
	if f["name"] == "" {
		return nil
	}
	return &model.Category{ID: id, Name: f["name"]}
}

func votesOf(f map[string]string, open bool) *model.VoteSummary {
	up, down := number(f["up"]), number(f["down"])
	return &model.VoteSummary{Up: up, Down: down, Net: up - down, ViewerVote: string(forum.VoteNone), IsOpen: open}
}

func instant(ms string) time.Time { return time.UnixMilli(int64(number(ms))).UTC() }

func mentionsOf(s string) []text.Mention {
	var ms []text.Mention
	for _, part := range strings.Fields(s) {
		fold, _, _ := strings.Cut(part, ":")
		ms = append(ms, text.Mention{Fold: fold, Login: fold})
	}
	return ms
}

func globalID(typ string, id int64) string { return globalid.New(typ, strconv.FormatInt(id, 10)) }
