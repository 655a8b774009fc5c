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
	"agora/internal/store/internal/keydoc"
	kinds "agora/internal/store/internal/kind"
)

// someSum and someTimeline are parts of keys.
const someSum = "0123456789abcdef0123456789abcdef"

var someTimeline = forum.Timeline{Kind: forum.FrontTimeline, Order: forum.ByTop, Direction: forum.Descending,
	Period: forum.PeriodWeek}

// keyPatterns maps each function that makes keys to its pattern in docs/keys.md.
var keyPatterns = map[string]struct{ key, pattern string }{
	"Layout":                    {key.Layout, "meta:layout"},
	"ModerationLog":             {key.ModerationLog, "{mod}:log"},
	"ModerationLogOf":           {key.ModerationLogOf(forum.ActHide), "{mod}:log:<kind>"},
	"Act":                       {key.Act(519), "{pXX}:m:<id>"},
	"SubjectActs":               {key.SubjectActs(forum.Subject{Topic: 519}), "{pXX}:t:<id>:acts"},
	"SubjectActs of one":        {key.SubjectActs(forum.Subject{Comment: 519}), "{pXX}:c:<id>:acts"},
	"SubjectActs of a category": {key.SubjectActs(forum.Subject{Category: 7}), "{cat}:c:<id>:acts"},
	"SubjectActs of a tab":      {key.SubjectActs(forum.Subject{Tab: 7}), "{cat}:t:<id>:acts"},
	"Act on a category":         {key.Act(forum.MaxID + 1), "{cat}:m:<id>"},
	"SectionActSequence":        {key.SectionActSequence, "{cat}:seq:m"},
	"SectionActMarks":           {key.SectionActMarks, "{cat}:marks"},
	"ActMarks":                  {key.ActMarks(forum.MaxID + 1), "{cat}:marks"},
	"Act on the site":           {key.Act(forum.MaxActID), "{mod}:m:<id>"},
	"SiteActSequence":           {key.SiteActSequence, "{mod}:seq:m"},
	"SiteActMarks":              {key.SiteActMarks, "{mod}:marks"},
	"UserActs":                  {key.UserActs(519), "{pXX}:u:<id>:acts"},
	"UserRecord":                {key.UserRecord(519), "{pXX}:u:<id>:record"},
	"Case":                      {key.Case(forum.Subject{Topic: 519}), "{pXX}:t:<id>:case"},
	"Reporters":                 {key.Reporters(forum.Subject{Comment: 519}), "{pXX}:c:<id>:reporters"},
	"Reports":                   {key.Reports(forum.Subject{User: 519}), "{pXX}:u:<id>:reports"},
	"Evidence":                  {key.Evidence(forum.Subject{User: 519}), "{pXX}:u:<id>:evidence"},
	"Queue":                     {key.Queue("open", 7), "{mod}:queue:<state>:c<category>"},
	"Queue of all":              {key.Queue("upheld", 0), "{mod}:queue:<state>"},
	"QueueRevisions":            {key.QueueRevisions, "{mod}:queue-rev"},
	"QueueEvents":               {key.QueueEvents, "{mod}:queue-ev"},
	"Words":                     {key.Words, "{mod}:words"},
	"Domains":                   {key.Domains, "{mod}:domains"},
	"RecentPosts":               {key.RecentPosts(519), "{pXX}:u:<id>:door"},
	"Approved":                  {key.Approved(519), "{pXX}:u:<id>:approved"},
	"PostedText":                {key.PostedText(someSum), "door:{<hash>}"},
	"Rules":                     {key.Rules, "{mod}:rules"},
	"Secret":                    {key.Secret, "meta:secret"},
	"SiteCopy":                  {key.SiteCopy(7), "{pXX}:site"},
	"Import":                    {key.Import, "meta:import"},
	"Failures":                  {key.Failures(someSum), "rate:{failures:<name>}"},
	"Attempts":                  {key.Attempts(someSum, "ff00"), "rate:{failures:<name>}:<address>"},
	"Devices":                   {key.Devices(519), "{pXX}:u:<id>:devices"},
	"CategorySequence":          {key.CategorySequence, "{cat}:seq:c"},
	"TabSequence":               {key.TabSequence, "{cat}:seq:t"},
	"CategoryNames":             {key.CategoryNames, "{cat}:names:c"},
	"TabNames":                  {key.TabNames, "{cat}:names:t"},
	"Categories":                {key.Categories, "{cat}:all:c"},
	"Tabs":                      {key.Tabs, "{cat}:all:t"},
	"CategorySources":           {key.CategorySources, "{cat}:src:c"},
	"TabSources":                {key.TabSources, "{cat}:src:t"},
	"CategoryDirty":             {key.CategoryDirty, "{cat}:dirty"},
	"Category":                  {key.Category(7), "{cat}:c:<id>"},
	"CategoryModerators":        {key.CategoryModerators(7), "{cat}:c:<id>:moderators"},
	"CategoryTabs":              {key.CategoryTabs(7), "{cat}:c:<id>:tabs"},
	"Tab":                       {key.Tab(7), "{cat}:t:<id>"},
	"TabCategories":             {key.TabCategories(7), "{cat}:t:<id>:categories"},
	"Sequence":                  {key.Sequence(7), "{pXX}:seq"},
	"Dirty":                     {key.Dirty(7), "{pXX}:dirty"},
	"Stats":                     {key.Stats(7), "{pXX}:stats"},
	"Due":                       {key.Due(7), "{pXX}:due"},
	"Dead":                      {key.Dead(7), "{pXX}:dead"},
	"Task":                      {key.Task(7, "t:519"), "{pXX}:task:<name>"},
	"Idempotency":               {key.Idempotency(7, 519, "k"), "{pXX}:idem:<user>:<hash>"},
	"Source":                    {key.Source(7, "t", "old:1"), "{pXX}:src:<hash>"},
	"Rate":                      {key.Rate("sign-in-address", someSum), "rate:{<what>:<hash>}"},
	"Click":                     {key.Click(519, "u7"), "{pXX}:click:<topic>:<visitor>"},
	"Topic":                     {key.Topic(519), "{pXX}:t:<id>"},
	"Internal":                  {key.Internal(key.Topic(519)), "{pXX}:t:<id>:internal"},
	"Text":                      {key.Text(key.Comment(519)), "{pXX}:c:<id>:text"},
	"TopicComments":             {key.TopicComments(519), "{pXX}:t:<id>:comments"},
	"TopicReplies":              {key.TopicReplies(519), "{pXX}:t:<id>:replies"},
	"Changes":                   {key.Changes(519), "{pXX}:t:<id>:changes"},
	"Watchers":                  {key.Watchers(519), "{pXX}:t:<id>:watchers"},
	"HiddenBookmarks":           {key.HiddenBookmarks(519), "{pXX}:u:<id>:bookmarks:hidden"},
	"Watching":                  {key.Watching(519), "{pXX}:u:<id>:watching"},
	"Bookmarkers":               {key.Bookmarkers(519), "{pXX}:t:<id>:bookmarkers"},
	"HeldComments":              {key.HeldComments(519), "{pXX}:t:<id>:held"},
	"Tombstones":                {key.Tombstones(519), "{pXX}:t:<id>:gone"},
	"Authors":                   {key.Authors(519), "{pXX}:t:<id>:authors"},
	"Subject":                   {key.Subject(forum.Subject{Topic: 519}), "{pXX}:t:<id>"},
	"Author":                    {key.Author(7, 519), "{pXX}:u:<id>"},
	"Comment":                   {key.Comment(519), "{pXX}:c:<id>"},
	"CommentReplies":            {key.CommentReplies(519), "{pXX}:c:<id>:replies"},
	"CommentVotes":              {key.CommentVotes(key.Comment(519)), "{pXX}:c:<id>:tally"},
	"Ranking":                   {key.Ranking(key.TopicReplies(519), "0123456789abcdef"), "{pXX}:t:<id>:replies:ranking:<sum>"},
	"Upvoters":                  {key.Upvoters(key.Topic(519)), "{pXX}:t:<id>:up"},
	"Downvoters":                {key.Downvoters(key.Comment(519)), "{pXX}:c:<id>:down"},
	"User":                      {key.User(519), "{pXX}:u:<id>"},
	"Profile":                   {key.Profile(519), "{pXX}:u:<id>:profile"},
	"Karma":                     {key.Karma(519), "{pXX}:u:<id>:karma"},
	"VoteLog":                   {key.VoteLog(519), "{pXX}:u:<id>:votes"},
	"Following":                 {key.Following(519), "{pXX}:u:<id>:following"},
	"Subjects":                  {key.Subjects(519), "{pXX}:u:<id>:subjects"},
	"Followers":                 {key.Followers(519), "{pXX}:u:<id>:followers"},
	"Blocked":                   {key.Blocked(519), "{pXX}:u:<id>:blocked"},
	"Blockers":                  {key.Blockers(519), "{pXX}:u:<id>:blockers"},
	"Bookmarks":                 {key.Bookmarks(519), "{pXX}:u:<id>:bookmarks"},
	"Marks":                     {key.Marks(519), "{pXX}:u:<id>:marks"},
	"Marked":                    {key.Marked(519), "{pXX}:u:<id>:marked"},
	"Home":                      {key.Home(519), "{pXX}:u:<id>:home"},
	"Lists":                     {key.Lists(519), "{pXX}:u:<id>:lists"},
	"ListNames":                 {key.ListNames(519), "{pXX}:u:<id>:lists:names"},
	"Listed":                    {key.Listed(519), "{pXX}:u:<id>:listed"},
	"Notes":                     {key.Notes(519), "{pXX}:u:<id>:notes"},
	"Unread":                    {key.Unread(519), "{pXX}:u:<id>:notes:unread"},
	"Note":                      {key.Note(519), "{pXX}:u:<id>:note"},
	"Revisions":                 {key.Revisions(forum.Subject{Topic: 519}), "{pXX}:t:<id>:revisions"},
	"Texts":                     {key.Texts(forum.Subject{Comment: 519}), "{pXX}:c:<id>:texts"},
	"Hidden":                    {key.Hidden(7), "{pXX}:hidden"},
	"List":                      {key.List(519), "{pXX}:l:<id>"},
	"ListMembers":               {key.ListMembers(519), "{pXX}:l:<id>:members"},
	"Ended":                     {key.Ended(key.Followers(519)), "{pXX}:u:<id>:followers:ended"},
	"Events":                    {key.Events(key.Home(519)), "{pXX}:u:<id>:home:ev"},
	"Container.Events":          {key.FrontContainer.Events(), "<container>:ev"},
	"HomeFence":                 {key.HomeFence(7, 500_000), "{pXX}:gone:<hour>"},
	"Container.Followers":       {key.TagContainer(7).Followers(), "<container>:followers"},
	"Recheck":                   {key.Recheck, "meta:recheck"},
	"Sessions":                  {key.Sessions(519), "{pXX}:u:<id>:sessions"},
	"Release":                   {key.Release(519), "{pXX}:u:<id>:rel"},
	"LoginClaim":                {key.LoginClaim("ann"), "uniq:{l:<folded login>}"},
	"LookClaim":                 {key.LookClaim("ann"), "uniq:{k:<look>}"},
	"EmailClaim":                {key.EmailClaim("a@b.c"), "uniq:{e:<SHA-256 of the folded e-mail>}"},
	"BarredEmail":               {key.BarredEmail(someSum), "uniq:{b:<HMAC of the claim on the e-mail>}"},
	"Tag":                       {key.Tag(7), "{ix:g<tag>}:tag"},
	"Snapshot":                  {key.Snapshot(someTimeline, 7), "snap:{<timeline>}:<minute>"},
	"SnapshotLease":             {key.SnapshotLease(forum.Timeline{Kind: forum.TabTimeline, Owner: 3}, 7), "snap:{<timeline>}:<minute>:lease"},
	"Container.Revisions":       {key.CategoryContainer(7).Revisions(), "<container>:rev"},
	"Container.Removed":         {key.UserCommentsContainer(519).Removed(), "<container>:gone"},
	"Container.Closed":          {key.CategoryContainer(7).Closed(), "{ix:c<category>}:closed"},
	"Names.Order":               {key.TagNames.Order(key.OrderCount), "{ix:tags}:count"},
	"Names.Revisions":           {key.UserNames.Revisions(), "{ix:users}:rev"},
	"Names.Removed":             {key.UserNames.Removed(), "{ix:users}:gone"},
	"Container.Order":           {key.FrontContainer.Order(key.OrderActive), "<container>:active"},
	"a day":                     {key.DayContainer(20_000).Order(key.OrderReplies), "<container>:replies"},
}

