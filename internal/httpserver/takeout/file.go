// Package takeout writes what the site keeps about a user, for the user: a ZIP file of JSON lines. All that objects
// show comes from the GraphQL API, as the user may see it; it names the fields, and says what they mean.
package takeout

import (
	"fmt"
	"strings"
)

// File is a file of the ZIP file.
type File struct {
	// Name is its name, without ".jsonl".
	Name string
	// About says what a line is.
	About string
	// Query reads the lines: at Path, or of items, with $ids, at `nodes`. Without it, a line is what is stored of an item.
	Query string
	// Path leads to an object, a list or a connection; of items, from the node to what has the lines, "" for the node.
	Path string
	// Items reports that the lines are those of items of package store/takeout, of the pager with this name.
	Items bool
}

// post is what a line has of a topic or comment of the user.
const post = ` state format content createdAt editedAt hiddenAt votes { up down } `

// nodes returns a query of the nodes with these fragments.
func nodes(fragments string) string {
	return "query Takeout($ids: [ID!]!) { nodes(ids: $ids) { " + fragments + " } }"
}

// short is what a line has of an object of another user.
const short = `... on Topic { number title author { id login } }
	... on Comment { number topic { id number title } author { id login } }
	... on User { login name } ... on Category { name } ... on Tag { name } ... on UserList { name memberCount }`

// Files are the files, in their order.
var Files = []File{
	{Name: "account", About: "The account: what others see of it, the e-mail address, and what applies to it.",
		Path: "viewer",
		Query: `query Takeout { viewer { email unreadNotificationCount moderates { id name }
			user { id login name role bio website avatarUrl isBot createdAt karma topicCount followerCount followingCount
			isBanned ban { scope until reason note createdAt } invitedBy { id login } } } }`},
	{Name: "sign-in-accounts", About: "Accounts at other sites that sign in to this one.", Items: true},
	{Name: "sessions", About: "Where the user is signed in.", Path: "viewer.sessions",
		Query: `query Takeout { viewer { sessions { id createdAt lastSeenAt expiresAt userAgent } } }`},
	{Name: "tokens", About: "API tokens, without their secrets.", Path: "viewer.tokens",
		Query: `query Takeout { viewer { tokens { id name scopes createdAt lastUsedAt expiresAt } } }`},
	{Name: "invitations", About: "Invitations that the user made.", Path: "viewer.invitations",
		Query: `query Takeout { viewer {
			invitations { id code isOpen note uses usesLeft createdAt expiresAt users { id login } } } }`},
	{Name: "topics", About: "Topics that the user wrote, also those that are hidden or wait for a moderator.", Items: true,
		Query: nodes(`... on Topic { number kind title link category { id name } tags { name } commentCount
			clickCount` + post + `}`)},
	{Name: "comments",
		About: "Comments that the user wrote, likewise. One on a topic that the user may no longer see has only its id.",
		Items: true, Query: nodes(`... on Comment { number topic { id number title } parent { id number }` + post + `}`)},
	{Name: "revisions", About: "The texts of edited topics and comments, the present one included, latest first.",
		Items: true, Path: "revisions", Query: nodes(revisions("Topic") + revisions("Comment"))},
	{Name: "votes", About: "Votes. When is known only of those on articles; NONE is one that was taken back.", Items: true,
		Query: nodes(short)},
	{Name: "follows", About: "Users, categories and tags that the user follows.", Items: true, Query: nodes(short)},
	{Name: "blocks", About: "Users whom the user has blocked.", Items: true, Query: nodes(short)},
	{Name: "bookmarks", About: "Topics that the user has bookmarked.", Items: true, Query: nodes(short)},
	{Name: "watched", About: "Topics of whose comments the user is notified.", Items: true, Query: nodes(short)},
	{Name: "read-marks",
		About: "Up to where the user has read: the number of a comment of a topic, or when a timeline was marked as read.",
		Items: true, Query: nodes(short)},
	{Name: "lists", About: "The user's lists of users.", Items: true, Query: nodes(short)},
	{Name: "list-members", About: "Who is on them; list is the list.", Items: true, Query: nodes(short)},
	{Name: "notifications", About: "Notifications, the newest 1,000.", Path: "viewer.notifications",
		Query: `query Takeout($after: String) { viewer { notifications(first: 100, after: $after) {
			nodes { id reason createdAt isRead actor { id login }
				subject { __typename ... on Topic { id } ... on Comment { id } ... on User { id } } }
			pageInfo { hasNextPage endCursor } } } }`},
	{Name: "reports", About: "What the user reported.", Items: true, Query: nodes(short)},
	{Name: "moderation", About: "What moderators did that concerns the user.", Path: "moderationLog",
		Query: `query Takeout($user: ID!, $after: String) { moderationLog(user: {id: $user}, first: 100, after: $after) {
			nodes { id action subjectId reason note createdAt scope until moderator { id login } }
			pageInfo { hasNextPage endCursor } } }`},
}

func revisions(typ string) string {
	return "... on " + typ + ` { revisions(first: 100) {
		nodes { number createdAt isRedacted title link format content editor { id login } } } } `
}

// Readme is the text of README.txt.
func Readme(site, at string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "What %s keeps about one user, whom account.jsonl names, as of %s.\n\n"+
		"Each file has a JSON object on each line. Objects have the names and meanings of the site's GraphQL API; "+
		"an id there leads\nto the object as long as it exists. What the user may no longer see of an object is "+
		"left out, but its id. Of other people\nthere is only what everybody sees.\n\n", site, at)
	for _, f := range Files {
		fmt.Fprintf(&b, "%s.jsonl\n    %s\n", f.Name, f.About)
	}
	b.WriteString(`
Left out are passwords and secrets, of which only hashes are kept; pseudonyms of the addresses that the user signed in
from; and what follows from the above, such as the home and the votes of others.
`)
	return b.String()
}
