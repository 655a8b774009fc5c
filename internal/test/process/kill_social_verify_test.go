package process

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/test/must"
)

func userID(id forum.UserID) string { return globalid.New(globalid.User, itoa(id)) }

// subjectNumber returns the number of a category or tag.
func subjectNumber(t *testing.T, id string) string {
	_, key, ok := globalid.Split(id)
	if !ok {
		t.Errorf("id %q", id)
	}
	return key
}

// verifyAcknowledged compares users, edges, lists and topics with what was acknowledged.
func (w *socialRun) verifyAcknowledged(truth *socialTruth) {
	for _, u := range w.users {
		if is := yes(!truth.active(u.num)); !slices.Contains(u.deleted.allowed(), is) {
			truth.add("%s: deleted = %q; want one of %q", u.login, is, u.deleted.allowed())
		}
		for _, l := range u.lists {
			if is := yes(truth.hashes[placeOf("l", l.num, "")] == nil); truth.active(u.num) &&
				!slices.Contains(l.deleted.allowed(), is) {
				truth.add("%s: deleted = %q; want one of %q", placeOf("l", l.num, ""), is, l.deleted.allowed())
			}
		}
	}
	for place, v := range w.values {
		key, member, _ := strings.Cut(place, " ")
		if !w.stands(truth, key, member) {
			continue
		}
		_, there := truth.sets[key][member]
		if !slices.Contains(v.allowed(), yes(there)) {
			truth.add("%s: member %s = %q; want one of %q", key, member, yes(there), v.allowed())
		}
	}
	for _, u := range w.users {
		for _, set := range []string{"following", "subjects", "blocked"} {
			for member := range truth.sets[placeOf("u", u.num, ":"+set)] {
				if w.values[placeOf("u", u.num, ":"+set)+" "+member] == nil {
					truth.add("%s: holds %s; nobody asked for it", placeOf("u", u.num, ":"+set), member)
				}
			}
		}
	}
	w.verifyPosts(truth)
}

// stands reports whether both ends of an edge exist: a deleted account has no edges.
func (w *socialRun) stands(truth *socialTruth, key, member string) bool {
	of := numbersOfKey.FindStringSubmatch(key)
	if of[1] == "l" {
		return truth.hashes[placeOf("l", whole(of[2]), "")] != nil && truth.active(forum.UserID(whole(member)))
	}
	return truth.active(forum.UserID(whole(of[2]))) &&
		(strings.HasSuffix(key, ":subjects") || truth.active(forum.UserID(whole(member))))
}

// verifyPosts compares topics with what was acknowledged about them.
func (w *socialRun) verifyPosts(truth *socialTruth) {
	found := map[*socialPost]forum.TopicID{}
	known := map[forum.TopicID]*socialPost{} // those whose creation was acknowledged: only these are ever deleted
	for _, p := range w.posts {
		known[p.num] = p
	}
	truth.each("t", func(id int64, f map[string]string) {
		key := placeOf("t", id, "")
		p := w.posts[f["content"]]
		if f["state"] == "DELETED" && f["content"] == "" { // deleting erases the text
			p = known[forum.TopicID(id)]
		}
		switch {
		case strings.HasPrefix(f["content"], "archive "), w.posts == nil:
			return
		case p == nil:
			truth.add("%s: %q; nobody sent it", key, f["content"])
			return
		case found[p] != 0:
			truth.add("%s: %q was posted twice", key, p.content)
		}
		found[p] = forum.TopicID(id)
		if is := yes(f["state"] != "OPEN"); !slices.Contains(p.deleted.allowed(), is) {
			truth.add("%s: deleted = %q; want one of %q", key, is, p.deleted.allowed())
		}
		if p.id == "" || f["state"] != "OPEN" { // one without an answer was not changed
			return
		}
		category := ""
		if f["category"] != "0" {
			category = globalid.New(globalid.Category, f["category"])
		}
		if !slices.Contains(p.place.allowed(), category) {
			truth.add("%s: category = %q; want one of %q", key, category, p.place.allowed())
		}
		has := map[string]bool{}
		for _, name := range tagsOf(f) {
			has[name] = true
		}
		for tag, v := range p.tags {
			if !slices.Contains(v.allowed(), yes(has[tag])) {
				truth.add("%s: tag %s = %q; want one of %q", key, tag, yes(has[tag]), v.allowed())
			}
		}
	})
	for _, p := range w.posts {
		if p.id != "" && found[p] != p.num {
			truth.add("%s: %q was acknowledged; it is %d", placeOf("t", p.num, ""), p.content, found[p])
		}
	}
}

