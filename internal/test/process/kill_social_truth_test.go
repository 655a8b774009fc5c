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
	"agora/internal/test/must"
)

// zset is a sorted set of Redis.
type zset map[string]float64

// socialTruth is the state of users, topics and lists in Redis at rest, and what a model derives from it.
type socialTruth struct {
	hashes map[string]map[string]string
	sets   map[string]zset
	// derived are the sets derived from others: reverse sides of edges, profiles, indexes, homes.
	derived map[string]zset
	// wholes are users' homes without a limit, latest first, as members of indexes.
	wholes   map[forum.UserID][]string
	findings []string
}

// The keys that are read, and those that must not exist at rest.
var (
	socialHash    = regexp.MustCompile(`^\{p[0-9a-f]{2}\}:[utl]:[0-9]+(?::internal)?$`)
	socialNear    = regexp.MustCompile(`^\{p[0-9a-f]{2}\}:(u:[0-9]+:(following|subjects|blocked|lists)|l:[0-9]+:members)$`)
	socialDerived = regexp.MustCompile(
		`^(\{p[0-9a-f]{2}\}:u:[0-9]+:(followers|blockers|listed|profile|home)|\{ix:(front|[cg][0-9]+)\}:(created|followers))$`,
	)
	socialUnrest = regexp.MustCompile(`^(\{p[0-9a-f]{2}\}:(due|dirty|dead|task:.*)|\{cat\}:dirty)$`)
	numbersOfKey = regexp.MustCompile(`^\{p[0-9a-f]{2}\}:([utl]):([0-9]+)`)
)

// placeOf is a key of a user ("u"), topic ("t") or list ("l").
func placeOf[T ~int64](sort string, id T, rest string) string {
	return fmt.Sprintf("{p%02x}:%s:%d%s", int64(id)%forum.Partitions, sort, int64(id), rest)
}

