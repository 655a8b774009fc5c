package importer

import (
	"cmp"
	"encoding/json"
	"errors"

	"agora/internal/forum"
)

// v2exTopic is the part of a V2EX API v1 topic that is read.
type v2exTopic struct {
	ID      int64  `json:"id"`
	Title   string `json:"title"`
	Content string `json:"content"`
	Created moment `json:"created"`
	Replies int    `json:"replies"`
	Deleted int    `json:"deleted"`
	Node    struct {
		ID         int64  `json:"id"`
		Name       string `json:"name"`
		Title      string `json:"title"`
		Header     string `json:"header"`
		ParentNode string `json:"parent_node_name"`
	} `json:"node"`
	Member struct {
		ID       int64  `json:"id"`
		Username string `json:"username"`
		Created  moment `json:"created"`
	} `json:"member"`
}

func typicalOfV2EX(has map[string]json.RawMessage) bool {
	return has["node"] != nil || has["member"] != nil || has["content_rendered"] != nil
}

// readV2EX reads a topic: its node becomes the category, the parent node the tab. The data have
// only the number of replies, not the replies.
func readV2EX(value []byte, rec *reading) error {
	var in v2exTopic
	if err := json.Unmarshal(value, &in); err != nil {
		return err
	}
	if in.ID == 0 {
		return errors.New("id is missing")
	}
	if in.Deleted != 0 {
		rec.Skipped = "deleted"
		return nil
	}
	created, createdErr := rec.must(in.Created, "created")
	title, titleErr := rec.Changes.title(in.Title)
	content, contentErr := rec.content(&rec.Changes, in.Content, forum.Markdown, "t/"+itoa(in.ID))
	if err := cmp.Or(createdErr, titleErr, contentErr); err != nil {
		return err
	}
	rec.Topic = &Topic{
		ID:        itoa(in.ID),
		Kind:      forum.Discussion,
		Title:     title,
		Content:   content,
		Format:    forum.Markdown,
		Author:    rec.Changes.person(in.Member.ID, in.Member.Username, rec.known(in.Member.Created)),
		Category:  in.category(&rec.Changes),
		CreatedAt: created,
	}
	rec.lack(missingReplies, in.Replies)
	return nil
}

func (in *v2exTopic) category(c *Changes) Category {
	if in.Node.ID == 0 {
		return Category{}
	}
	id := itoa(in.Node.ID)
	tab := c.name(in.Node.ParentNode)
	return Category{
		ID:          id,
		Name:        cmp.Or(c.name(in.Node.Title), c.name(in.Node.Name), "V2EX node "+id),
		Description: c.description(in.Node.Header),
		Tab:         Tab{ID: tab, Name: tab},
	}
}
