package process

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"agora/internal/test/testlevel"
	"agora/internal/test/wait"
)

const (
	// modClients act concurrently, each on posts of a member of its own.
	modClients = 12
	// modReporters report posts of each client: one may make forum.ReportsPerMinute.
	modReporters = 5
	// heldPosts is the rule in force: how many posts of each member must be approved. Later ones are not held, and the
	// member may edit them.
	heldPosts = 5
)

// TestKillModeration kills server processes at random moments while posts of new members are held, approved, hidden,
// restored, locked, pinned, moved, edited by their authors and by moderators, redacted, reported and resolved, and the
// rules of the site, its blocklist and the moderators of its categories change. Clients give up on some calls. Each
// call is repeated until it is acknowledged, so what the site must show is known exactly: each act is in the log once,
// and each post, count and case is as the last act left it. KILL_SECONDS is the duration, 4 if not set.
func TestKillModeration(t *testing.T) {
	testlevel.LongWithoutRace(t)
	life := killSeconds(t)
	s := startKillSite(t, quick)
	children := []*child{s.start(s.addrs[0]), s.start(s.addrs[1])}
	for _, c := range children {
		s.await(c)
	}
	w := &modRun{killRun: newKillRun(s)}
	w.furnishModeration()

	ctx, cancel := context.WithTimeout(context.Background(), life)
	defer cancel()
	began := time.Now()
	var reapers, clients sync.WaitGroup
	for _, c := range children {
		reapers.Go(func() { s.reap(ctx, c) }) // ends with ctx
	}
	for _, d := range w.members {
		clients.Go(func() { d.work(ctx) }) // ends with ctx, and when its last call is acknowledged
	}
	clients.Go(func() { w.govern(ctx) }) // the same
	reapers.Wait()
	took := time.Since(began)

	s.await(s.start(s.addrs[0]))
	restarted := time.Now()
	clients.Wait()
	s.checkClean(restarted)
	w.verifyModeration()
	w.report(took)
	if least := int64(life.Seconds() * killsPerMinute / 60); s.kills.Load() < least {
		t.Errorf("%d kills in %v; want at least %d", s.kills.Load(), took, least)
	}
}

// modRun is what the clients of TestKillModeration sent.
type modRun struct {
	*killRun
	admin   string // token
	members []*modClient

	// What govern has set. Nobody else uses it before the end.
	words              map[string]bool
	karma              int
	changes            int // of the rules and the blocklist
	categoryModerators []*modOfCategory
}

// modOfCategory is a user who is made a moderator of the first client's categories, and no longer.
type modOfCategory struct {
	login, id string
	in        [2]bool
	acts      int
}

// modClient is a client: a member who posts, and a moderator who acts on what the member posts.
type modClient struct {
	run        *modRun
	login      string
	token      string
	categories [2]string
	reporters  []string // tokens
	reported   int      // calls
	n          int
	topics     []*modPost
	comments   []*modPost
	approved   int
	known      time.Time // when the rule was met, which the next post learns from the sweeper if a process dies
}

// modPost is a topic or comment, as it must be.
type modPost struct {
	id, marker           string
	topic                *modPost // nil for a topic
	held, hidden, locked bool
	pinned               bool
	place                int       // of the client's categories
	texts                []string  // its revisions
	redacted             []bool    // of them
	acts                 []string  // in order
	followed             bool      // by replies or reports: edits of its author are not merged then
	reports, resolved    int       // how many
	outcome              string    // of the last resolution
	rest                 time.Time // nothing is done to it before: a call that was given up may still be in progress
}

// isKnown reports whether all processes know whether posts of the member are held.
func (d *modClient) isKnown() bool {
	return d.approved < heldPosts || time.Since(d.known) > cleanWithin
}

// restores returns the act that RESTORE is.
func (p *modPost) restores() string {
	if p.held {
		return "APPROVE"
	}
	return "RESTORE"
}

// listed reports whether all see the post; of a comment, apart from its topic.
func (p *modPost) listed() bool { return !p.held && !p.hidden }

// state returns what moderators see.
func (p *modPost) state() string {
	switch {
	case p.hidden && !(p.held && p.topic != nil): // a comment that is held stays so
		return "HIDDEN"
	case p.held:
		return "HELD"
	case p.locked:
		return "LOCKED"
	}
	return "OPEN"
}

// open reports whether its author may edit the post and comment on it.
func (p *modPost) open() bool {
	return p.listed() && !p.locked && (p.topic == nil || p.topic.open())
}

const (
	opEnrolled      = `mutation($i: RegisterInput!) { r: register(input: $i) { token viewer { user { id } } errors { code } } }`
	opRules         = `mutation($i: UpdateRulesInput!) { r: updateRules(input: $i) { errors { code } } }`
	opWords         = `mutation($i: UpdateBlocklistInput!) { r: updateBlocklist(input: $i) { errors { code } } }`
	opSetModerators = `mutation($i: SetCategoryModeratorsInput!) { r: setCategoryModerators(input: $i) {
		changed acts { id } errors { code } } }`
)

