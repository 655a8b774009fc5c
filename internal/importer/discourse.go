package importer

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"agora/internal/forum"
)

// discourseTopic is the part of a Discourse topic that is read.
type discourseTopic struct {
	ID         int64  `json:"id"`
	Title      string `json:"title"`
	CategoryID int64  `json:"category_id"`
	CreatedAt  moment `json:"created_at"`
	DeletedAt  moment `json:"deleted_at"`
	Views      int64  `json:"views"`
	Details    struct {
		CreatedBy struct {
			ID       int64  `json:"id"`
			Username string `json:"username"`
		} `json:"created_by"`
	} `json:"details"`
	PostStream *struct {
		Posts []discoursePost `json:"posts"`
	} `json:"post_stream"`
}

// discoursePost is the part of a post that is read.
type discoursePost struct {
	Number    int    `json:"post_number"`
	UserID    int64  `json:"user_id"`
	Username  string `json:"username"`
	CreatedAt moment `json:"created_at"`
	DeletedAt moment `json:"deleted_at"`
	Cooked    string `json:"cooked"`
	// ReplyTo is a post's number; 0 means none.
	ReplyTo int `json:"reply_to_post_number"`
	Actions []struct {
		ID    int   `json:"id"`
		Count int64 `json:"count"`
	} `json:"actions_summary"`
}

// likeAction is the id of a like in `actions_summary`.
const likeAction = 2

func typicalOfDiscourse(has map[string]json.RawMessage) bool { return has["post_stream"] != nil }

// readDiscourse reads a topic: its first post becomes its text, all others become comments,
// including those of moderators and of the software.
func readDiscourse(value []byte, rec *Record) error {
	var in discourseTopic
	if err := json.Unmarshal(value, &in); err != nil {
		return err
	}
	if in.ID == 0 {
		return errors.New("id is missing")
	}
	if in.PostStream == nil {
		return errors.New("post_stream is missing")
	}
	created, createdErr := in.CreatedAt.must("created_at")
	title, titleErr := rec.Changes.title(in.Title)
	views, viewsErr := count("views", in.Views)
	if err := cmp.Or(createdErr, titleErr, viewsErr); err != nil {
		return err
	}
	t := Topic{
		// A topic of another forum may have the same number, but hardly the same time too: two
		// forums can be imported into one source.
		ID:        fmt.Sprintf("%d@%d", in.ID, created),
		Kind:      forum.Discussion,
		Title:     title,
		Format:    forum.HTML,
		Author:    rec.Changes.person(in.Details.CreatedBy.ID, in.Details.CreatedBy.Username, 0),
		CreatedAt: created,
		Clicks:    max(views, 0),
	}
	if in.DeletedAt != 0 {
		t.DeletedAt = max(created, in.DeletedAt.known())
	}
	if in.CategoryID != 0 {
		id := itoa(in.CategoryID)
		t.Category = Category{ID: id, Name: "Discourse category " + id}
	}
	if err := t.addPosts(in.PostStream.Posts, &rec.Changes); err != nil {
		return err
	}
	rec.Topic = &t
	return nil
}

// addPosts adds the posts in the order of their numbers.
func (t *Topic) addPosts(posts []discoursePost, c *Changes) error {
	slices.SortStableFunc(posts, func(a, b discoursePost) int { return cmp.Compare(a.Number, b.Number) })
	byNumber := make(map[int]*discoursePost, len(posts))
	t.Comments = make([]Comment, 0, max(0, len(posts)-1))
	for i := range posts {
		p := &posts[i]
		if p.Number < 1 {
			return errors.New("a post has no post_number")
		}
		if byNumber[p.Number] != nil {
			return fmt.Errorf("there are two posts with number %d", p.Number)
		}
		byNumber[p.Number] = p
		if p.DeletedAt != 0 {
			c.DeletedPosts++
			continue
		}
		comment, err := p.read(c)
		if err != nil {
			return fmt.Errorf("post %d: %w", p.Number, err)
		}
		if p.Number == 1 {
			t.Content, t.Author, t.Upvotes = comment.Content, comment.Author, comment.Upvotes
			continue
		}
		comment.ID = t.postID(p.Number)
		if parent := p.parent(byNumber); parent > 1 {
			comment.Parent = t.postID(parent)
		}
		t.Comments = append(t.Comments, comment)
	}
	return nil
}

func (t *Topic) postID(number int) string { return fmt.Sprintf("%s#%d", t.ID, number) }

// parent returns the number of the post that p replies to, or of its nearest ancestor that is not
// deleted; 0 if there is none. earlier contains only posts with lower numbers.
func (p *discoursePost) parent(earlier map[int]*discoursePost) int {
	for at := p; ; {
		above := earlier[at.ReplyTo]
		if above == nil || above.Number >= at.Number {
			return 0
		}
		if above.DeletedAt == 0 {
			return above.Number
		}
		at = above
	}
}

// read reads a post, without its ID and Parent.
func (p *discoursePost) read(c *Changes) (Comment, error) {
	created, createdErr := p.CreatedAt.must("created_at")
	content, contentErr := c.content(p.Cooked)
	likes := int64(0)
	for _, a := range p.Actions {
		if a.ID == likeAction {
			likes = a.Count
		}
	}
	upvotes, likesErr := count("the number of likes", likes)
	return Comment{
		Author:    c.person(p.UserID, p.Username, 0),
		Content:   content,
		Format:    forum.HTML,
		CreatedAt: created,
		Upvotes:   max(upvotes, 0),
	}, cmp.Or(createdErr, contentErr, likesErr)
}
