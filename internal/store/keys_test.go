package store

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
)

// documented are the patterns of keys in docs/keys.md: what stands in backticks
// in the first column of its tables.
func documented(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../../docs/keys.md")
	if err != nil {
		t.Fatal(err)
	}
	var patterns []string
	for _, row := range regexp.MustCompile("(?m)^\\| (`[^|]*) \\|").FindAllStringSubmatch(string(text), -1) {
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[1], -1) {
			if strings.ContainsAny(name[1], "{:") && !strings.HasSuffix(name[1], "…") {
				patterns = append(patterns, name[1])
			}
		}
	}
	return patterns
}

// matcher is a pattern of docs/keys.md as a regular expression.
func matcher(pattern string) *regexp.Regexp {
	expr := regexp.QuoteMeta(pattern)
	expr = strings.ReplaceAll(expr, "<container>", `(\{ix:front\}|\{ix:[cg]\d+\}|\{ix:d\d{4}-\d\d-\d\d\}|\{p[0-9a-f]{2}\}:u:\d+:comments)`)
	expr = strings.ReplaceAll(expr, "pXX", "p[0-9a-f]{2}")
	expr = regexp.MustCompile(`<(id|user|topic|category|tag|minute|hour|list)>`).ReplaceAllString(expr, `\d+`)
	return regexp.MustCompile("^" + regexp.MustCompile(`<[^>]+>`).ReplaceAllString(expr, ".+") + "$")
}

// keyPatterns says for each maker of keys which pattern of docs/keys.md it makes.
var keyPatterns = map[string]struct{ key, pattern string }{
	"layoutKey":          {layoutKey, "meta:layout"},
	"secretKey":          {secretKey, "meta:secret"},
	"failuresKey":        {failuresKey("00ff"), "rate:{failures:<name>}"},
	"attemptsKey":        {attemptsKey("00ff", "ff00"), "rate:{failures:<name>}:<address>"},
	"devicesKey":         {devicesKey(519), "{pXX}:u:<id>:devices"},
	"categorySeqKey":     {categorySeqKey, "{cat}:seq:c"},
	"tabSeqKey":          {tabSeqKey, "{cat}:seq:t"},
	"categoryNamesKey":   {categoryNamesKey, "{cat}:names:c"},
	"tabNamesKey":        {tabNamesKey, "{cat}:names:t"},
	"categoriesKey":      {categoriesKey, "{cat}:all:c"},
	"tabsKey":            {tabsKey, "{cat}:all:t"},
	"categorySourcesKey": {categorySourcesKey, "{cat}:src:c"},
	"tabSourcesKey":      {tabSourcesKey, "{cat}:src:t"},
	"categoryDirtyKey":   {categoryDirtyKey, "{cat}:dirty"},
	"categoryKey":        {categoryKey(7), "{cat}:c:<id>"},
	"categoryTabsKey":    {categoryTabsKey(7), "{cat}:c:<id>:tabs"},
	"tabKey":             {tabKey(7), "{cat}:t:<id>"},
	"tabCategoriesKey":   {tabCategoriesKey(7), "{cat}:t:<id>:categories"},
	"seqKey":             {seqKey(7), "{pXX}:seq"},
	"dirtyKey":           {dirtyKey(7), "{pXX}:dirty"},
	"statsKey":           {statsKey(7), "{pXX}:stats"},
	"dueKey":             {dueKey(7), "{pXX}:due"},
	"deadKey":            {deadKey(7), "{pXX}:dead"},
	"taskKey":            {taskKey(7, "t:519"), "{pXX}:task:<name>"},
	"idemKey":            {idemKey(7, 519, "k"), "{pXX}:idem:<user>:<hash>"},
	"sourceKey":          {sourceKey(7, "t", "old:1"), "{pXX}:src:<hash>"},
	"rateKey":            {rateKey("sign-in-address", "00ff"), "rate:{<what>:<hash>}"},
	"clickKey":           {clickKey(519, "u7"), "{pXX}:click:<topic>:<visitor>"},
	"topicKey":           {topicKey(519), "{pXX}:t:<id>"},
	"topicCommentsKey":   {topicCommentsKey(519), "{pXX}:t:<id>:comments"},
	"topicRepliesKey":    {topicRepliesKey(519), "{pXX}:t:<id>:replies"},
	"bookmarkersKey":     {bookmarkersKey(519), "{pXX}:t:<id>:bookmarkers"},
	"tombstonesKey":      {tombstonesKey(519), "{pXX}:t:<id>:gone"},
	"authorsKey":         {authorsKey(519), "{pXX}:t:<id>:authors"},
	"commentKey":         {commentKey(519), "{pXX}:c:<id>"},
	"commentRepliesKey":  {commentRepliesKey(519), "{pXX}:c:<id>:replies"},
	"talliesKey":         {talliesKey(commentKey(519)), "{pXX}:c:<id>:tally"},
	"rankingKey":         {rankingKey(topicRepliesKey(519), "0123456789abcdef"), "{pXX}:t:<id>:replies:ranking:<sum>"},
	"upKey":              {upKey(topicKey(519)), "{pXX}:t:<id>:up"},
	"downKey":            {downKey(commentKey(519)), "{pXX}:c:<id>:down"},
	"userKey":            {userKey(519), "{pXX}:u:<id>"},
	"profileKey":         {profileKey(519), "{pXX}:u:<id>:profile"},
	"voteLogKey":         {voteLogKey(519), "{pXX}:u:<id>:votes"},
	"followingKey":       {followingKey(519), "{pXX}:u:<id>:following"},
	"subjectsKey":        {subjectsKey(519), "{pXX}:u:<id>:subjects"},
	"followersKey":       {followersKey(519), "{pXX}:u:<id>:followers"},
	"blockedKey":         {blockedKey(519), "{pXX}:u:<id>:blocked"},
	"blockersKey":        {blockersKey(519), "{pXX}:u:<id>:blockers"},
	"bookmarksKey":       {bookmarksKey(519), "{pXX}:u:<id>:bookmarks"},
	"marksKey":           {marksKey(519), "{pXX}:u:<id>:marks"},
	"markedKey":          {markedKey(519), "{pXX}:u:<id>:marked"},
	"homeKey":            {homeKey(519), "{pXX}:u:<id>:home"},
	"listsKey":           {listsKey(519), "{pXX}:u:<id>:lists"},
	"listNamesKey":       {listNamesKey(519), "{pXX}:u:<id>:lists:names"},
	"listedKey":          {listedKey(519), "{pXX}:u:<id>:listed"},
	"notesKey":           {notesKey(519), "{pXX}:u:<id>:notes"},
	"unreadKey":          {unreadKey(519), "{pXX}:u:<id>:notes:unread"},
	"noteKey":            {noteKey(519), "{pXX}:u:<id>:note"},
	"listKey":            {listKey(519), "{pXX}:l:<id>"},
	"listMembersKey":     {listMembersKey(519), "{pXX}:l:<id>:members"},
	"endedKey":           {endedKey(followersKey(519)), "{pXX}:u:<id>:followers:ended"},
	"eventsKey":          {eventsKey(homeKey(519)), "{pXX}:u:<id>:home:ev"},
	"events":             {frontContainer.events(), "<container>:ev"},
	"goneKey":            {goneKey(7, 500_000), "{pXX}:gone:<hour>"},
	"followers":          {tagContainer(7).followers(), "<container>:followers"},
	"sessionsKey":        {sessionsKey(519), "{pXX}:u:<id>:sessions"},
	"releaseKey":         {releaseKey(519), "{pXX}:u:<id>:rel"},
	"loginClaimKey":      {loginClaimKey("ann"), "uniq:{l:<folded login>}"},
	"lookClaimKey":       {lookClaimKey("ann"), "uniq:{k:<look>}"},
	"emailClaimKey":      {emailClaimKey("a@b.c"), "uniq:{e:<SHA-256 of the folded e-mail>}"},
	"tagKey":             {tagKey(7), "{ix:g<tag>}:tag"},
	"snapshotKey":        {snapshotKey(forum.Timeline{Kind: forum.FrontTimeline, Order: forum.ByTop}, 7), "snap:{<timeline>}:<minute>"},
	"snapshotLeaseKey":   {snapshotLeaseKey(forum.Timeline{Kind: forum.TabTimeline, Owner: 3}, 7), "snap:{<timeline>}:<minute>:lease"},
	"revs":               {categoryContainer(7).revs(), "<container>:rev"},
	"gone":               {userCommentsContainer(519).gone(), "<container>:gone"},
	"closed":             {categoryContainer(7).closed(), "{ix:c<category>}:closed"},
	"order":              {frontContainer.order(orderActive), "<container>:active"},
	"dayContainer":       {dayContainer(20_000).order(orderReplies), "<container>:replies"},
}