// enrol registers a user.
func (w *modRun) enrol(login, role string) (token, id string) {
	t := w.site.t
	p, f, code := w.mutate(10*time.Second, "", opEnrolled, newcomer(login))
	if f != acknowledged {
		t.Fatalf("register %s: %s", login, code)
	}
	if role != "USER" {
		if out, code := w.site.command("user", "set-role", login, role); code != 0 {
			t.Fatalf("user set-role: %s", out)
		}
	}
	return p.Token, p.Viewer.User.ID
}

// furnishModeration creates accounts, categories and rules, before any process is killed.
func (w *modRun) furnishModeration() {
	w.admin, _ = w.enrol("chief", "ADMIN")
	w.moderator, _ = w.enrol("molly", "MODERATOR")
	for n := range 3 {
		moderator := &modOfCategory{login: fmt.Sprintf("helper%d", n)}
		_, moderator.id = w.enrol(moderator.login, "USER")
		w.categoryModerators = append(w.categoryModerators, moderator)
	}
	for n := range modClients {
		d := &modClient{run: w, login: fmt.Sprintf("member%d", n)}
		d.token, _ = w.enrol(d.login, "USER")
		for m := range modReporters {
			token, _ := w.enrol(fmt.Sprintf("reporter%dx%d", n, m), "USER")
			d.reporters = append(d.reporters, token)
		}
		for m := range d.categories {
			p, f, code := w.mutate(10*time.Second, w.admin, opCreateCategory,
				map[string]any{"name": fmt.Sprintf("Category %d of %d", m, n)})
			if f != acknowledged {
				w.site.t.Fatalf("createCategory: %s", code)
			}
			d.categories[m] = p.Category.ID
		}
		w.members = append(w.members, d)
	}
	w.words, w.karma, w.changes = map[string]bool{}, 5, 1
	w.insistOn("updateRules", w.admin, opRules, map[string]any{"newMemberSeconds": 31_536_000, "heldPosts": heldPosts,
		"newMemberKarma": w.karma})
	known := 0 // how many reads in a row have found the rules: both processes know them
	if !wait.For(5*time.Second, func() bool {
		if known++; w.rules().HeldPosts != heldPosts {
			known = 0
		}
		return known == 20
	}) {
		w.site.t.Fatal("the rules are not in force")
	}
}

// insistOn repeats a call until it is acknowledged, or refused. It returns how often it was sent.
func (w *modRun) insistOn(kind, token, query string, input map[string]any) (p killPayload, tries int, code string) {
	var f fate
	wait.For(time.Minute, func() bool {
		tries++
		p, f, code = w.mutate(patience(), token, query, input)
		w.count(kind, f)
		return f != unknown
	})
	if f == unknown {
		w.site.t.Errorf("%s: no answer in a minute", kind)
	}
	return p, tries, code
}

// govern changes the rules of the site, the blocklist and the moderators of categories, until ctx ends.
func (w *modRun) govern(ctx context.Context) {
	until := map[string]time.Time{} // before it a call that was repeated may still be executed as it was sent first
	for ctx.Err() == nil {
		what, do := w.change()
		if time.Now().After(until[what]) {
			if do() > 1 {
				until[what] = time.Now().Add(w.late)
			}
		}
		rest(20)
	}
}

// change chooses something to change. It returns its name, and the change, which returns how often the call was sent.
func (w *modRun) change() (what string, do func() (tries int)) {
	switch rand.IntN(4) {
	case 0:
		return "rules", w.setKarma
	case 1:
		word := fmt.Sprintf("forbidden%d", rand.IntN(20))
		return word, func() int { return w.toggleWord(word) }
	}
	moderator, place := rand.IntN(len(w.categoryModerators)), rand.IntN(2)
	return fmt.Sprint("moderator ", moderator, place),
		func() int { return w.setModerator(w.categoryModerators[moderator], place) }
}

func (w *modRun) setKarma() int {
	karma := 5 + rand.IntN(1000)
	_, tries, code := w.insistOn("updateRules", w.admin, opRules, map[string]any{"newMemberKarma": karma})
	if code != "" {
		w.site.t.Errorf("updateRules: refused: %s", code)
	}
	if karma != w.karma {
		w.changes++
	}
	w.karma = karma
	return tries
}

func (w *modRun) toggleWord(word string) int {
	list := "add"
	if w.words[word] {
		list = "remove"
	}
	_, tries, code := w.insistOn("updateBlocklist", w.moderator, opWords,
		map[string]any{"kind": "WORD", list: []string{word}})
	if code != "" {
		w.site.t.Errorf("updateBlocklist: refused: %s", code)
	}
	w.words[word] = !w.words[word]
	w.changes++
	return tries
}

// setModerator makes a user a moderator of a category, or ends that.
func (w *modRun) setModerator(of *modOfCategory, place int) int {
	list := "add"
	if of.in[place] {
		list = "remove"
	}
	p, tries, code := w.insistOn("setCategoryModerators", w.admin, opSetModerators, map[string]any{
		"category": map[string]any{"id": w.members[0].categories[place]}, list: []string{of.id}})
	if code != "" || tries == 1 && len(p.Acts) != 1 {
		w.site.t.Errorf("setCategoryModerators: refused: %q, acts: %v", code, p.Acts)
	}
	of.in[place] = !of.in[place]
	of.acts++
	return tries
}
