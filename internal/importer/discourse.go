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
	ID             int64          `json:"id"`
	Title          string         `json:"title"`
	CategoryID     int64          `json:"category_id"`
	Tags           []discourseTag `json:"tags"`
	CreatedAt      moment         `json:"created_at"`
	Views          int64          `json:"views"`
	PostsCount     int            `json:"posts_count"`
	Closed         bool           `json:"closed"`
	Archived       bool           `json:"archived"`
	Pinned         bool           `json:"pinned"`
	PinnedGlobally bool           `json:"pinned_globally"`
	PinnedAt       moment         `json:"pinned_at"`
	PinnedUntil    moment         `json:"pinned_until"`
	Archetype      string         `json:"archetype"`
	Visible        *bool          `json:"visible"`
	SharedDraft    bool           `json:"is_shared_draft"`
	DeletedAt      moment         `json:"deleted_at"`
	DeletedBy      any            `json:"deleted_by"`
	Details        struct {
		CreatedBy struct {
			ID       int64  `json:"id"`
			Username string `json:"username"`
		} `json:"created_by"`
		AllowedUsers  []any `json:"allowed_users"`
		AllowedGroups []any `json:"allowed_groups"`
	} `json:"details"`
	PostStream *struct {
		Posts []discoursePost `json:"posts"`
		// Stream are the ids of all posts.
		Stream []int64 `json:"stream"`
	} `json:"post_stream"`
}

// discourseTag is the name of a tag. Later versions write an object.
type discourseTag string

// UnmarshalJSON implements json.Unmarshaler.
func (t *discourseTag) UnmarshalJSON(b []byte) error {
	var object struct {
		Name string `json:"name"`
	}
	if b[0] != '{' {
		return json.Unmarshal(b, (*string)(t))
	}
	err := json.Unmarshal(b, &object)
	*t = discourseTag(object.Name)
	return err
}

// discoursePost is the part of a post that is read.
type discoursePost struct {
	ID          int64  `json:"id"`
	Number      int    `json:"post_number"`
	Type        int    `json:"post_type"`
	ActionCode  string `json:"action_code"`
	UserID      int64  `json:"user_id"`
	Username    string `json:"username"`
	CreatedAt   moment `json:"created_at"`
	DeletedAt   moment `json:"deleted_at"`
	DeletedBy   any    `json:"deleted_by"`
	UserDeleted bool   `json:"user_deleted"`
	Hidden      bool   `json:"hidden"`
	Cooked      string `json:"cooked"`
	// CookedHidden is set if Cooked is replaced, because the post is hidden.
	CookedHidden bool `json:"cooked_hidden"`
	// ReplyTo is a post's number; 0 means none.
	ReplyTo int `json:"reply_to_post_number"`
	Actions []struct {
		ID    int   `json:"id"`
		Count int64 `json:"count"`
	} `json:"actions_summary"`
	// left reports that the post is left out or invalid.
	left bool
}

// likeAction is the id of a like in `actions_summary`.
const likeAction = 2

// Values of `post_type`; others are not known. Source: Discourse, app/models/post.rb.
const (
	regularPost   = 1
	moderatorPost = 2
	smallAction   = 3
	whisper       = 4
)

// Reasons for which posts within a topic are left out.
const (
	skippedPart = "post of a topic that is left out"
	badPart     = "post of a topic that is a bad record"
)

func typicalOfDiscourse(has map[string]json.RawMessage) bool { return has["post_stream"] != nil }

// readDiscourse reads a topic: its first post becomes its text, and the others become comments. What
// the forum does not show to everybody is left out.
func readDiscourse(value []byte, rec *reading) error {
	var in discourseTopic
	err := json.Unmarshal(value, &in)
	switch {
	case err != nil:
	case in.ID == 0:
		err = errors.New("id is missing")
	case in.PostStream == nil:
		err = errors.New("post_stream is missing")
	default:
		if rec.Skipped = in.hidden(); rec.Skipped != "" {
			rec.leave(skippedPart, in.replies())
			return nil
		}
		rec.lack(missingPosts, in.missing())
		err = in.read(rec)
	}
	if err != nil {
		rec.parts = nil
		rec.leave(badPart, in.replies())
	}
	return err
}

