package store

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/test/must"
)

// someSum and someTimeline are parts of keys.
const someSum = "0123456789abcdef0123456789abcdef"

var someTimeline = forum.Timeline{Kind: forum.FrontTimeline, Order: forum.ByTop, Direction: forum.Descending,
	Period: forum.PeriodWeek}

// madeKeys are keys by what makes them.
var madeKeys = map[string]string{
	"Layout":                      key.Layout,
	"ModerationLog":               key.ModerationLog,
	"ModerationLogOf":             key.ModerationLogOf(forum.ActHide),
	"Act":                         key.Act(519),
	"ActPosts":                    key.ActPosts(519),
	"SubjectActs":                 key.SubjectActs(forum.Subject{Topic: 519}),
	"SubjectActs of one":          key.SubjectActs(forum.Subject{Comment: 519}),
	"SubjectActs of a category":   key.SubjectActs(forum.Subject{Category: 7}),
	"SubjectActs of a tab":        key.SubjectActs(forum.Subject{Tab: 7}),
	"Act on a category":           key.Act(forum.MaxID + 1),
	"SectionActSequence":          key.SectionActSequence,
	"SectionActMarks":             key.SectionActMarks,
	"ActMarks":                    key.ActMarks(forum.MaxID + 1),
	"Act on the site":             key.Act(forum.MaxActID),
	"SiteActSequence":             key.SiteActSequence,
	"SiteActMarks":                key.SiteActMarks,
	"UserActs":                    key.UserActs(519),
	"UserRecord":                  key.UserRecord(519),
	"Case":                        key.Case(forum.Subject{Topic: 519}),
	"Reporters":                   key.Reporters(forum.Subject{Comment: 519}),
	"Reports":                     key.Reports(forum.Subject{User: 519}),
	"Evidence":                    key.Evidence(forum.Subject{User: 519}),
	"Queue":                       key.Queue("open", 7),
	"Queue of all":                key.Queue("upheld", 0),
	"QueueRevisions":              key.QueueRevisions,
	"QueueEvents":                 key.QueueEvents,
	"Words":                       key.Words,
	"Domains":                     key.Domains,
	"RecentPosts":                 key.RecentPosts(519),
	"Approved":                    key.Approved(519),
	"PostedText":                  key.PostedText(someSum),
	"Rules":                       key.Rules,
	"Secret":                      key.Secret,
	"SiteCopy":                    key.SiteCopy(7),
	"Import":                      key.Import,
	"Failures":                    key.Failures(someSum),
	"Attempts":                    key.Attempts(someSum, "ff00"),
	"Devices":                     key.Devices(519),
	"CategorySequence":            key.CategorySequence,
	"TabSequence":                 key.TabSequence,
	"CategoryNames":               key.CategoryNames,
	"TabNames":                    key.TabNames,
	"Categories":                  key.Categories,
	"Tabs":                        key.Tabs,
	"CategorySources":             key.CategorySources,
	"TabSources":                  key.TabSources,
	"CategoryDirty":               key.CategoryDirty,
	"Category":                    key.Category(7),
	"CategoryModerators":          key.CategoryModerators(7),
	"CategoryTabs":                key.CategoryTabs(7),
	"Tab":                         key.Tab(7),
	"TabCategories":               key.TabCategories(7),
	"Sequence":                    key.Sequence(7),
	"Dirty":                       key.Dirty(7),
	"Stats":                       key.Stats(7),
	"Due":                         key.Due(7),
	"Dead":                        key.Dead(7),
	"Task":                        key.Task(7, "t:519"),
	"Idempotency":                 key.Idempotency(7, 519, "k"),
	"Source":                      key.Source(7, "t", "old:1"),
	"External":                    key.External(strings.Repeat("a", 32)),
	"Invitations":                 key.Invitations(519),
	"Externals":                   key.Externals(519),
	"Rate":                        key.Rate("sign-in-address", someSum),
	"Rate of a network":           key.Rate("sign-in-56", someSum),
	"Rate of reports":             key.Rate("report", someSum),
	"Click":                       key.Click(519, "u7"),
	"Topic":                       key.Topic(519),
	"Internal":                    key.Internal(key.Topic(519)),
	"Text":                        key.Text(key.Comment(519)),
	"TopicComments":               key.TopicComments(519),
	"TopicReplies":                key.TopicReplies(519),
	"Changes":                     key.Changes(519),
	"Watchers":                    key.Watchers(519),
	"HiddenBookmarks":             key.HiddenBookmarks(519),
	"Watching":                    key.Watching(519),
	"Bookmarkers":                 key.Bookmarkers(519),
	"HeldComments":                key.HeldComments(519),
	"Tombstones":                  key.Tombstones(519),
	"Authors":                     key.Authors(519),
	"Subject":                     key.Subject(forum.Subject{Topic: 519}),
	"Author":                      key.Author(7, 519),
	"Comment":                     key.Comment(519),
	"CommentReplies":              key.CommentReplies(519),
	"CommentVotes":                key.CommentVotes(key.Comment(519)),
	"Ranking":                     key.Ranking(key.TopicReplies(519), "0123456789abcdef"),
	"Upvoters":                    key.Upvoters(key.Topic(519)),
	"Downvoters":                  key.Downvoters(key.Comment(519)),
	"User":                        key.User(519),
	"Profile":                     key.Profile(519),
	"Karma":                       key.Karma(519),
	"VoteLog":                     key.VoteLog(519),
	"Following":                   key.Following(519),
	"Subjects":                    key.Subjects(519),
	"Followers":                   key.Followers(519),
	"Blocked":                     key.Blocked(519),
	"Blockers":                    key.Blockers(519),
	"Bookmarks":                   key.Bookmarks(519),
	"Marks":                       key.Marks(519),
	"Marked":                      key.Marked(519),
	"Home":                        key.Home(519),
	"Lists":                       key.Lists(519),
	"ListNames":                   key.ListNames(519),
	"Listed":                      key.Listed(519),
	"Notes":                       key.Notes(519),
	"Unread":                      key.Unread(519),
	"Note":                        key.Note(519),
	"Revisions":                   key.Revisions(forum.Subject{Topic: 519}),
	"Texts":                       key.Texts(forum.Subject{Comment: 519}),
	"Hidden":                      key.Hidden(7),
	"List":                        key.List(519),
	"ListMembers":                 key.ListMembers(519),
	"Ended":                       key.Ended(key.Followers(519)),
	"Events":                      key.Events(key.Home(519)),
	"Container.Events":            key.FrontContainer.Events(),
	"HomeFence":                   key.HomeFence(7, 500_000),
	"Container.Followers":         key.TagContainer(7).Followers(),
	"Recheck":                     key.Recheck,
	"Sessions":                    key.Sessions(519),
	"Tokens":                      key.Tokens(519),
	"Release":                     key.Release(519),
	"LoginClaim":                  key.LoginClaim("ann"),
	"LookClaim":                   key.LookClaim("ann"),
	"EmailClaim":                  key.EmailClaim("a@b.c"),
	"BarredEmail":                 key.BarredEmail(someSum),
	"Tag":                         key.Tag(7),
	"Snapshot":                    key.Snapshot(someTimeline, 7),
	"SnapshotLease":               key.SnapshotLease(forum.Timeline{Kind: forum.TabTimeline, Owner: 3}, 7),
	"Container.Revisions":         key.CategoryContainer(7).Revisions(),
	"Container.Removed":           key.UserCommentsContainer(519).Removed(),
	"Container.Closed":            key.CategoryContainer(7).Closed(),
	"Names.Order":                 key.TagNames.Order(key.OrderCount),
	"Names.Revisions":             key.UserNames.Revisions(),
	"Names.Removed":               key.UserNames.Removed(),
	"Container.Order":             key.FrontContainer.Order(key.OrderActive),
	"a day":                       key.DayContainer(20_000).Order(key.OrderReplies),
	"Container.Order of comments": key.UserCommentsContainer(519).Order(key.OrderCreated),
}

