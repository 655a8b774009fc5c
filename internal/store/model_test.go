package store

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// model is all data in Redis, and their problems.
type model struct {
	hashes map[string]map[string]string
	zsets  map[string]map[string]float64
	others map[string]string // STRINGs by value, other types as ""
	wrong  []string
	sorted []string // keys of hashes
}

// wantSound fails the test if the hashes, lists, counters and claims of a settled site disagree.
func (x *site) wantSound() {
	x.t.Helper()
	for _, w := range x.problems() {
		x.t.Errorf("after Settle: %s", w)
	}
}

// problems returns disagreements: the hashes of topics, comments, users, categories and tabs are the truth,
// everything else follows from them.
func (x *site) problems() []string {
	x.t.Helper()
	m := x.load()
	m.sound()
	return m.wrong
}

func (m *model) sound() {
	m.topics()
	m.comments()
	m.users()
	m.catalogue()
	m.atRest()
}

// learnTypes queries the types of new keys: a name has one type.
func (x *site) learnTypes(names []string) {
	if x.types == nil {
		x.types = map[string]string{}
	}
	asked := map[string]*redis.StatusCmd{}
	pipe := x.rdb.Pipeline()
	for _, n := range names {
		if x.types[n] == "" {
			asked[n] = pipe.Type(x.ctx, n)
		}
	}
	pipe.Exec(x.ctx)
	for n, cmd := range asked {
		x.types[n] = cmd.Val()
	}
}

func (x *site) load() *model {
	x.t.Helper()
	m := &model{hashes: map[string]map[string]string{}, zsets: map[string]map[string]float64{},
		others: map[string]string{}}
	names := slices.Sorted(maps.Keys(x.keys()))
	x.learnTypes(names)
	hashes, zsets, values := map[string]*redis.MapStringStringCmd{}, map[string]*redis.ZSliceCmd{},
		map[string]*redis.StringCmd{}
	pipe := x.rdb.Pipeline()
	for _, n := range names {
		switch x.types[n] {
		case "hash":
			hashes[n] = pipe.HGetAll(x.ctx, n)
		case "zset":
			zsets[n] = pipe.ZRangeWithScores(x.ctx, n, 0, -1)
		case "string":
			values[n] = pipe.Get(x.ctx, n)
		default:
			m.others[n] = ""
		}
	}
	if _, err := pipe.Exec(x.ctx); err != nil {
		x.t.Fatalf("read all keys: %v", err)
	}
	for n, cmd := range hashes {
		object := strings.TrimSuffix(n, ":internal") // both its hashes are one
		if m.hashes[object] == nil {
			m.hashes[object] = map[string]string{}
		}
		maps.Copy(m.hashes[object], cmd.Val())
	}
	for n, cmd := range zsets {
		m.zsets[n] = map[string]float64{}
		for _, z := range cmd.Val() {
			m.zsets[n][z.Member.(string)] = z.Score
		}
	}
	for n, cmd := range values {
		m.others[n] = cmd.Val()
	}
	return m
}

func (m *model) report(format string, args ...any) {
	m.wrong = append(m.wrong, fmt.Sprintf(format, args...))
}

// want compares a zset with its expected content.
func (m *model) want(key string, should map[string]float64) {
	if !maps.Equal(m.zsets[key], should) {
		m.report("%s = %v; want %v", key, m.zsets[key], should)
	}
}

// wantInt compares a number in a hash.
func (m *model) wantInt(key, field string, should int) {
	if got, _ := strconv.Atoi(m.hashes[key][field]); got != should {
		m.report("%s %s = %d; want %d", key, field, got, should)
	}
}

// each calls f with the hashes of one kind: t, c or u.
func (m *model) each(kind string, f func(id int64, key string, h map[string]string)) {
	if m.sorted == nil {
		m.sorted = slices.Sorted(maps.Keys(m.hashes))
	}
	for _, key := range m.sorted {
		_, rest, _ := strings.Cut(key, "}:")
		name, number, _ := strings.Cut(rest, ":")
		id, err := strconv.ParseInt(number, 10, 64)
		if err == nil && name == kind && strings.HasPrefix(key, "{p") {
			f(id, key, m.hashes[key])
		}
	}
}

// zsetsLike returns the names of the zsets with that prefix and suffix.
func (m *model) zsetsLike(prefix, suffix string) []string {
	var names []string
	for n := range m.zsets {
		if strings.HasPrefix(n, prefix) && strings.HasSuffix(n, suffix) {
			names = append(names, n)
		}
	}
	return names
}

