package importer

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"agora/internal/forum"
)

// hackerNewsItem is the part of a Hacker News API item that is read.
type hackerNewsItem struct {
	ID      int64  `json:"id"`
	Type    string `json:"type"`
	By      string `json:"by"`
	Time    moment `json:"time"`
	Title   string `json:"title"`
	URL     string `json:"url"`
	Text    string `json:"text"`
	Score   int64  `json:"score"`
	Parent  int64  `json:"parent"`
	Dead    bool   `json:"dead"`
	Deleted bool   `json:"deleted"`
}

func typicalOfHackerNews(has map[string]json.RawMessage) bool {
	return has["type"] != nil && has["time"] != nil
}

// readHackerNews reads an item: stories, polls and jobs become articles, dead ones deleted
// articles. Deleted items have no content and are skipped.
func readHackerNews(value []byte, rec *Record) error {
	var in hackerNewsItem
	if err := json.Unmarshal(value, &in); err != nil {
		return err
	}
	if in.ID == 0 {
		return errors.New("id is missing")
	}
	switch in.Type {
	case "story", "poll", "job":
		if in.Deleted {
			in.skip(rec, "deleted")
			return nil
		}
		return in.readTopic(rec)
	case "comment":
		if in.Parent == 0 {
			return errors.New("parent is missing")
		}
		switch {
		case in.Deleted:
			in.skip(rec, "deleted")
			return nil
		case in.Dead:
			in.skip(rec, "dead")
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

func (in *hackerNewsItem) skip(rec *Record, why string) {
	rec.Skipped, rec.SkippedID = why, itoa(in.ID)
	if in.Parent != 0 {
		rec.SkippedParent = itoa(in.Parent)
	}
}

func (in *hackerNewsItem) readTopic(rec *Record) error {
	created, createdErr := in.Time.must("time")
	title, titleErr := rec.Changes.title(in.Title)
	content, contentErr := rec.Changes.content(in.Text)
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
	if in.Dead {
		rec.Topic.DeletedAt = created
	}
	return nil
}

func (in *hackerNewsItem) readComment(rec *Record) error {
	created, createdErr := in.Time.must("time")
	content, contentErr := rec.Changes.content(in.Text)
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
