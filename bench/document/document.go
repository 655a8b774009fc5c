// Package document has the operations that the benchmark sends, and their variables.
package document

import (
	"embed"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/store/listing"
)

//go:embed text/*.graphql
var texts embed.FS

// Document is one operation that is measured.
type Document struct {
	// Name is its name on the command line and in the tables.
	Name string
	// Title describes it briefly.
	Title string
	// Text is the document as it is sent.
	Text string
	// Writes reports whether it is a mutation by a signed-in user.
	Writes bool
	// SignedIn reports whether it is a query by a signed-in user.
	SignedIn bool
	// Votes reports whether others vote on what it shows meanwhile.
	Votes bool
	// MaxClients is the most clients with which it is measured; 0 is no limit.
	MaxClients int
}

// The documents. Topic asks for unrendered texts, so that the rendering of Markdown, which all subjects share, is not
// measured; TopicHTML asks for rendered ones.
var (
	Front = Document{
		Name:  "front",
		Title: "Front page: 20 topics with author, category, votes, five comments and their authors",
		Text:  read("front"),
	}
	Topic = Document{
		Name:  "topic",
		Title: "Topic page: a topic with 1,000 comments and their authors",
		Text:  read("topic"),
	}
	Topics = Document{
		Name:  "topics",
		Title: "Topic pages of 10,000 topics, drawn by Zipf's law",
		Text:  read("topic"),
	}
	FrontOwn = Document{
		Name:     "front-own",
		Title:    "Front page of a member, with own votes, bookmarks and unread counts",
		Text:     read("front_own"),
		SignedIn: true,
	}
	FrontVoted = Document{
		Name:  "front-voted",
		Title: "Front page, while 1,000 votes a second are cast on its topics",
		Text:  read("front"),
		Votes: true,
	}
	TopicHTML = Document{
		Name:       "topic-html",
		Title:      "Topic page with 1,000 comments, all texts rendered as HTML",
		Text:       read("topic_html"),
		MaxClients: 1,
	}
	Typename = Document{Name: "typename", Title: "`{ __typename }`", Text: read("typename")}
	Reply    = Document{Name: "reply", Title: "Reply to a topic", Text: read("reply"), Writes: true}
	Post     = Document{Name: "post", Title: "Post a topic", Text: read("post"), Writes: true}
)

// All returns the documents in the order in which they are measured: the mutations come last.
func All() []Document {
	return []Document{Front, FrontOwn, FrontVoted, Topic, Topics, TopicHTML, Typename, Reply, Post}
}

func read(name string) string {
	b, err := texts.ReadFile("text/" + name + ".graphql")
	if err != nil {
		panic(err) // only if the program was built without the embedded file
	}
	return string(b)
}

// Pages is how many pages of comments the topic page asks for: with forum.MaxPage rows each, 1,000 comments.
const Pages = 10

// FrontVariables returns the variables of Front.
func FrontVariables(topics, comments int) map[string]any {
	return map[string]any{"topics": topics, "comments": comments}
}

// TopicVariables returns the variables of Topic and TopicHTML. The cursors are those of the pages of a topic whose
// comments are numbered without gaps; pages beyond the end are empty. after returns the comment with a number.
func TopicVariables(id forum.TopicID, after func(number int) forum.CommentID) map[string]any {
	v := map[string]any{"number": int64(id)}
	list := listing.TopicComments(id, false, forum.Oldest).Name
	for page := 1; page < Pages; page++ {
		number := page * forum.MaxPage
		at := forum.Position{Score: float64(number), Member: strconv.FormatInt(int64(after(number)), 10)}
		v[fmt.Sprint("c", page)] = at.Cursor(list)
	}
	return v
}

// ReplyVariables returns the variables of Reply.
func ReplyVariables(topic forum.TopicID, content string) map[string]any {
	return map[string]any{
		"i": map[string]any{
			"topicId": globalid.New(globalid.Topic, strconv.FormatInt(int64(topic), 10)),
			"content": content,
		},
	}
}

// PostVariables returns the variables of Post.
func PostVariables(category forum.CategoryID, title, content string) map[string]any {
	return map[string]any{"i": map[string]any{"title": title, "content": content,
		"category": map[string]any{"id": globalid.New(globalid.Category, strconv.FormatInt(int64(category), 10))}}}
}

// Body returns the JSON of a request.
func Body(d Document, variables map[string]any) []byte {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	request := struct {
		Query     string         `json:"query"`
		Variables map[string]any `json:"variables,omitempty"`
	}{d.Text, variables}
	if err := enc.Encode(request); err != nil {
		panic(err) // maps of plain values always encode
	}
	return []byte(strings.TrimSuffix(b.String(), "\n"))
}
