//go:build linux

package floods

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/test/gqltext"
)

// freshDocument is a document that no cache has: its name differs each time.
func freshDocument() string {
	return "query FRESH { " + gqltext.Each(45, "f%d: front { topics(first: 1) { nodes { id title number kind state createdAt } } }") + "}"
}

// pageDocument asks for many topics.
const pageDocument = `query FRESH { front { topics(first: 100) { nodes { id title author { login } } } } }`

// misspeltDocuments have hundreds of fields that types do not have, so that the server looks for similar ones.
func misspeltDocuments(d *drawer) []string {
	all := make([]string, 20)
	for i := range all {
		fields := d.schema.Types[globalid.Topic].Fields
		all[i] = fmt.Sprintf("query FRESH { node(id: %q) { ... on Topic { %s} } }", d.data.ranked, gqltext.Series(900, func(n int) string {
			name := []byte(fields[d.rand.IntN(len(fields))].Name)
			name[d.rand.IntN(len(name))] = byte('a' + d.rand.IntN(26))
			return fmt.Sprintf("%s%d", name, n)
		}))
	}
	return all
}

// hunksDocument compares revisions of comments.
func hunksDocument(comments []string) string {
	return commentsDocument(comments, "revisions(first: 1) { nodes { hunks { newStart } } }")
}

// revisionsDocument reads the earlier texts of one comment often.
func revisionsDocument(comment string) string {
	return commentsDocument([]string{comment}, gqltext.Each(60, "a%d: revisions(first: 12) { nodes { content } }"))
}

// htmlDocument renders comments.
func htmlDocument(comments []string) string { return commentsDocument(comments, "contentHtml") }

// excerptDocument renders the beginnings of comments.
func excerptDocument(comments []string) string {
	return commentsDocument(comments, gqltext.Each(10, "a%d: excerpt(length: 1000)"))
}

func commentsDocument(ids []string, fields string) string {
	return `query FRESH { nodes(ids: ["` + strings.Join(ids, `", "`) + `"]) { ... on Comment { ` + fields + ` } } }`
}

// snapshotDocuments ask for lists that are computed for each tag and period.
func snapshotDocuments(data *furnished) (all []string) {
	for _, period := range []string{"DAY", "WEEK", "MONTH", "YEAR", "ALL"} {
		for _, order := range []string{"TOP", "CONTROVERSIAL"} {
			all = append(all, "query FRESH { "+gqltext.Series(40, func(i int) string {
				return fmt.Sprintf("t%d: tag(name: %q) { timeline(orderBy: {field: %s}, period: %s) { topics(first: 1) { nodes { id } } } }",
					i, data.names[globalid.Tag][i], order, period)
			})+"}")
		}
	}
	return all
}

// daysDocument asks for the boards of many days.
func daysDocument(data *furnished) string {
	return "query FRESH { " + gqltext.Series(len(data.days), func(i int) string {
		return fmt.Sprintf("d%d: dayRank(date: %q) { topics(first: 1) { nodes { id } } }", i, data.days[i])
	}) + "}"
}

// rankedDocument sorts the comments of a topic by votes, often.
func rankedDocument(data *furnished) string {
	return fmt.Sprintf("query FRESH { topic(by: {id: %q}) { %s} }", data.ranked, gqltext.Series(20, func(i int) string {
		return fmt.Sprintf("a%d: comments(orderBy: %s, first: %d) { nodes { id } }", i, []string{"TOP", "CONTROVERSIAL"}[i%2], 1+i)
	}))
}

// introspectionDocument reads the whole schema.
func introspectionDocument() string {
	return strings.Replace(gqltext.FullIntrospection(), "query IntrospectionQuery", "query FRESH", 1)
}

// previewDocument renders a text of the caller's.
func previewDocument() string {
	return fmt.Sprintf("query FRESH { preview(content: %q) { contentHtml excerpt(length: 1000) } }",
		strings.Repeat("[*a*](b) ", forum.MaxContent/9))
}

// registerDocument creates an account.
const registerDocument = `mutation FRESH { register(input: {login: "FRESH", email: "FRESH@example.org", ` +
	`password: "correct horse battery"}) { viewer { id } errors { code } } }`

// loginDocument tries a wrong password.
const loginDocument = `mutation FRESH { login(input: {identifier: "member1", password: "FRESH FRESH"}) { token errors { code } } }`

// voteDocuments change comments that subscribers follow.
func voteDocuments(data *furnished) (all []string) {
	for i, id := range data.votes {
		all = append(all, fmt.Sprintf("mutation FRESH { vote(input: {subjectId: %q, direction: %s}) { changed errors { code } } }",
			id, []string{"UP", "DOWN", "NONE"}[i%3]))
	}
	rand.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	return all
}

// followDocument subscribes to comments, and reads more with each event.
func followDocument(data *furnished) string {
	return fmt.Sprintf("subscription FRESH { commentsUpdated(topic: {id: %q}) { comment { FRESH: topic { comments(first: 90) { nodes { id } } } } } }",
		data.ranked)
}

// partsDocument is answered in parts.
const partsDocument = `query FRESH { front { topics(first: 50) { nodes @stream { title ... @defer { ` +
	`comments(first: 5) { nodes { content author { login } } } } } } } }`
