package process

import (
	"maps"
	"slices"
	"time"

	"agora/internal/test/wait"
)

const (
	opActs = `query($id: ID, $after: String) { r: moderationLog(subjectId: $id, first: 100, after: $after) {
		nodes { id action subjectId } pageInfo { endCursor hasNextPage } } }`
	opGoverned     = `{ r: site { rules { newMemberKarma heldPosts } } }`
	opListed       = `{ r: blocklist(kind: WORD) }`
	opModeratorsOf = `query($id: ID!) { r: category(by: {id: $id}) { topicCount moderators { id } timeline(orderBy: {field: CREATED}) { id } } }`
	opModCounts    = `query($id: ID!) { r: node(id: $id) { ... on Topic { commentCount comments(first: 100) { totalCount
		nodes { id state } } } } }`
)

// modAct is an entry of the log.
type modAct struct{ ID, Action, SubjectID string }

// acts reads the whole log, or that of a subject, oldest first.
func (w *modRun) acts(subject any) []modAct {
	var all []modAct
	for after := any(nil); ; {
		page := readAs[struct {
			Nodes    []modAct
			PageInfo struct {
				EndCursor   string
				HasNextPage bool
			}
		}](w.killRun, w.moderator, opActs, map[string]any{"id": subject, "after": after})
		all = append(all, page.Nodes...)
		if after = page.PageInfo.EndCursor; !page.PageInfo.HasNextPage {
			slices.Reverse(all)
			return all
		}
	}
}

func actionsOf(acts []modAct) []string {
	actions := make([]string, len(acts))
	for i, a := range acts {
		actions[i] = a.Action
	}
	return actions
}

// verifyModeration compares what the site shows with what was acknowledged.
func (w *modRun) verifyModeration() {
	w.site.addrs[1] = w.site.addrs[0] // the only running process
	all, met := w.acts(nil), map[string]bool{}
	want := 2 + w.changes // the roles of the administrator and the moderator
	for _, act := range all {
		if met[act.ID] {
			w.twice("the act %s is in the log twice", act.ID)
		}
		met[act.ID] = true
	}
	for _, d := range w.members {
		want += len(d.categories)
		for _, p := range d.all() {
			want += len(p.acts)
			if got := actionsOf(w.acts(p.id)); !slices.Equal(got, p.acts) {
				w.site.t.Errorf("the log of %s has %v; want %v", p.marker, got, p.acts)
			}
			d.compare(p, readAs[*seenPost](w.killRun, w.moderator, opModPost, map[string]any{"id": p.id}))
			w.verifyPublic(p)
		}
		w.verifyCategories(d)
		w.verifyUser(d)
	}
	for _, moderator := range w.categoryModerators {
		want += moderator.acts
		if got := len(w.acts(moderator.id)); got != moderator.acts {
			w.site.t.Errorf("the log has %d acts on %s; want %d", got, moderator.login, moderator.acts)
		}
	}
	if len(all) != want {
		counts := map[string]int{}
		for _, act := range all {
			counts[act.Action]++
		}
		w.site.t.Errorf("the log has %d acts; want %d: %v", len(all), want, counts)
	}
	w.verifyQueue()
	w.verifyRules()
}

// verifyPublic checks what is shown to somebody who is signed out.
func (w *modRun) verifyPublic(p *modPost) {
	seen := read[*seenPost](w.killRun, opModPost, map[string]any{"id": p.id})
	switch shown := seen != nil; {
	case p.topic != nil && p.hidden && !p.held && p.topic.listed():
		if !shown || seen.State != "HIDDEN" || seen.Content != "" {
			w.site.t.Errorf("%s is shown as %+v; want a tombstone", p.marker, seen)
		}
	case shown != (p.listed() && (p.topic == nil || p.topic.listed())):
		w.site.t.Errorf("%s is %s; shown to all: %t", p.marker, p.state(), shown)
	}
}