// A new function that makes keys needs an entry above, and its keys need a row in package catalogue, from which docs/keys.md
// follows.
func TestEveryKeyHasARow(t *testing.T) {
	for name, k := range madeKeys {
		if _, ok := catalogue.ReadKey(k); !ok {
			t.Errorf("package catalogue does not know %s, which %s returns", k, name)
		}
	}
	files, err := filepath.Glob("internal/key/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("the files of package key = %v, %v", files, err)
	}
	for _, name := range files {
		file := must.Do(parser.ParseFile(token.NewFileSet(), name, nil, 0))(t)
		for _, maker := range keyMakers(file) {
			if _, ok := madeKeys[maker]; !ok {
				t.Errorf("%s: %s is not in madeKeys", name, maker)
			}
		}
	}
}

// keyMakers returns the functions, methods and constants of a file that make whole keys: strings that are
// not prefixes.
func keyMakers(file *ast.File) []string {
	var names []string
	add := func(prefix, name string) {
		if ast.IsExported(name) && !strings.HasSuffix(name, "Prefix") && name != "Itoa" {
			names = append(names, prefix+name)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			prefix := ""
			if n.Recv != nil {
				prefix = "Container."
			}
			if r := n.Type.Results; r != nil && len(r.List) == 1 {
				if result, ok := r.List[0].Type.(*ast.Ident); ok && result.Name == "string" {
					add(prefix, n.Name.Name)
				}
			}
		case *ast.ValueSpec:
			if len(n.Values) == 1 && n.Type == nil {
				if text, ok := n.Values[0].(*ast.BasicLit); ok && strings.Contains(text.Value, ":") {
					add("", n.Names[0].Name)
				}
			}
		}
		return true
	})
	return names
}