// compare compares the expected lists with those that exist.
func (m *model) compare(should group, there []string) {
	for _, n := range there {
		if should[n] == nil {
			should[n] = map[string]float64{}
		}
	}
	for _, n := range slices.Sorted(maps.Keys(should)) {
		m.want(n, should[n])
	}
}

func number(h map[string]string, field string) float64 {
	n, _ := strconv.ParseFloat(h[field], 64)
	return n
}

// topics checks front, categories, profiles and their counts.
func (m *model) topics() {
	orders, profiles := group{}, group{}
	open := map[forum.Partition]int{}
	m.each("t", func(id int64, k string, h map[string]string) {
		if left := strings.TrimSpace(h["left"]); left != "" {
			m.report("%s left = %q; want nothing", k, left)
		}
		if !listedTopic(h) {
			return
		}
		open[forum.TopicID(id).Partition()]++
		created, active := number(h, "created"), number(h, "active")
		if h["category"] != "0" && m.hashes[key.CategoryPrefix+h["category"]] == nil {
			m.report("%s is in category %s, which does not exist", k, h["category"])
		}
		for _, c := range containersOf(h) {
			orders.put(c.Order(key.OrderCreated), record.Member(forum.Time(created), id), created)
			orders.put(c.Order(key.OrderActive), record.Member(forum.Time(created), id), active)
		}
		if author, err := forum.ParseID[forum.UserID](h["author"]); err == nil { // the ghost has no profile
			profiles.put(key.Profile(author), record.Member(forum.Time(created), id), created)
		}
	})
	m.compare(orders, append(m.zsetsLike("{ix:", ":created"), m.zsetsLike("{ix:", ":active")...))
	m.compare(profiles, m.zsetsLike("{p", ":profile"))
	for p := range forum.Partitions {
		m.wantInt(key.Stats(forum.Partition(p)), "topics", open[forum.Partition(p)])
	}
}

// comments checks numbers, replies, authors' lists and counts.
func (m *model) comments() {
	all, replies, written, deleted, authors := group{}, group{}, group{}, group{}, group{}
	count, active := map[string]int{}, map[string]float64{}
	answers := map[string]int{}
	live := map[forum.Partition]int{}
	m.each("c", func(id int64, k string, h map[string]string) {
		if heldComment(h) {
			return
		}
		topic, _ := forum.ParseID[forum.TopicID](h["topic"])
		parent, _ := forum.ParseID[forum.CommentID](h["parent"])
		n, name := number(h, "floor"), key.Itoa(forum.CommentID(id))
		all.put(key.TopicComments(topic), name, n)
		if parent == 0 {
			replies.put(key.TopicReplies(topic), name, n)
		} else {
			replies.put(key.CommentReplies(parent), name, n)
		}
		active[key.Topic(topic)] = max(active[key.Topic(topic)], number(h, "created"))
		if !liveComment(h) {
			deleted.put(key.Tombstones(topic), name, n)
			return
		}
		authors.put(key.Authors(topic), record.Authored(forum.UserID(number(h, "author")), int64(n)), 0)
		count[key.Topic(topic)]++
		answers[key.Comment(parent)]++
		if !listedTopic(m.hashes[key.Topic(topic)]) {
			return
		}
		live[topic.Partition()]++
		if author, err := forum.ParseID[forum.UserID](h["author"]); err == nil {
			written.put(key.UserCommentsContainer(author).Order(key.OrderCreated),
				record.Member(forum.Time(number(h, "created")), id), number(h, "created"))
		}
	})
	m.compare(all, m.zsetsLike("{p", ":comments"))
	m.compare(replies, m.zsetsLike("{p", ":replies"))
	m.compare(authors, m.zsetsLike("{p", ":authors"))
	m.compare(deleted, slices.DeleteFunc(m.zsetsLike("{p", ":gone"),
		func(key string) bool { return strings.HasSuffix(key, ":comments:gone") }))
	m.compare(written, m.zsetsLike("{p", ":comments:created"))
	for key, members := range all {
		numbers := slices.Sorted(maps.Values(members))
		if n := len(numbers); n > 0 && numbers[n-1] != float64(n) {
			m.report("%s has the numbers %v", key, numbers)
		}
	}
	m.each("t", func(id int64, key string, h map[string]string) {
		m.wantInt(key, "comments", count[key])
		m.wantInt(key, "floor", len(all[key+":comments"]))
		if want := max(number(h, "created"), active[key]); number(h, "active") != want {
			m.report("%s active = %s; want %.0f", key, h["active"], want)
		}
	})
	m.each("c", func(_ int64, key string, _ map[string]string) { m.wantInt(key, "replies", answers[key]) })
	for p := range forum.Partitions {
		m.wantInt(key.Stats(forum.Partition(p)), "comments", live[forum.Partition(p)])
	}
}

