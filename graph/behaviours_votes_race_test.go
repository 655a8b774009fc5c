package graph_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"agora/internal/test/testlevel"
)

// cast is one vote of a race, and its answer.
type cast struct {
	subject     int
	was, wish   string
	changed     bool
	up, down    int
	viewer, why string
}

// counts returns the counts after the vote, and those before it, if it changed something.
func (c cast) counts() (after, before [2]int) {
	after = [2]int{c.up, c.down}
	before = after
	for direction, n := range map[string]int{c.was: -1, c.wish: +1} {
		side := map[string]int{"UP": 0, "DOWN": 1}
		if i, counted := side[direction]; counted && c.changed {
			before[i] -= n
		}
	}
	return after, before
}

// race lets the clients vote concurrently, each at random, and returns their votes.
func (p *voteSite) race(tokens, subjects []string, each int) []cast {
	p.t.Helper()
	all := make([][]cast, len(tokens))
	var wg sync.WaitGroup
	for i, token := range tokens {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(uint64(i), 43))
			stand := make([]string, len(subjects))
			for range each {
				c := cast{subject: random.IntN(len(subjects)), wish: []string{"UP", "DOWN", "NONE"}[random.IntN(3)]}
				if c.was = stand[c.subject]; c.was == "" {
					c.was = "NONE"
				}
				a := p.mutate(token, "vote", input{"subjectId": subjects[c.subject], "direction": c.wish},
					"changed subject { "+countFields+" }")
				c.why, c.changed = a.verdict(), a.at("vote", "changed") == any(true)
				c.up, c.down = a.number("vote", "subject", "votes", "up"), a.number("vote", "subject", "votes", "down")
				c.viewer, stand[c.subject] = a.text("vote", "subject", "votes", "viewerVote"), c.wish
				all[i] = append(all[i], c)
			}
		})
	}
	wg.Wait()
	var casts []cast
	for _, of := range all {
		casts = append(casts, of...)
	}
	return casts
}

// Of 16 clients that vote concurrently, each gets the counts right after its own vote: as steps from one pair of
// counts to the next, the votes that changed something lead from the first counts to the last, each step being taken
// once.
func TestRacingVotesReturnTheirOwnCounts(t *testing.T) {
	testlevel.Long(t)
	p := newVoteSite(t)
	article, topic := p.link(p.ann, "a"), p.post(p.ann, "b", nil)
	subjects := []string{article, topic, p.comment(p.ann, topic, "", "x")}
	var tokens []string
	for n := range 16 {
		tokens = append(tokens, p.user(fmt.Sprintf("voter%d", n)))
	}
	start := [][2]int{{1, 0}, {0, 0}, {0, 0}}
	steps := make([]map[[2]int]int, len(subjects)) // how often counts were reached, minus how often left
	seen := make([]map[[2]int]bool, len(subjects))
	for i := range subjects {
		steps[i], seen[i] = map[[2]int]int{start[i]: 1}, map[[2]int]bool{start[i]: true}
	}
	casts := p.race(tokens, subjects, 12)
	for _, c := range casts {
		if c.why != "" || c.changed != (c.was != c.wish) || c.viewer != c.wish {
			t.Fatalf("vote %+v; want it to count, changed when the own vote is another, and the own vote in the answer", c)
		}
		after, before := c.counts()
		steps[c.subject][after]++
		steps[c.subject][before]--
		seen[c.subject][after] = true
	}
	for _, c := range casts {
		if after, _ := c.counts(); !c.changed && !seen[c.subject][after] || c.up < 0 || c.down < 0 ||
			c.up+c.down > len(tokens)+1 {
			t.Errorf("vote %+v returned counts that never existed", c)
		}
	}
	for i, subject := range subjects {
		for counts, n := range steps[i] {
			if n == 0 {
				delete(steps[i], counts)
			}
		}
		a := p.must(p.mod, `query($id: ID!) { node(id: $id) { ... on Votable { votes { up down } } ... on Topic { up: voters { totalCount } down: voters(direction: DOWN) { totalCount } } } }`, input{"id": subject})
		last := [2]int{a.number("node", "votes", "up"), a.number("node", "votes", "down")}
		wantEqual(t, fmt.Sprint("where the votes on subject ", i, " lead"), steps[i], map[[2]int]int{last: 1})
		if a.at("node", "up") != nil {
			wantEqual(t, "voters", [2]int{a.number("node", "up", "totalCount"), a.number("node", "down", "totalCount")}, last)
		}
	}
	p.settle()
	posted := p.clock.Now().Unix()
	net := p.must("", `query($id: ID!) { topic(by: {id: $id}) { votes { net } } }`, input{"id": topic}).number("topic", "votes", "net")
	wantEqual(t, "score after the race", p.scores(byScore)["b"], float64(posted+432*int64(net)))
}

