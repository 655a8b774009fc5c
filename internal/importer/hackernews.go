package importer

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"agora/internal/forum"
)

// hackerNewsItem is the part of a Hacker News API item that is read.
type hackerNewsItem struct {
	ID      int64   `json:"id"`
	Type    string  `json:"type"`
	By      string  `json:"by"`
	Time    moment  `json:"time"`
	Title   string  `json:"title"`
	URL     string  `json:"url"`
	Text    string  `json:"text"`
	Score   int64   `json:"score"`
	Parent  int64   `json:"parent"`
	Kids    []int64 `json:"kids"`
	Dead    bool    `json:"dead"`
	Flagged bool    `json:"flagged"`
	Deleted bool    `json:"deleted"`
}

func typicalOfHackerNews(has map[string]json.RawMessage) bool {
	return has["type"] != nil && has["time"] != nil
}

// readHackerNews reads an item: stories, polls and jobs become articles. Deleted, dead and flagged
// items are skipped.
func readHackerNews(value []byte, rec *reading) error {
	var in hackerNewsItem
	if err := json.Unmarshal(value, &in); err != nil {
		return err
	}
	if in.ID == 0 {
		return errors.New("id is missing")
	}
	rec.Item, rec.Kids = in.ID, in.Kids
	switch in.Type {
	case "story", "poll", "job":
		if why := in.hidden(); why != "" {
			in.skip(rec, why)
			return nil
		}
		return in.readTopic(rec)
	case "comment":
		if in.Parent == 0 {
			return errors.New("parent is missing")
		}
		if why := in.hidden(); why != "" {
			in.skip(rec, why)
			return nil
		}
		return in.readComment(rec)
	case "pollopt":
		in.skip(rec, "pollopt")
		return nil
	case "":
		return errors.New("type is missing")
	default:
		return fmt.Errorf("unknown type of item %.20q", in.Type)
	}
}

// hidden returns why an item is not shown to everybody, or "". Some copies of the data lack the
// flags, and have only the words that stand in place of the text.
func (in *hackerNewsItem) hidden() string {
	switch {
	case in.Deleted:
		return "deleted"
	case in.Dead:
		return "dead"
	case in.Flagged:
		return "flagged"
	}
	switch word := cmp.Or(in.Title, in.Text); word {
	case "[deleted]", "[dead]", "[flagged]", "[delayed]":
		return strings.Trim(word, "[]")
	}
	return ""
}

func (in *hackerNewsItem) skip(rec *reading, why string) {
	rec.Skipped, rec.SkippedID = why, itoa(in.ID)
	if in.Parent != 0 {
		rec.SkippedParent = itoa(in.Parent)
	}
}

func (in *hackerNewsItem) readTopic(rec *reading) error {
	created, createdErr := rec.must(in.Time, "time")
	title, titleErr := rec.Changes.title(in.Title)
	content, contentErr := rec.content(&rec.Changes, in.Text, forum.HTML, "item?id="+itoa(in.ID))
	score, scoreErr := count("score", in.Score)
	if err := cmp.Or(createdErr, titleErr, contentErr, scoreErr); err != nil {
		return err
	}
	rec.Topic = &Topic{
		ID:        itoa(in.ID),
		Kind:      forum.Article,
		Title:     title,
		Content:   content,
		Link:      rec.Changes.link(in.URL),
		Format:    forum.HTML,
		Author:    rec.Changes.person(0, in.By, 0),
		CreatedAt: created,
		Upvotes:   max(score, 0),
		Downvotes: max(-score, 0),
	}
	return nil
}

func (in *hackerNewsItem) readComment(rec *reading) error {
	created, createdErr := rec.must(in.Time, "time")
	content, contentErr := rec.content(&rec.Changes, in.Text, forum.HTML, "item?id="+itoa(in.ID))
	if err := cmp.Or(createdErr, contentErr); err != nil {
		return err
	}
	rec.Comment = &Comment{
		ID:        itoa(in.ID),
		Parent:    itoa(in.Parent),
		Author:    rec.Changes.person(0, in.By, 0),
		Content:   content,
		Format:    forum.HTML,
		CreatedAt: created,
	}
	return nil
}