// everything returns a site on which every mutation was done, and some died on the way.
func everything(t *testing.T) *threadSite {
	w := newThreadSite(t)
	w.Session(w.ann.ID, "digest", forum.SessionLife)
	w.token(w.ann, digestA, forum.ScopeRead)
	w.click(w.ann, "u7", w.topic)
	for _, m := range mutations {
		m.run(w.Store, &moderatedSite{threadSite: w})
	}
	w.DeleteCategory(t.Context(), nil, w.empty)
	w.FailSignIn("ann", "192.0.2.1")
	w.KnowDevice(w.ann.ID, "192.0.2.1")
	w.Spend(t.Context(), engine.Rate{What: "proof", Who: "ann", Limit: 1, Per: time.Minute})
	w.importAll(w.Store)
	w.dies(3, func(s *Store) { s.ChangeEmail(t.Context(), w.ann.ID, "hash of ann", "a@b.c", "a@b.c") })
	w.dies(3, func(s *Store) { s.Register(t.Context(), account("carl")) })
	w.clock.Advance(forum.PendingLife)
	w.dies(1, func(s *Store) { s.Sweep(t.Context()) })
	return w
}

// Package kind has a row for every key that the mutations write.
func TestEveryKeyWrittenHasARow(t *testing.T) {
	for name := range everything(t).keys() {
		if _, ok := catalogue.ReadKey(name); !ok {
			t.Errorf("package catalogue does not know %s", name)
		}
	}
}

// What readers are shown of an object holds neither an internal field, nor a password or an address under another name.
func TestShownHashesHoldNoSecret(t *testing.T) {
	w := everything(t)
	shown, secrets := map[string]map[string]string{}, map[string]bool{}
	for name := range w.keys() {
		if catalogue.HasInternal(name) {
			shown[name] = w.rdb.HGetAll(w.ctx, name).Val()
			internal := w.rdb.HGetAll(w.ctx, key.Internal(name)).Val()
			for _, field := range []string{"password", "email", "emailFold", "newEmail", "nonce", "emailNonce"} {
				if v := internal[field]; v != "" {
					secrets[v] = true
				}
			}
		}
	}
	for name, hash := range shown {
		if strays := catalogue.Strays(name, slices.Collect(maps.Keys(hash))); len(strays) > 0 {
			t.Errorf("%s has %v; readers are not to see these", name, strays)
		}
		for field, value := range hash {
			if secrets[value] {
				t.Errorf("%s of %s is a secret", field, name)
			}
		}
	}
	if len(shown) < 10 || len(secrets) < 6 {
		t.Errorf("found %d objects and %d secrets; want all", len(shown), len(secrets))
	}
}