const (
	opCounts = `query($login: String!) { r: user(by: {login: $login}) { followerCount followingCount topicCount } }`
	opLists  = `{ r: viewer { lists(first: 100) { nodes { id memberCount timeline { topics(first: 100) { nodes { id } } } } } } }`
)

// verifyShown compares what users see with the truth: complete homes, lists, counts.
func (w *socialRun) verifyShown(truth *socialTruth) {
	topics, users := 0, 0
	for _, u := range w.users {
		if !truth.active(u.num) {
			continue
		}
		users++
		want := topicIDs(truth.home(u.num))
		topics += len(want)
		if got := w.walkHome(u); !slices.Equal(got, want) {
			at := 0
			for at < min(len(got), len(want)) && got[at] == want[at] {
				at++
			}
			truth.add(
				"the home of %s (%d) shows %d topics; want %d; the first to differ is number %d: %q, %q; its watermark is %q",
				u.login,
				u.num,
				len(
					got,
				),
				len(want),
				at,
				got[at:min(at+1, len(got))],
				want[at:min(at+1, len(want))],
				truth.hashes[placeOf("u", u.num, "")]["homeFloor"],
			)
		}
		type counts struct{ FollowerCount, FollowingCount, TopicCount int }
		size := func(set string) int { return len(truth.sets[placeOf("u", u.num, ":"+set)]) }
		if got, want := readAs[counts](w.killRun, u.token, opCounts, map[string]any{"login": u.login}),
			(counts{size("followers"), size("following"), size("profile")}); got != want {
			truth.add("%s: %+v; want %+v", u.login, got, want)
		}
		w.verifyLists(truth, u)
	}
	w.site.t.Logf(
		"%d homes with %d topics shown to their ends; %d pages of homes judged on the way",
		users,
		topics,
		w.homes,
	)
}

// topicIDs returns the ids of members of indexes.
func topicIDs(members []string) []string {
	ids := make([]string, len(members))
	for i, m := range members {
		n, _ := strconv.ParseInt(m[11:], 16, 64)
		ids[i] = globalid.New(globalid.Topic, itoa(n))
	}
	return ids
}

func (w *socialRun) walkHome(u *socialUser) (ids []string) {
	for after := (*string)(nil); ; {
		page := readAs[seenHome](w.killRun, u.token, opHome, map[string]any{"n": 100, "after": after}).Home.Topics
		for _, node := range page.Nodes {
			ids = append(ids, node.ID)
		}
		if after = page.PageInfo.EndCursor; !page.PageInfo.HasNextPage {
			return ids
		}
	}
}

// verifyLists compares the lists of a user: their members, and the first page of the posts of those members who are
// in no block with the user.
func (w *socialRun) verifyLists(truth *socialTruth, u *socialUser) {
	type list struct {
		ID          string
		MemberCount int
		Timeline    struct{ Topics struct{ Nodes []seenID } }
	}
	lists := readAs[struct{ Lists struct{ Nodes []list } }](w.killRun, u.token, opLists, nil).Lists.Nodes
	if n := len(truth.sets[placeOf("u", u.num, ":lists")]); len(lists) != n {
		truth.add("%s is shown %d lists; want %d", u.login, len(lists), n)
	}
	for _, l := range lists {
		key := placeOf("l", numberOf[forum.ListID](w.site.t, l.ID), ":members")
		var want []string
		for member := range truth.sets[key] {
			_, blocked := truth.sets[placeOf("u", u.num, ":blocked")][member]
			_, blocker := truth.sets[placeOf("u", u.num, ":blockers")][member]
			if !blocked && !blocker {
				for m := range truth.sets[placeOf("u", whole(member), ":profile")] {
					want = append(want, m)
				}
			}
		}
		slices.Sort(want)
		slices.Reverse(want)
		var got []string
		for _, node := range l.Timeline.Topics.Nodes {
			got = append(got, node.ID)
		}
		if l.MemberCount != len(truth.sets[key]) || !slices.Equal(got, topicIDs(want[:min(100, len(want))])) {
			truth.add(
				"%s: %d members and %d topics are shown; want %d and %d",
				key,
				l.MemberCount,
				len(got),
				len(truth.sets[key]),
				min(100, len(want)),
			)
		}
	}
}

// zset is a sorted set of Redis.
type zset map[string]float64

