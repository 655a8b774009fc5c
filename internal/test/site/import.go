package site

import (
	"strconv"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/bulk"
	"agora/internal/store/posts"
)

// ImportedAt is the time of all imported objects: in 2020.
const ImportedAt forum.Time = 1_577_934_245_000

// Member returns a member of another site with candidates for the login, followed by the first one with numbers.
func Member(source string, logins ...string) bulk.ImportUser {
	all := func(yield func(string) bool) {
		for _, login := range logins {
			if !yield(login) {
				return
			}
		}
		for n := 1000; yield(logins[0] + "-" + strconv.Itoa(n)); n++ {
		}
	}
	return bulk.ImportUser{Source: source, Logins: all, Name: strings.ToUpper(logins[0]), CreatedAt: ImportedAt}
}

// ImportedTopic returns a discussion of another site; author 0 is the ghost.
func ImportedTopic(source string, author forum.UserID, category forum.CategoryID) posts.NewTopic {
	return posts.NewTopic{Author: author, Kind: forum.Discussion, Title: "title of " + source,
		Content: "text of " + source, Format: forum.HTML, Category: category, CreatedAt: ImportedAt, Source: source}
}

// ImportedReply returns a comment of another site.
func ImportedReply(source string, author forum.UserID, on forum.TopicID, parent forum.CommentID) bulk.NewReply {
	return bulk.NewReply{Author: author, NewComment: posts.NewComment{Topic: on, Parent: parent,
		Content: "text of " + source, Format: forum.HTML, CreatedAt: ImportedAt + 1000, Source: source}}
}