// users checks claims, states and counts.
func (m *model) users() {
	claims := map[string]string{}
	there := map[string]string{} // without reserved ones
	for key, value := range m.others {
		if _, rests := record.ParseRest(value); strings.HasPrefix(key, "uniq:") && !rests {
			there[key] = value
		}
	}
	active := map[forum.Partition]int{}
	m.each("u", func(id int64, k string, h map[string]string) {
		user := forum.UserID(id)
		if h["state"] != catalogue.UserDeleted && h["state"] != catalogue.UserActive {
			m.report("%s state = %s; want %s or %s", k, h["state"], catalogue.UserActive, catalogue.UserDeleted)
			return
		}
		m.wantInt(k, "topics", len(m.zsets[key.Profile(user)]))
		if h["state"] == catalogue.UserDeleted {
			return
		}
		active[user.Partition()]++
		login := cmp.Or(h["loginNonce"], h["nonce"]) // of the registration, or the last change
		own := map[string]string{key.LoginClaim(h["fold"]): login}
		if h["emailFold"] != "" {
			own[key.EmailClaim(h["emailFold"])] = h["emailNonce"]
		}
		for _, claim := range strings.Fields(h["lookClaims"]) {
			if h["src"] == "" || there[claim] == key.Itoa(user)+"/"+login { // imports have only those that were free
				own[claim] = login
			}
		}
		for claim, nonce := range own {
			if other, twice := claims[claim]; twice {
				m.report("%s and %s both own %s", k, other, claim)
			}
			claims[claim] = key.Itoa(user) + "/" + nonce
		}
		if h["newEmailNonce"] != "" {
			m.report("%s still has a pending change of e-mail", k)
		}
	})
	if !maps.Equal(there, claims) {
		m.report("claims = %v; want %v", there, claims)
	}
	for p := range forum.Partitions {
		m.wantInt(key.Stats(forum.Partition(p)), "users", active[forum.Partition(p)])
	}
}

// catalogue checks categories and tabs.
func (m *model) catalogue() {
	type kind struct{ prefix, names, all, links, back, backLinks string }
	for _, k := range []kind{
		{key.CategoryPrefix, key.CategoryNames, key.Categories, ":tabs", key.TabPrefix, ":categories"},
		{key.TabPrefix, key.TabNames, key.Tabs, ":categories", key.CategoryPrefix, ":tabs"},
	} {
		names, all := map[string]string{}, map[string]float64{}
		for name, h := range m.hashes {
			id, ok := strings.CutPrefix(name, k.prefix)
			if !ok {
				continue
			}
			names[h["fold"]] = id
			all[id], _ = strconv.ParseFloat(id, 64)
			if k.prefix == key.TabPrefix {
				m.wantInt(name, "categories", len(m.zsets[name+k.links]))
			}
			for other := range m.zsets[name+k.links] {
				if _, ok := m.zsets[k.back+other+k.backLinks][id]; !ok {
					m.report("%s refers to %s, but not vice versa", name+k.links, other)
				}
			}
		}
		if !maps.Equal(names, m.hashes[k.names]) && len(names)+len(m.hashes[k.names]) > 0 {
			m.report("%s = %v; want %v", k.names, m.hashes[k.names], names)
		}
		if len(all) > 0 || len(m.zsets[k.all]) > 0 {
			m.want(k.all, all)
		}
		for _, n := range m.zsetsLike(k.prefix, k.links) {
			if m.hashes[strings.TrimSuffix(n, k.links)] == nil {
				m.report("%s has no owner", n)
			}
		}
	}
}

// atRest checks that no work is left or half done.
func (m *model) atRest() {
	for n := range m.others {
		id, _ := strings.CutPrefix(strings.TrimSuffix(n, "}:closed"), "{ix:c")
		if strings.HasSuffix(n, "}:closed") && m.hashes[key.CategoryPrefix+id] != nil {
			m.report("%s and the category both exist", n)
		}
	}
	for _, suffix := range []string{":dirty", ":due", ":dead"} {
		for _, n := range m.zsetsLike("{", suffix) {
			m.report("%s = %v; want nothing", n, m.zsets[n])
		}
	}
	for n := range m.hashes {
		if strings.Contains(n, "}:task:") {
			m.report("%s is left", n)
		}
	}
	for n := range m.others {
		if strings.HasSuffix(n, ":rel") {
			m.report("%s is left", n)
		}
	}
}
