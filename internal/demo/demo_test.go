package demo

import (
	"hash/fnv"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"agora/internal/forum"
)

// someNow is an arbitrary instant.
const someNow forum.Time = 1_760_000_000_000

// maxRepeats is the maximum number of comments with the same text.
const maxRepeats = 2

func TestBuildHasTheDocumentedCounts(t *testing.T) {
	d := Build(someNow)
	articles := 0
	size := make([]int, len(d.Topics))
	for _, c := range d.Comments {
		size[c.Topic]++
	}
	large, silent := 0, 0
	for i, topic := range d.Topics {
		if topic.Kind == forum.Article {
			articles++
		}
		if size[i] >= 80 {
			large++
		}
		if size[i] == 0 {
			silent++
		}
	}
	got := []int{len(d.Users), len(d.Topics), len(d.Comments), articles, len(d.Tabs)}
	if want := []int{UserCount, TopicCount, CommentCount, 20, 5}; !reflect.DeepEqual(got, want) {
		t.Errorf("users, topics, comments, articles, tabs = %v; want %v", got, want)
	}
	if large < 3 || silent < 3 {
		t.Errorf("%d topics with 80 comments or more, %d with none; want at least 3 of each", large, silent)
	}
}

func TestBuildIsDeterministic(t *testing.T) {
	if a, b := Build(someNow), Build(someNow); !reflect.DeepEqual(a, b) {
		t.Error("two Builds with the same now differ")
	}
	later := Build(someNow + 12_345)
	if first := Build(someNow).Topics[0].CreatedAt; later.Topics[0].CreatedAt-first != 12_345 {
		t.Errorf("first topic moved by %d ms; want 12345", later.Topics[0].CreatedAt-first)
	}
}

func TestUsersAreValid(t *testing.T) {
	login := regexp.MustCompile(`^[\p{L}\p{N}_.-]{2,32}$`)
	seen, roles := map[string]bool{}, map[forum.Role]int{}
	for _, u := range Build(someNow).Users {
		fold := strings.ToLower(u.Login)
		if !login.MatchString(u.Login) || seen[fold] || fold == forum.GhostLogin {
			t.Errorf("login %q is not valid or not unique", u.Login)
		}
		seen[fold] = true
		roles[u.Role]++
		if u.CreatedAt >= someNow-span {
			t.Errorf("%s joined at %d, not before the first topic", u.Login, u.CreatedAt)
		}
		if n := utf8.RuneCountInString(u.Name); n < 1 || n > forum.MaxName || len(u.Email) > forum.MaxEmail {
			t.Errorf("name %q or address %q is out of bounds", u.Name, u.Email)
		}
		checkText(t, u.Name+u.Login)
	}
	if want := map[forum.Role]int{forum.RoleUser: 48, forum.RoleModerator: 1,
		forum.RoleAdmin: 1}; !reflect.DeepEqual(roles, want) {
		t.Errorf("roles = %v; want %v", roles, want)
	}
	if u := Build(someNow).Users[0]; u.Login != "demo" || u.Name != "Demo" || u.Role != forum.RoleUser {
		t.Errorf("Users[0] = %+v; want demo", u)
	}
}

func TestCategoriesAndTabsAreValid(t *testing.T) {
	d := Build(someNow)
	shown := make([]int, len(d.Categories))
	for _, tab := range d.Tabs {
		if len(tab.Categories) < 2 || len(tab.Categories) > forum.MaxTabCategories {
			t.Errorf("tab %s has %d categories", tab.Name, len(tab.Categories))
		}
		for _, c := range tab.Categories {
			shown[c]++
		}
	}
	twice := 0
	for i, c := range d.Categories {
		checkText(t, c.Name+c.Description)
		if utf8.RuneCountInString(c.Name) > forum.MaxName || shown[i] == 0 {
			t.Errorf("category %s is too long or in no tab", c.Name)
		}
		if shown[i] > 2 {
			twice++
		}
	}
	if twice == 0 {
		t.Errorf("no category is in two tabs besides All: %v", d.Categories)
	}
}

func TestTopicsAreValidAndSorted(t *testing.T) {
	d := Build(someNow)
	titles := map[string]bool{}
	before := someNow - span
	for _, topic := range d.Topics {
		checkText(t, topic.Title+topic.Content)
		if titles[topic.Title] || topic.Title == "" || utf8.RuneCountInString(topic.Title) > forum.MaxTitle {
			t.Errorf("title %q is empty, too long or not unique", topic.Title)
		}
		titles[topic.Title] = true
		if n := utf8.RuneCountInString(topic.Content); n < 1 || n > forum.MaxContent {
			t.Errorf("content of %q has %d code points", topic.Title, n)
		}
		if topic.CreatedAt < before || topic.CreatedAt >= someNow {
			t.Errorf("%q was created at %d; want %d or later, and before now", topic.Title, topic.CreatedAt, before)
		}
		before = topic.CreatedAt
		if article := topic.Kind == forum.Article; article != strings.HasPrefix(topic.Link, "https://") || !article &&
			topic.Category < 0 {
			t.Errorf("%q: kind %s, link %q, category %d do not fit together", topic.Title, topic.Kind, topic.Link,
				topic.Category)
		}
	}
}

