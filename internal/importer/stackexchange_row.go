package importer

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
	"time"

	"agora/internal/forum"
)

// row is a row of a table of a Stack Exchange data dump.
type row struct {
	line       int
	size       int // bytes in its file
	attributes []xml.Attr
	// changes counts the changes made to its texts.
	changes Changes
	// err is why it is invalid.
	err error
}

// text returns an attribute, or "".
func (r *row) text(name string) string {
	for _, a := range r.attributes {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// number returns an attribute that is a whole number; 0 if it is missing.
func (r *row) number(name string) (int64, error) {
	s := r.text(name)
	if s == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s is not a whole number", name)
	}
	return n, nil
}

// id returns a required number other than 0.
func (r *row) id(name string) (int64, error) {
	n, err := r.number(name)
	if err == nil && n == 0 {
		err = fmt.Errorf("%s is missing", name)
	}
	return n, err
}

// count returns a count, at most MaxCount.
func (r *row) count(name string) (int, error) {
	n, err := r.number(name)
	if err != nil {
		return 0, err
	}
	return count(name, n)
}

// moment returns an attribute that is a time. It has no time zone, and is in UTC.
func (r *row) moment(name string) moment {
	s := r.text(name)
	if s == "" {
		return 0
	}
	t, err := time.Parse("2006-01-02T15:04:05", strings.TrimSuffix(s, "Z"))
	if err != nil {
		return noMoment
	}
	return moment(t.UnixMilli())
}

// deleted reports whether the row is one that the site shows to moderators only. Public dumps have none.
func (r *row) deleted() bool { return r.text("DeletionDate") != "" }

// Values of PostTypeId.
const (
	question = 1
	answer   = 2
)

// otherPosts are the posts that are neither questions nor answers, by PostTypeId.
// Source: Stack Exchange Data Explorer, table PostTypes.
var otherPosts = map[int64]string{
	3: "orphaned tag wiki", 4: "tag wiki excerpt", 5: "tag wiki", 6: "moderator nomination", 7: "wiki placeholder",
	8: "privilege wiki",
}

// Values of VoteTypeId.
const (
	voteUp   = 2
	voteDown = 3
)

// Reasons for which rows are left out.
const (
	skippedVote   = "vote on a post that is left out or not in the data"
	otherVote     = "vote that is neither up nor down"
	uncountedVote = "vote in a file that cannot be read to its end"
	deletedRow    = "deleted"
)

// dumpMember is the data of a row of Users.xml, except the id.
type dumpMember struct {
	name   string
	joined forum.Time
}

// person returns the member with this id. Without a name it is named after the id, as on the site.
func (m dumpMember) person(id int64) Person {
	p := Person{ID: itoa(id), Name: cmp.Or(m.name, "user"+itoa(id)), CreatedAt: m.joined}
	if id > 0 { // the site's own account is -1
		p.SourceID = p.ID
	}
	return p
}

// author returns the author of a row: a member, or a mere name if the account was deleted.
func (d *dump) author(r *row, idField, nameField string) (Person, error) {
	id, err := r.number(idField)
	if err != nil {
		return Person{}, err
	}
	if id == 0 {
		return r.changes.person(0, r.text(nameField), 0), nil
	}
	m, is := d.members[id]
	if !is {
		d.absent[id] = true
		m.name = r.changes.name(r.text(nameField))
	}
	return m.person(id), nil
}

// points returns the votes of a post.
func (d *dump) points(r *row, id int64) (up, down int, err error) {
	if d.counted {
		p := d.posts[id]
		return int(p.up), int(p.down), nil
	}
	score, err := r.count("Score")
	return max(score, 0), max(-score, 0), err
}

// topic reads a question.
func (d *dump) topic(r *row, id int64) (*Topic, error) {
	created, createdErr := d.o.must(r.moment("CreationDate"), "CreationDate")
	title, titleErr := r.changes.title(r.text("Title"))
	content, contentErr := d.o.content(&r.changes, r.text("Body"), forum.HTML, "questions/"+itoa(id))
	views, viewsErr := r.count("ViewCount")
	author, authorErr := d.author(r, "OwnerUserId", "OwnerDisplayName")
	up, down, scoreErr := d.points(r, id)
	return &Topic{
		ID:        itoa(id),
		Kind:      forum.Discussion,
		Title:     title,
		Content:   content,
		Format:    forum.HTML,
		Author:    author,
		Tags:      r.changes.tags(tagNames(r.text("Tags"))),
		CreatedAt: created,
		Locked:    r.text("ClosedDate") != "",
		Upvotes:   up,
		Downvotes: down,
		Clicks:    max(views, 0),
	}, cmp.Or(createdErr, titleErr, contentErr, viewsErr, authorErr, scoreErr)
}

// tagNames parses "<a><b>", or "|a|b|", the form since 2024.
func tagNames(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == '<' || r == '>' || r == '|' })
}

// answer reads an answer, which becomes a comment on its topic.
func (d *dump) answer(r *row, id int64) (Comment, error) {
	created, createdErr := d.o.must(r.moment("CreationDate"), "CreationDate")
	content, contentErr := d.o.content(&r.changes, r.text("Body"), forum.HTML, "a/"+itoa(id))
	author, authorErr := d.author(r, "OwnerUserId", "OwnerDisplayName")
	up, down, scoreErr := d.points(r, id)
	return Comment{
		ID:        itoa(id),
		Author:    author,
		Content:   content,
		Format:    forum.HTML,
		CreatedAt: created,
		Upvotes:   up,
		Downvotes: down,
	}, cmp.Or(createdErr, contentErr, authorErr, scoreErr)
}

// comment reads a row of Comments.xml, without its Parent. Posts and comments have separate number
// sequences there.
func (d *dump) comment(r *row) (Comment, error) {
	id, idErr := r.id("Id")
	created, createdErr := d.o.must(r.moment("CreationDate"), "CreationDate")
	content, contentErr := d.o.content(&r.changes, r.text("Text"), forum.Markdown, "q/"+r.text("PostId"))
	author, authorErr := d.author(r, "UserId", "UserDisplayName")
	score, scoreErr := r.count("Score")
	return Comment{
		ID:        "c" + itoa(id),
		Author:    author,
		Content:   content,
		Format:    forum.Markdown,
		CreatedAt: created,
		Upvotes:   max(score, 0),
	}, cmp.Or(idErr, createdErr, contentErr, authorErr, scoreErr)
}