// verifyCategories compares lists and counts of a member's categories and topics with its posts.
func (w *modRun) verifyCategories(d *modClient) {
	t := w.site.t
	for place, id := range d.categories {
		got := readAs[struct {
			TopicCount int
			Moderators []seenID
			Timeline   seenID
		}](w.killRun, w.moderator, opModeratorsOf, map[string]any{"id": id})
		want, shown := map[string]bool{}, map[string]bool{}
		for _, p := range d.topics {
			if p.place == place && p.listed() {
				want[p.id] = true
			}
		}
		for _, topic := range w.walk(id, opTopicIDs, got.Timeline.ID) {
			shown[topic.ID] = true
		}
		if !maps.Equal(want, shown) || got.TopicCount != len(want) {
			t.Errorf("%s in category %d: %d topics, counted %d; want %d", d.login, place, len(shown), got.TopicCount,
				len(want))
		}
		if d != w.members[0] {
			continue
		}
		is := map[string]bool{}
		for _, m := range got.Moderators {
			is[m.ID] = true
		}
		for _, moderator := range w.categoryModerators {
			if is[moderator.id] != moderator.in[place] {
				w.gone("%s moderates category %d: %t; want %t", moderator.login, place, is[moderator.id], moderator.in[place])
			}
		}
	}
	for _, p := range d.topics {
		if !p.listed() {
			continue
		}
		got := read[struct {
			CommentCount int
			Comments     struct{ TotalCount int }
		}](w.killRun, opModCounts, map[string]any{"id": p.id})
		live, listed := 0, 0
		for _, c := range d.comments {
			if c.topic == p && !c.held {
				listed++
				if !c.hidden {
					live++
				}
			}
		}
		if got.CommentCount != live || got.Comments.TotalCount != listed {
			t.Errorf("%s counts %d comments and lists %d; want %d and %d", p.marker, got.CommentCount,
				got.Comments.TotalCount, live, listed)
		}
	}
}

// verifyUser compares a member's own counts with the posts. A task that was left by a process that was killed may still
// take comments of a hidden topic out of the member's list.
func (w *modRun) verifyUser(d *modClient) {
	type counts struct {
		TopicCount int
		Comments   struct{ TotalCount int }
	}
	var got, want counts
	for _, p := range d.topics {
		if p.listed() {
			want.TopicCount++
		}
	}
	for _, p := range d.comments {
		if p.listed() && p.topic.listed() {
			want.Comments.TotalCount++
		}
	}
	if !wait.For(tasksWithin, func() bool {
		got = read[counts](w.killRun, opOfUser, map[string]any{"id": d.login})
		return got == want
	}) {
		w.site.t.Errorf("%s has %+v; want %+v", d.login, got, want)
	}
}

// verifyQueue checks that the queue has each case in the list of its state, with its reports.
func (w *modRun) verifyQueue() {
	type row struct {
		state   string
		through int
	}
	got, want := map[string]row{}, map[string]row{}
	for _, state := range []string{"OPEN", "UPHELD", "DISMISSED"} {
		for after := any(nil); ; {
			page := readAs[seenQueue](w.killRun, w.moderator, opQueue, map[string]any{"s": state, "after": after})
			for _, of := range page.Nodes {
				if before, twice := got[of.SubjectID]; twice || of.State != state {
					w.site.t.Errorf("the queue has %s as %s in %s, and as %v", of.SubjectID, of.State, state, before)
				}
				got[of.SubjectID] = row{of.State, of.ThroughReport}
			}
			if after = page.PageInfo.EndCursor; !page.PageInfo.HasNextPage {
				break
			}
		}
	}
	for _, d := range w.members {
		for _, p := range d.all() {
			switch {
			case p.reports < 0: // nobody knows
				delete(got, p.id)
			case p.held && !p.hidden, p.reports > p.resolved:
				want[p.id] = row{"OPEN", p.reports}
			case p.outcome != "":
				want[p.id] = row{p.outcome, p.reports}
			}
		}
	}
	for id := range want {
		if got[id] != want[id] {
			w.gone("the queue has %s as %v; want %v", id, got[id], want[id])
		}
	}
	if len(got) != len(want) {
		w.site.t.Errorf("the queue has %d cases; want %d", len(got), len(want))
	}
}

// verifyRules checks the rules of the site and the blocklist.
func (w *modRun) verifyRules() {
	var want []string
	for word, there := range w.words {
		if there {
			want = append(want, word)
		}
	}
	slices.Sort(want)
	if got := readAs[[]string](w.killRun, w.moderator, opListed, nil); !slices.Equal(got, want) {
		w.gone("the blocklist has %v; want %v", got, want)
	}
	if !wait.For(2*time.Second, func() bool { return w.rules().NewMemberKarma == w.karma }) { // they may be a second old
		w.gone("newMemberKarma = %d; want %d", w.rules().NewMemberKarma, w.karma)
	}
}

// modRules are the rules that the test sets.
type modRules struct{ NewMemberKarma, HeldPosts int }

// rules reads the rules of the site from one of the processes.
func (w *modRun) rules() modRules {
	return read[struct{ Rules modRules }](w.killRun, opGoverned, nil).Rules
}