func TestDocsNameEveryKey(t *testing.T) {
	patterns := keydoc.Patterns(t, "../../docs/keys.md")
	for name, k := range keyPatterns {
		if !slices.Contains(patterns, k.pattern) {
			t.Errorf("docs/keys.md lacks %s, which %s returns", k.pattern, name)
		}
		if !keydoc.Matcher(k.pattern).MatchString(k.key) {
			t.Errorf("%s = %s; want the pattern of docs/keys.md, %s", name, k.key, k.pattern)
		}
	}
}

// Package kind knows every kind of key, and so whether exports contain it.
func TestEveryKeyHasAKind(t *testing.T) {
	for name, k := range keyPatterns {
		if _, ok := kinds.Read(k.key); !ok {
			t.Errorf("package kind does not know %s, which %s returns", k.key, name)
		}
	}
}

// A new function that makes keys needs an entry above and in docs/keys.md.
func TestEveryKeyHasItsPattern(t *testing.T) {
	files, err := filepath.Glob("internal/key/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("the files of package key = %v, %v", files, err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, maker := range keyMakers(file) {
			if _, ok := keyPatterns[maker]; !ok {
				t.Errorf("%s: %s has no pattern here", name, maker)
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
func everything(t *testing.T) *world {
	w := newWorld(t)
	w.start(w.ann.ID, "digest", forum.SessionLife)
	w.click(w.ann, "u7", w.topic)
	for _, m := range mutations {
		m.run(w.Store, w)
	}
	w.DeleteCategory(t.Context(), nil, w.empty)
	w.failSignIn("ann", "192.0.2.1")
	w.knowDevice(w.ann.ID, "192.0.2.1")
	w.Spend(t.Context(), engine.Rate{What: "proof", Who: "ann", Limit: 1, Per: time.Minute})
	w.importAll(w.Store)
	w.dies(3, func(s *Store) { s.ChangeEmail(t.Context(), w.ann.ID, "hash of ann", "a@b.c", "a@b.c") })
	w.dies(3, func(s *Store) { s.Register(t.Context(), account("carl")) })
	w.clock.Advance(forum.PendingLife)
	w.dies(1, func(s *Store) { s.Sweep(t.Context()) })
	return w
}

// docs/keys.md describes every key that the mutations write.
func TestEveryKeyWrittenIsDocumented(t *testing.T) {
	w := everything(t)
	for _, name := range keydoc.Undocumented(t, "../../docs/keys.md", slices.Collect(maps.Keys(w.keys()))) {
		t.Errorf("docs/keys.md does not describe %s", name)
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