func TestDocsNameEveryKey(t *testing.T) {
	patterns := documented(t)
	for name, k := range keyPatterns {
		if !slices.Contains(patterns, k.pattern) {
			t.Errorf("docs/keys.md lacks %s, which %s makes", k.pattern, name)
		}
		if !matcher(k.pattern).MatchString(k.key) {
			t.Errorf("%s makes %s; want what docs/keys.md says, %s", name, k.key, k.pattern)
		}
	}
}

// A new maker of keys needs its row above and in docs/keys.md.
func TestEveryKeyHasItsPattern(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "keys.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		var name string
		switch n := n.(type) {
		case *ast.FuncDecl:
			if strings.HasSuffix(n.Name.Name, "Key") || n.Recv != nil {
				name = n.Name.Name
			}
		case *ast.ValueSpec:
			if strings.HasSuffix(n.Names[0].Name, "Key") {
				name = n.Names[0].Name
			}
		}
		if _, ok := keyPatterns[name]; name != "" && !ok {
			t.Errorf("keys.go: %s has no pattern here", name)
		}
		return true
	})
}

// Whatever the mutations write has a name that docs/keys.md describes.
func TestEveryKeyWrittenIsDocumented(t *testing.T) {
	w := newWorld(t)
	w.start(w.ann.ID, "digest", forum.SessionLife)
	w.click(w.ann, "u7", w.topic)
	for _, m := range mutations {
		m.run(w.Store, w)
	}
	w.DeleteCategory(t.Context(), w.empty)
	w.failSignIn("ann", "192.0.2.1")
	w.knowDevice(w.ann.ID, "192.0.2.1")
	w.Spend(t.Context(), Rate{What: "proof", Who: "ann", Limit: 1, Per: time.Minute})
	w.importAll(w.Store)
	w.dies(3, func(s *Store) { s.ChangeEmail(t.Context(), w.ann.ID, "hash of ann", "a@b.c", "a@b.c") })
	w.dies(3, func(s *Store) { s.Register(t.Context(), account("carl")) })
	w.clock.Advance(forum.PendingLife)
	w.dies(1, func(s *Store) { s.Sweep(t.Context()) })
	var all []*regexp.Regexp
	for _, p := range documented(t) {
		all = append(all, matcher(p))
	}
	written := w.keys()
	maps.Copy(written, newCheckSite(t).keys())
	for key := range written {
		if !slices.ContainsFunc(all, func(r *regexp.Regexp) bool { return r.MatchString(key) }) {
			t.Errorf("docs/keys.md describes no key like %s", key)
		}
	}
}