// X11: in the documents two clients of one user get into both sets.
func TestOneUserVotesBothWaysAtOnce(t *testing.T) {
	p := newVoteSite(t)
	topic := p.post(p.ann, "a", nil)
	for range 6 {
		var wg sync.WaitGroup
		for _, direction := range []string{"UP", "DOWN", "UP", "DOWN"} {
			wg.Go(func() { p.cast(p.bob, topic, direction) })
		}
		wg.Wait()
		own := strings.Fields(p.stands(p.bob, topic))[1]
		want := map[string][3]string{"UP": {"1-0 UP", "bob", ""}, "DOWN": {"0-1 DOWN", "", "bob"}}[own]
		wantEqual(t, "the one vote", [3]string{p.stands(p.bob, topic), p.voters(topic, "UP"), p.voters(topic, "DOWN")}, want)
	}
}

// X24: in the documents voting on a missing topic fails, or silently does nothing.
func TestVotingOnMissingSubjects(t *testing.T) {
	b := newFullSite(t)
	tests := []struct {
		name, token, id, typ, code string
		more                       map[string]any
	}{
		{"no topic", b.bob, gid("Topic", "77777"), "NotFoundError", "NOT_FOUND",
			map[string]any{"missingId": gid("Topic", "77777")}},
		{"no comment", b.mod, gid("Comment", "77777"), "NotFoundError", "NOT_FOUND",
			map[string]any{"missingId": gid("Comment", "77777")}},
		{"a category", b.bob, b.tea, "NotFoundError", "NOT_FOUND", map[string]any{"missingId": b.tea}},
		{"a deleted topic, bob", b.bob, b.deleted, "NotFoundError", "NOT_FOUND", map[string]any{"missingId": b.deleted}},
		{"a deleted topic, its author", b.ann, b.deleted, "ForbiddenError", "LOCKED", map[string]any{"requires": nil}},
		{"a deleted topic, a moderator", b.mod, b.deleted, "ForbiddenError", "LOCKED", map[string]any{"requires": nil}},
		{"a comment on it, a stranger", b.bob, b.lost, "NotFoundError", "NOT_FOUND", map[string]any{"missingId": b.lost}},
		{"a comment on it, its author", b.ann, b.lost, "ForbiddenError", "LOCKED", map[string]any{"requires": nil}},
		{"a tombstone, a stranger", b.bob, b.tombstone, "ForbiddenError", "LOCKED", map[string]any{"requires": nil}},
		{"a tombstone, its author", b.ann, b.tombstone, "ForbiddenError", "LOCKED", map[string]any{"requires": nil}},
	}
	before := b.contents()
	for _, tt := range tests {
		for _, direction := range []string{"UP", "DOWN", "NONE"} {
			a := b.mutate(tt.token, "vote", input{"subjectId": tt.id, "direction": direction},
				"changed subject { id } errors { __typename ... on NotFoundError { missingId } ... on ForbiddenError { requires } }")
			want := with(tt.more, "__typename", tt.typ)
			want["code"], want["path"], want["message"] = tt.code, []any{"input", "subjectId"},
				a.text("vote", "errors", 0, "message")
			wantEqual(t, tt.name, a.Data["vote"], any(map[string]any{"changed": false, "subject": nil, "errors": []any{want}}))
			b.wantUntouched(tt.name, before, a)
		}
	}
}

// Both executors report a vote alike, whatever is selected of its subject.
func TestExecutorsAgreeOnVotes(t *testing.T) {
	p := newVoteSite(t)
	article := p.link(p.ann, "a", "go")
	comment := p.comment(p.cid, article, "", "x")
	gone := p.comment(p.cid, article, "", "y")
	p.mutate(p.cid, "deleteComment", input{"commentId": gone}, "")
	stock := p.stock()
	everything := `changed errors { __typename code } subject { __typename id votes { subjectId up down net viewerVote closesAt isOpen }
		... on Topic { title number link state isInteresting author { login } category { name } tags { name topicCount } voters { totalCount nodes { login } } comments { nodes { content votes { up } } } }
		... on Comment { content number author { login } parent { id } topic { title votes { up viewerVote } } replies { totalCount } } }`
	for _, subject := range []string{article, comment, gone, gid("Topic", "77777")} {
		before := "NONE"
		for _, direction := range []string{"UP", "UP", "DOWN", "NONE"} {
			in := input{"subjectId": subject, "direction": direction}
			ours := p.mutate(p.bob, "vote", in, everything)
			p.vote(p.bob, subject, before)
			theirs := stock.mutate(p.bob, "vote", in, everything)
			before = direction
			wantEqual(t, direction+": our executor, against gqlgen's", whole(ours), whole(theirs))
		}
	}
}