// hidden returns why a topic is left out, or "".
func (in *discourseTopic) hidden() string {
	switch {
	case in.DeletedAt != 0 || in.DeletedBy != nil:
		return "deleted topic"
	case in.Archetype == "private_message", len(in.Details.AllowedUsers)+len(in.Details.AllowedGroups) > 0:
		return "private message"
	case in.Archetype != "" && in.Archetype != "regular" && in.Archetype != "banner":
		return "topic of an unknown archetype"
	case in.Visible != nil && !*in.Visible:
		return "unlisted topic"
	case in.SharedDraft:
		return "shared draft"
	}
	for i := range in.PostStream.Posts {
		if p := &in.PostStream.Posts[i]; p.Number == 1 && p.hidden() != "" {
			return "topic that begins with a " + p.hidden()
		}
	}
	return ""
}

// hidden returns why a post is left out, or "".
func (p *discoursePost) hidden() string {
	switch {
	case p.DeletedAt != 0 || p.DeletedBy != nil || p.UserDeleted:
		return "deleted post"
	case p.Type == whisper:
		return "whisper"
	case p.Hidden || p.CookedHidden:
		return "hidden post"
	case p.Type == smallAction, p.ActionCode != "" && p.Cooked == "":
		return "note of the software"
	case p.Type != 0 && p.Type != regularPost && p.Type != moderatorPost:
		return "post of an unknown type"
	}
	return ""
}

// replies returns the number of posts besides the first one.
func (in *discourseTopic) replies() int {
	n := 0
	if in.PostStream != nil {
		for i := range in.PostStream.Posts {
			if in.PostStream.Posts[i].Number != 1 {
				n++
			}
		}
	}
	return n
}

// missing returns how many posts are not in the record. Discourse answers a request for a topic with
// the first ones, and the ids of all.
func (in *discourseTopic) missing() int {
	here, counted := map[int64]bool{}, 0
	for _, p := range in.PostStream.Posts {
		here[p.ID] = true
		if p.Type != smallAction && p.Type != whisper {
			counted++
		}
	}
	switch {
	case len(in.PostStream.Stream) == 0: // an export without ids; whispers and the like are not counted
		return max(0, in.PostsCount-counted)
	case here[0]: // posts without ids
		return max(0, len(in.PostStream.Stream)-len(in.PostStream.Posts))
	}
	n := 0
	for _, id := range in.PostStream.Stream {
		if !here[id] {
			n++
		}
	}
	return n
}

// read reads a topic that is shown to everybody.
func (in *discourseTopic) read(rec *reading) error {
	created, createdErr := rec.must(in.CreatedAt, "created_at")
	title, titleErr := rec.Changes.title(in.Title)
	views, viewsErr := count("views", in.Views)
	if err := cmp.Or(createdErr, titleErr, viewsErr); err != nil {
		return err
	}
	names := make([]string, len(in.Tags))
	for i, t := range in.Tags {
		names[i] = string(t)
	}
	t := Topic{
		// A topic of another forum may have the same number, but hardly the same time too: two
		// forums can be imported into one source.
		ID:        fmt.Sprintf("%d@%d", in.ID, created),
		Kind:      forum.Discussion,
		Title:     title,
		Format:    forum.HTML,
		Author:    rec.Changes.person(in.Details.CreatedBy.ID, in.Details.CreatedBy.Username, 0),
		Tags:      rec.Changes.tags(names),
		CreatedAt: created,
		Locked:    in.Closed || in.Archived,
		Clicks:    max(views, 0),
	}
	in.pin(&t, rec.origin)
	if in.CategoryID != 0 {
		id := itoa(in.CategoryID)
		t.Category = Category{ID: id, Name: "Discourse category " + id}
	}
	if err := in.addPosts(&t, rec); err != nil {
		return err
	}
	rec.Topic = &t
	return nil
}