// socialTruth is the state of users, topics and lists in Redis at rest. What follows from other data is left to `check`.
type socialTruth struct {
	hashes   map[string]map[string]string
	sets     map[string]zset
	findings []string
}

// The keys that are read.
var (
	socialHash   = regexp.MustCompile(`^\{p[0-9a-f]{2}\}:[utl]:[0-9]+(?::internal)?$`)
	socialSet    = regexp.MustCompile(`^\{p[0-9a-f]{2}\}:(u:[0-9]+:(following|followers|subjects|blocked|blockers|lists|profile)|l:[0-9]+:members)$|^\{ix:[cg][0-9]+\}:created$`)
	numbersOfKey = regexp.MustCompile(`^\{p[0-9a-f]{2}\}:([utl]):([0-9]+)`)
)

// placeOf is a key of a user ("u"), topic ("t") or list ("l").
func placeOf[T ~int64](sort string, id T, rest string) string {
	return fmt.Sprintf("{p%02x}:%s:%d%s", int64(id)%forum.Partitions, sort, int64(id), rest)
}

func whole(s string) int64 {
	n, _ := strconv.ParseInt(s, 10, 64)
	return n
}

func (m *socialTruth) add(format string, args ...any) {
	m.findings = append(m.findings, fmt.Sprintf(format, args...))
}

// report turns the findings into errors.
func (m *socialTruth) report(t *testing.T) {
	for _, f := range m.findings[:min(len(m.findings), 40)] {
		t.Error(f)
	}
	if more := len(m.findings) - 40; more > 0 {
		t.Errorf("... and %d more", more)
	}
}

// readSocial reads all of it.
func readSocial(t *testing.T, r redis.UniversalClient) *socialTruth {
	ctx := context.Background()
	m := &socialTruth{hashes: map[string]map[string]string{}, sets: map[string]zset{}}
	keys := must.Do(r.Keys(ctx, "*").Result())(t)
	for part := range slices.Chunk(keys, 1000) {
		pipe := r.Pipeline()
		hashes, sets := map[string]*redis.MapStringStringCmd{}, map[string]*redis.ZSliceCmd{}
		for _, key := range part {
			switch {
			case socialHash.MatchString(key):
				hashes[key] = pipe.HGetAll(ctx, key)
			case socialSet.MatchString(key):
				sets[key] = pipe.ZRangeWithScores(ctx, key, 0, -1)
			}
		}
		must.Do(pipe.Exec(ctx))(t)
		for key, cmd := range hashes {
			object := strings.TrimSuffix(key, ":internal") // both its hashes are one
			if m.hashes[object] == nil {
				m.hashes[object] = map[string]string{}
			}
			maps.Copy(m.hashes[object], cmd.Val())
		}
		for key, cmd := range sets {
			m.sets[key] = zset{}
			for _, z := range cmd.Val() {
				m.sets[key][z.Member.(string)] = z.Score
			}
		}
	}
	return m
}

// each calls f with all users, topics or lists.
func (m *socialTruth) each(sort string, f func(id int64, fields map[string]string)) {
	for key, fields := range m.hashes {
		if of := numbersOfKey.FindStringSubmatch(key); of[1] == sort {
			f(whole(of[2]), fields)
		}
	}
}

func (m *socialTruth) active(id forum.UserID) bool {
	return m.hashes[placeOf("u", id, "")]["state"] == "ACTIVE"
}

// tagsOf returns the ids and names of a topic's tags.
func tagsOf(f map[string]string) map[string]string {
	tags := map[string]string{}
	for line := range strings.Lines(f["tags"]) {
		id, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		tags[id] = name
	}
	return tags
}

// home returns a user's home without a limit, latest first, as members of indexes.
func (m *socialTruth) home(id forum.UserID) []string {
	set := func(user forum.UserID, name string) zset { return m.sets[placeOf("u", user, ":"+name)] }
	union := maps.Clone(set(id, "profile"))
	if union == nil {
		union = zset{}
	}
	for user := range set(id, "following") {
		maps.Copy(union, set(forum.UserID(whole(user)), "profile"))
	}
	for subject := range set(id, "subjects") {
		for member, created := range m.sets["{ix:"+subject+"}:created"] {
			topic, _ := strconv.ParseInt(member[11:], 16, 64)
			author := m.hashes[placeOf("t", topic, "")]["author"]
			_, here := set(id, "blocked")[author]
			_, there := set(id, "blockers")[author]
			if !here && !there {
				union[member] = created
			}
		}
	}
	all := slices.Sorted(maps.Keys(union))
	slices.Reverse(all)
	return all
}
