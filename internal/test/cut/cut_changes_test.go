package cut

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/store"
	"agora/internal/test/site"
)

// changing is something that an answer shows and that changes again and again.
type changing struct {
	name string
	by   string // token of who changes it
	// mutation is the field that makes change n, which shown then shows. Repeating it changes nothing.
	mutation func(n int) string
	shown    func(n int) string
	path     []string // in the answer

	mu    sync.Mutex
	begun int         // changes
	acked []time.Time // when each was acknowledged; number 0 is the beginning
}

// begin returns the number of the next change.
func (c *changing) begin() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.begun++
	return c.begun
}

// end notes that the change was acknowledged.
func (c *changing) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.acked = append(c.acked, time.Now())
}

// since returns the last change that was acknowledged before t, and when it was.
func (c *changing) since(t time.Time) (int, time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.acked) - 1
	for n > 0 && !c.acked[n].Before(t) {
		n--
	}
	return n, c.acked[n]
}

// latest returns the latest change after which the text is shown, which may not be acknowledged yet; -1 if there is
// none.
func (c *changing) latest(text string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	for n := c.begun; n >= 0; n-- {
		if c.shown(n) == text {
			return n
		}
	}
	return -1
}

// found returns what an answer shows of it.
func (c *changing) found(answer map[string]any) string {
	var v any = answer
	for _, name := range c.path {
		if list, ok := v.([]any); ok && len(list) > 0 {
			v = list[0]
		}
		fields, _ := v.(map[string]any)
		v = fields[name]
	}
	return fmt.Sprint(v)
}

func newCacheSite(t *testing.T, client func(i int) redis.UniversalClient) *cacheSite {
	t.Helper()
	s := &cacheSite{t: t}
	for i := range s.processes {
		s.processes[i] = startCutProcess(t, client(i), store.WithObjectCache(1<<20))
	}
	admin := s.user("admin", forum.RoleAdmin)
	var query strings.Builder
	for i := range 2 {
		s.addTopic(&query, i, admin)
	}
	s.query = "{" + query.String() + "}"
	return s
}

// addTopic posts a topic of a new user, with a comment and a category, and adds what changes about these.
func (s *cacheSite) addTopic(query *strings.Builder, i int, admin string) {
	s.t.Helper()
	to := site.On(s.t, s.processes[0].store)
	own := s.user(fmt.Sprint("user", i), forum.RoleUser)
	author, _ := auth.ParseToken(own)
	var categories [2]forum.CategoryID
	for n := range categories {
		categories[n] = to.Category(fmt.Sprintf("Category %d%d", i, n))
	}
	other, _ := auth.ParseToken(s.user(fmt.Sprint("other", i), forum.RoleUser))
	writer := &forum.Viewer{ID: author.User, Role: forum.RoleUser}
	topic := to.Titled(writer, categories[0], "0")
	comment := to.Say(writer, topic, "0")
	id := func(typ string, number any) string { return globalid.New(typ, fmt.Sprint(number)) }
	topicID, commentID := id(globalid.Topic, int64(topic)), id(globalid.Comment, int64(comment))
	otherID := id(globalid.User, int64(other.User))
	fmt.Fprintf(query, `b%d: user(by: {id: %q}) { isBanned } `, i, otherID)
	fmt.Fprintf(query, `t%d: topic(by: {number: %d}) { title author { name } category { id } votes { up } tags { name }
		comments(first: 1) { totalCount nodes { content state votes { up } } } } c%d: category(by: {id: %q}) { name } `,
		i, topic, i, id(globalid.Category, int64(categories[0])))
	plain := func(n int) string { return fmt.Sprint(n) }
	in, of := fmt.Sprint("t", i), func(texts ...string) func(int) string {
		return func(n int) string { return texts[n%len(texts)] }
	}
	add := func(name, by, mutation string, args func(n int) []any, shown func(int) string, path ...string) {
		s.changing = append(s.changing, &changing{name: name, by: by, shown: shown, path: path, acked: []time.Time{{}},
			mutation: func(n int) string { return fmt.Sprintf(mutation, args(n)...) }})
	}
	add("title", own, `updateTopic(input: {topicId: %q, title: "%d"})`, func(n int) []any { return []any{topicID, n} },
		plain, in, "title")
	add("name", own, `updateProfile(input: {name: "user%d %d"})`, func(n int) []any { return []any{i, n} },
		func(n int) string { return fmt.Sprintf("user%d %d", i, n) }, in, "author", "name")
	add("category", admin, `moderate(input: {subjectId: %q, action: MOVE, category: {id: %q}, reason: OTHER})`,
		func(n int) []any { return []any{topicID, id(globalid.Category, int64(categories[n%2]))} },
		of(id(globalid.Category, int64(categories[0])), id(globalid.Category,
			int64(categories[1]))), in, "category", "id")
	add("name of a category", admin, `updateCategory(input: {category: {id: %q}, name: "Category %d0 %d"})`,
		func(n int) []any { return []any{id(globalid.Category, int64(categories[0])), i, n} },
		func(n int) string {
			return strings.TrimSuffix(fmt.Sprintf("Category %d0 %d", i, n), map[bool]string{true: " 0"}[n == 0])
		}, fmt.Sprint("c", i), "name")
	add("votes", own, `vote(input: {subjectId: %q, direction: %s})`,
		func(n int) []any { return []any{topicID, of("NONE", "UP")(n)} }, of("0", "1"), in, "votes", "up")
	add("votes on a comment", own, `vote(input: {subjectId: %q, direction: %s})`,
		func(n int) []any { return []any{commentID, of("NONE", "UP")(n)} }, of("0", "1"),
		in, "comments", "nodes", "votes", "up")
	add("tags", own, `tagTopic(input: {topicId: %q, add: ["tag %d"], remove: ["tag %d"]})`,
		func(n int) []any { return []any{topicID, n, n - 1} },
		func(n int) string {
			if n == 0 {
				return "[]"
			}
			return fmt.Sprintf("[map[name:tag %d]]", n)
		}, in, "tags")
	add("comments", own, `createComment(input: {topicId: %q, content: "r", idempotencyKey: "%d-%d"})`,
		func(n int) []any { return []any{topicID, i, n} }, func(n int) string { return fmt.Sprint(n + 1) },
		in, "comments", "totalCount")
	add("content of a comment", own, `updateComment(input: {commentId: %q, content: "%d"})`,
		func(n int) []any { return []any{commentID, n} }, plain, in, "comments", "nodes", "content")
	add("state of a comment", admin, `moderate(input: {subjectId: %q, action: %s, reason: OTHER})`,
		func(n int) []any { return []any{commentID, of("UNLOCK", "LOCK")(n)} }, of("OPEN", "LOCKED"),
		in, "comments", "nodes", "state")
	add("ban", admin, `%s(input: {userId: %q, reason: OTHER})`,
		func(n int) []any { return []any{of("unban", "ban")(n), otherID} }, of("false", "true"),
		fmt.Sprint("b", i), "isBanned")
}