// pin sets where the topic is pinned: in its category, or everywhere.
func (in *discourseTopic) pin(t *Topic, from origin) {
	at := cmp.Or(from.known(in.PinnedAt), t.CreatedAt)
	switch ended := from.known(in.PinnedUntil) != 0; {
	case ended:
	case in.PinnedGlobally:
		t.PinnedFront, t.PinnedCategory = at, at
	case in.Pinned:
		t.PinnedCategory = at
	}
}

// addPosts adds the posts in the order of their numbers. It fails if the first one is invalid.
func (in *discourseTopic) addPosts(t *Topic, rec *reading) error {
	posts := in.PostStream.Posts
	slices.SortStableFunc(posts, func(a, b discoursePost) int { return cmp.Compare(a.Number, b.Number) })
	byNumber := make(map[int]*discoursePost, len(posts))
	t.Comments = make([]Comment, 0, max(0, len(posts)-1))
	for i := range posts {
		p := &posts[i]
		if why := p.hidden(); why != "" {
			p.left = true
			rec.part(Record{Skipped: why})
		} else if err := in.addPost(t, p, byNumber, rec); err != nil {
			if p.left = true; p.Number == 1 {
				return err
			}
			rec.part(Record{Err: err})
		}
		if byNumber[p.Number] == nil {
			byNumber[p.Number] = p
		}
	}
	return nil
}

// addPost adds a post to the topic. earlier are the posts with lower numbers.
func (in *discourseTopic) addPost(t *Topic, p *discoursePost, earlier map[int]*discoursePost, rec *reading) error {
	if p.Number < 1 {
		return errors.New("a post has no post_number")
	}
	if earlier[p.Number] != nil {
		return fmt.Errorf("there are two posts with number %d", p.Number)
	}
	comment, err := p.read(rec, fmt.Sprintf("t/%d/%d", in.ID, p.Number))
	if err != nil {
		return fmt.Errorf("post %d: %w", p.Number, err)
	}
	if p.Number == 1 {
		t.Content, t.Author, t.Upvotes = comment.Content, comment.Author, comment.Upvotes
		return nil
	}
	comment.ID = t.postID(p.Number)
	if parent := p.parent(earlier); parent > 1 {
		comment.Parent = t.postID(parent)
	}
	t.Comments = append(t.Comments, comment)
	return nil
}

func (t *Topic) postID(number int) string { return fmt.Sprintf("%s#%d", t.ID, number) }

// parent returns the number of the post that p replies to, or of its nearest ancestor that is
// imported; 0 if there is none. earlier contains only posts with lower numbers.
func (p *discoursePost) parent(earlier map[int]*discoursePost) int {
	for at := p; ; {
		above := earlier[at.ReplyTo]
		if above == nil || above.Number >= at.Number {
			return 0
		}
		if !above.left {
			return above.Number
		}
		at = above
	}
}

// read reads a post, without its ID and Parent. page is its address on the site.
func (p *discoursePost) read(rec *reading, page string) (Comment, error) {
	created, createdErr := rec.must(p.CreatedAt, "created_at")
	content, contentErr := rec.content(&rec.Changes, p.Cooked, forum.HTML, page)
	likes := int64(0)
	for _, a := range p.Actions {
		if a.ID == likeAction {
			likes = a.Count
		}
	}
	upvotes, likesErr := count("the number of likes", likes)
	return Comment{
		Author:    rec.Changes.person(p.UserID, p.Username, 0),
		Content:   content,
		Format:    forum.HTML,
		CreatedAt: created,
		Upvotes:   max(upvotes, 0),
	}, cmp.Or(createdErr, contentErr, likesErr)
}