// homeEntry is a topic's entry in homes.
func homeEntry(id forum.TopicID) string { return fmt.Sprintf("%08x", int64(id)) }

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
	m := &socialTruth{
		hashes:  map[string]map[string]string{},
		sets:    map[string]zset{},
		derived: map[string]zset{},
		wholes:  map[forum.UserID][]string{},
	}
	keys := must.Do(r.Keys(ctx, "*").Result())(t)
	for part := range slices.Chunk(keys, 1000) {
		pipe := r.Pipeline()
		hashes, sets := map[string]*redis.MapStringStringCmd{}, map[string]*redis.ZSliceCmd{}
		for _, key := range part {
			switch {
			case socialHash.MatchString(key):
				hashes[key] = pipe.HGetAll(ctx, key)
			case socialNear.MatchString(key), socialDerived.MatchString(key):
				sets[key] = pipe.ZRangeWithScores(ctx, key, 0, -1)
			case socialUnrest.MatchString(key):
				m.add("%s: is there at rest", key)
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

func (m *socialTruth) derive(key, member string, score float64) {
	if m.derived[key] == nil {
		m.derived[key] = zset{}
	}
	m.derived[key][member] = score
}

// verify compares the derived sets with the stored ones.
func (m *socialTruth) verify() {
	m.each("u", func(id int64, _ map[string]string) { m.deriveEdges(forum.UserID(id)) })
	m.each("t", m.deriveTopic)
	m.each("l", func(id int64, f map[string]string) {
		if _, there := m.sets[placeOf("u", whole(f["owner"]), ":lists")][itoa(id)]; !there {
			m.add("%s: its owner does not have it", placeOf("l", id, ""))
		}
	})
	m.each("u", func(id int64, f map[string]string) { m.deriveHome(forum.UserID(id), f) })
	for key := range m.sets {
		if socialDerived.MatchString(key) && m.derived[key] == nil {
			m.derived[key] = zset{}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(m.derived)) {
		m.compare(key, m.sets[key], m.derived[key])
	}
	m.each("u", m.verifyCounters)
}

func (m *socialTruth) compare(key string, got, want zset) {
	if maps.Equal(got, want) {
		return
	}
	var wrong []string
	for _, member := range slices.Sorted(maps.Keys(want)) {
		if score, there := got[member]; !there {
			wrong = append(wrong, "lacks "+member)
		} else if score != want[member] {
			wrong = append(wrong, fmt.Sprintf("%s at %.0f, not %.0f", member, score, want[member]))
		}
	}
	for _, member := range slices.Sorted(maps.Keys(got)) {
		if _, there := want[member]; !there {
			wrong = append(wrong, "has "+member)
		}
	}
	m.add("%s: %d wrong of %d: %s", key, len(wrong), len(want), strings.Join(wrong[:min(len(wrong), 5)], ", "))
}

// deriveEdges derives the reverse sides of a user's edges.
func (m *socialTruth) deriveEdges(id forum.UserID) {
	own := func(set string) zset { return m.sets[placeOf("u", id, ":"+set)] }
	if !m.active(id) {
		for _, set := range []string{"following", "subjects", "blocked", "lists"} {
			if len(own(set)) > 0 {
				m.add("%s: is not empty; the user is deleted", placeOf("u", id, ":"+set))
			}
		}
	}
	toUsers := func(from string, members zset, reverse, as string) {
		for member, since := range members {
			if !m.active(forum.UserID(whole(member))) {
				m.add("%s: holds %s, who is deleted", from, member)
			}
			m.derive(placeOf("u", whole(member), ":"+reverse), as, since)
		}
	}
	toUsers(placeOf("u", id, ":following"), own("following"), "followers", itoa(id))
	toUsers(placeOf("u", id, ":blocked"), own("blocked"), "blockers", itoa(id))
	for list := range own("lists") {
		key := placeOf("l", whole(list), "")
		if m.hashes[key]["owner"] != itoa(id) {
			m.add("%s: is on the lists of %d; its owner is %q", key, id, m.hashes[key]["owner"])
		}
		toUsers(key+":members", m.sets[key+":members"], "listed", itoa(id)+":"+list)
	}
	for subject, since := range own("subjects") {
		m.derive("{ix:"+subject+"}:followers", itoa(id), since)
	}
	for other := range own("blocked") {
		for _, follow := range []struct {
			from forum.UserID
			to   string
		}{{id, other}, {forum.UserID(whole(other)), itoa(id)}} {
			if _, follows := m.sets[placeOf("u", follow.from, ":following")][follow.to]; follows {
				m.add("%s: holds %s, across a block", placeOf("u", follow.from, ":following"), follow.to)
			}
		}
	}
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

// deriveTopic adds a topic to its author's profile and the indexes.
func (m *socialTruth) deriveTopic(id int64, f map[string]string) {
	for _, field := range []string{"fan", "left", "leftTags"} {
		if f[field] != "" {
			m.add("%s: %s = %q at rest", placeOf("t", id, ""), field, f[field])
		}
	}
	if f["state"] != "OPEN" {
		return
	}
	created := whole(f["created"])
	member := fmt.Sprintf("%011x%08x", created, id)
	keys := []string{placeOf("u", whole(f["author"]), ":profile"), "{ix:front}:created"}
	if f["category"] != "0" {
		keys = append(keys, "{ix:c"+f["category"]+"}:created")
	}
	for tag := range tagsOf(f) {
		keys = append(keys, "{ix:g"+tag+"}:created")
	}
	for _, key := range keys {
		m.derive(key, member, float64(created))
	}
}

// deriveHome derives a user's home from its sources, which are in the user's own sets: all of it, and the part above
// the watermark.
func (m *socialTruth) deriveHome(id forum.UserID, f map[string]string) {
	key := placeOf("u", id, ":home")
	if !m.active(id) {
		return
	}
	union := zset{}
	maps.Copy(union, m.derived[placeOf("u", id, ":profile")])
	for user := range m.sets[placeOf("u", id, ":following")] {
		maps.Copy(union, m.derived[placeOf("u", whole(user), ":profile")])
	}
	blocked, blockers := m.sets[placeOf("u", id, ":blocked")], m.derived[placeOf("u", id, ":blockers")]
	for subject := range m.sets[placeOf("u", id, ":subjects")] {
		for member, created := range m.derived["{ix:"+subject+"}:created"] {
			topic, _ := strconv.ParseInt(member[11:], 16, 64)
			author := m.hashes[placeOf("t", topic, "")]["author"]
			_, here := blocked[author]
			_, there := blockers[author]
			if !here && !there {
				union[member] = created
			}
		}
	}
	watermark := f["homeFloor"]
	above := 0
	for member, created := range union {
		if member > watermark {
			m.derive(key, member[11:], created)
			above++
		}
	}
	m.wholes[id] = slices.Sorted(maps.Keys(union))
	slices.Reverse(m.wholes[id])
	if above > forum.HomeSize || above < forum.HomeLow && watermark != "" && watermark != "g" {
		m.add("%s: would hold %d topics above its watermark %s", key, above, watermark)
	}
}

// verifyCounters compares a user's counters with the sets.
func (m *socialTruth) verifyCounters(id int64, f map[string]string) {
	key := placeOf("u", id, "")
	for field, set := range map[string]string{"following": "following", "followers": "followers", "topics": "profile"} {
		if n := len(m.sets[key+":"+set]); whole(f[field]) != int64(n) {
			m.add("%s: %s = %q; the set has %d", key, field, f[field], n)
		}
	}
}