func TestCommentsAreValidAndSorted(t *testing.T) {
	d := Build(someNow)
	texts, depth, deepest := map[string]int{}, make([]int, len(d.Comments)), 0
	for i, c := range d.Comments {
		after, parent := d.Topics[c.Topic].CreatedAt, 0
		if c.Parent >= 0 {
			if c.Parent >= i || d.Comments[c.Parent].Topic != c.Topic {
				t.Fatalf("comment %d has the parent %d", i, c.Parent)
			}
			after, parent = d.Comments[c.Parent].CreatedAt, depth[c.Parent]
		}
		if c.CreatedAt <= after || i > 0 && c.CreatedAt < d.Comments[i-1].CreatedAt {
			t.Errorf("comment %d is earlier than its parent or the previous one", i)
		}
		depth[i] = parent + 1
		deepest = max(deepest, depth[i])
		checkText(t, c.Content)
		texts[c.Content]++
		if n := utf8.RuneCountInString(c.Content); n < 1 || n > forum.MaxContent || texts[c.Content] > maxRepeats {
			t.Errorf("comment %d: %d code points, text number %d of its kind: %q", i, n, texts[c.Content], c.Content)
		}
	}
	if deepest < 5 || deepest > maxDepth {
		t.Errorf("deepest comment = %d; want 5 to %d", deepest, maxDepth)
	}
	if last := someNow - d.Comments[CommentCount-1].CreatedAt; last < 20*second || last > 40*second {
		t.Errorf("newest comment is %d ms old; want about 30000", last)
	}
}

func TestActivityIsDenseInTheLastDays(t *testing.T) {
	recent, old := 0, 0
	for _, c := range Build(someNow).Comments {
		switch age := someNow - c.CreatedAt; {
		case age < 7*day:
			recent++
		case age > 60*day:
			old++
		}
	}
	if recent < CommentCount/4 || old < CommentCount/50 {
		t.Errorf("%d comments of the last week, %d from before the last 60 days", recent, old)
	}
}

func partition(login string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(strings.ToLower(login)))
	return h.Sum32() % forum.Partitions
}

func TestTutorialTopicIsInItsAuthorsPartition(t *testing.T) {
	d := Build(someNow)
	found := 0
	for _, topic := range d.Topics {
		author := d.Users[topic.Author].Login
		if topic.Number != 0 {
			found++
			if topic.Number != TutorialNumber || author != tutorialAuthor || d.Categories[topic.Category].Name != "WordPress" ||
				topic.Kind != forum.Discussion || !strings.HasPrefix(topic.Title, "WordPress 4.0") {
				t.Errorf("numbered topic = %+v", topic)
			}
		} else if found == 0 && partition(author) == 13 {
			t.Errorf("%q by %s comes before the tutorials' topic in its partition", topic.Title, author)
		}
	}
	if found != 1 {
		t.Errorf("%d numbered topics; want 1", found)
	}
	for _, u := range d.Users {
		if (partition(u.Login) == 13) != (u.Login == tutorialAuthor) {
			t.Errorf("%s is in partition %d", u.Login, partition(u.Login))
		}
	}
}

func TestMentionsNameUsers(t *testing.T) {
	d := Build(someNow)
	logins := map[string]bool{}
	for _, u := range d.Users {
		logins[u.Login] = true
	}
	mention := regexp.MustCompile(`@([\p{L}\p{N}_.-]+)`)
	total := 0
	for _, text := range allTexts(d) {
		for _, m := range mention.FindAllStringSubmatch(text, -1) {
			total++
			if !logins[m[1]] {
				t.Errorf("%q mentions %q, who does not exist", text, m[1])
			}
		}
	}
	if total < 500 {
		t.Errorf("%d mentions; want more", total)
	}
}

func TestDataHasAllScriptsAndForms(t *testing.T) {
	d := Build(someNow)
	all := strings.Join(allTexts(d), "\n")
	scripts := []*unicode.RangeTable{unicode.Latin, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Cyrillic,
		unicode.Arabic, unicode.Hebrew, unicode.Hangul}
	for i, s := range scripts {
		if !strings.ContainsFunc(all, func(r rune) bool { return unicode.Is(s, r) }) {
			t.Errorf("script number %d is missing", i)
		}
	}
	for _, want := range []string{"```go\n", "~~~lua\n", "```graphql\n", "~~~sh\n", "```sql\n", "|---|", "\n- ", "\n1. ",
		"👨‍👩‍👧", "](https://", "**", "> ", "<p>"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is missing", want)
		}
	}
	formats := map[forum.ContentFormat]int{}
	for _, c := range d.Comments {
		formats[c.Format]++
	}
	if len(formats) != 2 || formats[forum.HTML] < 20 {
		t.Errorf("formats of comments = %v; want some HTML", formats)
	}
}

func TestNoPlaceholderRemains(t *testing.T) {
	left := regexp.MustCompile(`\{[a-z]+\}`)
	for _, text := range allTexts(Build(someNow)) {
		if m := left.FindString(text); m != "" {
			t.Errorf("%s remains in %q", m, text)
		}
	}
}

func allTexts(d Data) []string {
	var texts []string
	for _, topic := range d.Topics {
		texts = append(texts, topic.Title, topic.Content)
	}
	for _, c := range d.Comments {
		texts = append(texts, c.Content)
	}
	for _, s := range d.Statuses {
		texts = append(texts, s.Content)
	}
	return texts
}

// checkText checks for normalised text without control characters except tab and line feed.
func checkText(t *testing.T, text string) {
	t.Helper()
	bad := func(r rune) bool { return unicode.IsControl(r) && r != '\t' && r != '\n' }
	if !utf8.ValidString(text) || !norm.NFC.IsNormalString(text) || strings.ContainsFunc(text, bad) {
		t.Errorf("text is not clean: %q", text)
	}
}

func BenchmarkBuild(b *testing.B) {
	for b.Loop() {
		Build(someNow)
	}
}
