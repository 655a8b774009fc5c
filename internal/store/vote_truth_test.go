package store

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
)

// miscounts tells what votes, orders, tags, days and logs of a settled site do not
// agree with: the sets of voters, the hashes of topics and comments. It looks only at
// what problems does not.
func (x *site) miscounts() []string {
	x.t.Helper()
	m := x.load()
	m.votes()
	m.orders()
	m.days(x.Store)
	m.tallies()
	m.logs(x.Now())
	m.lives(x)
	return m.wrong
}

// votes checks that counts are the imported base and the voters, and that nobody
// votes both ways.
func (m *model) votes() {
	for _, kind := range []string{"t", "c"} {
		m.each(kind, func(_ int64, key string, h map[string]string) {
			up, down := m.zsets[upKey(key)], m.zsets[downKey(key)]
			m.wantInt(key, "up", int(number(h, "upBase"))+len(up))
			m.wantInt(key, "down", int(number(h, "downBase"))+len(down))
			for user := range up {
				if _, both := down[user]; both {
					m.blame("%s: user %s votes both ways", key, user)
				}
			}
		})
	}
}

// containersOf are those in which an open topic stands.
func containersOf(h map[string]string) []container {
	in := []container{frontContainer}
	if h["category"] != "0" {
		in = append(in, container("{ix:c"+h["category"]+"}"))
	}
	for _, tag := range decodeTags(h["tags"]) {
		in = append(in, tagContainer(tag.ID))
	}
	return in
}

// orders checks every order of every container, and the names of tags.
func (m *model) orders() {
	should, names := group{}, map[string]bool{}
	m.each("t", func(id int64, key string, h map[string]string) {
		if left := strings.TrimSpace(h["leftTags"]); left != "" {
			m.blame("%s leftTags = %q; want nothing", key, left)
		}
		if h["state"] != string(forum.TopicOpen) {
			return
		}
		created, net := forum.Time(number(h, "created")), int(number(h, "up")-number(h, "down"))
		for _, c := range containersOf(h) {
			at := member(created, id)
			should.put(c.order(orderCreated), at, float64(created))
			should.put(c.order(orderActive), at, number(h, "active"))
			should.put(c.order(orderScore), at, float64(int64(created)+432_000*int64(net)))
			should.put(c.order(orderHot), at, forum.Hot(created, net))
			if down := number(h, "down"); down > 0 {
				should.put(c.order(orderDown), at, down)
			}
		}
		for _, tag := range decodeTags(h["tags"]) {
			names[tagKey(tag.ID)] = true
		}
	})
	var there []string
	for _, order := range topicOrders {
		there = append(there, m.zsetsLike("{ix:", ":"+order)...)
	}
	m.compare(should, there)
	for key, h := range m.hashes {
		if strings.HasSuffix(key, "}:tag") && (!names[key] || h["name"] == "") {
			m.blame("%s = %v; want it as long as a topic bears the tag: %t", key, h, names[key])
		}
	}
	for key := range names {
		if m.hashes[key] == nil {
			m.blame("%s is not there; want the name of a tag that is borne", key)
		}
	}
}

// days checks what topics know of the comments of their latest days, and the boards
// of today and yesterday.
func (m *model) days(s *Store) {
	live, latest := map[string]map[forum.Day]int{}, map[string]forum.Day{}
	m.each("c", func(_ int64, _ string, h map[string]string) {
		id, _ := forum.ParseID[forum.TopicID](h["topic"])
		key, day := topicKey(id), forum.DayOf(forum.Time(number(h, "created")), s.Zone())
		if live[key] == nil {
			live[key] = map[forum.Day]int{}
		}
		latest[key] = max(latest[key], day)
		if h["deleted"] == "" {
			live[key][day]++
		}
	})
	boards, there := group{}, []string(nil)
	for _, day := range []forum.Day{s.Today(), s.Today() - 1} {
		if key := dayContainer(day).order(orderReplies); m.zsets[key] != nil {
			there = append(there, key)
		}
	}
	m.each("t", func(id int64, key string, h map[string]string) {
		if latest[key] == 0 { // no comments, or only of the first of January 1970, which is no day here
			delete(live, key)
		}
		m.wantInt(key, "day", int(latest[key]))
		m.wantInt(key, "dayComments", live[key][latest[key]])
		m.wantInt(key, "dayBefore", live[key][latest[key]-1])
		for _, day := range []forum.Day{s.Today(), s.Today() - 1} {
			if n := live[key][day]; n > 0 && h["state"] == string(forum.TopicOpen) {
				boards.put(dayContainer(day).order(orderReplies), member(forum.Time(number(h, "created")), id), float64(n))
			}
		}
	})
	m.compare(boards, there)
}

// tallies checks what lists know of the votes on their comments.
func (m *model) tallies() {
	should := map[string]map[string]string{}
	put := func(key, id, votes string) {
		if should[key] == nil {
			should[key] = map[string]string{}
		}
		should[key][id] = votes
	}
	m.each("c", func(id int64, _ string, h map[string]string) {
		up, down := int(number(h, "up")), int(number(h, "down"))
		if up+down == 0 {
			return
		}
		topic, _ := forum.ParseID[forum.TopicID](h["topic"])
		put(talliesKey(topicKey(topic)), strconv.FormatInt(id, 10), fmt.Sprint(up, " ", down))
		if parent, err := forum.ParseID[forum.CommentID](h["parent"]); err == nil {
			put(talliesKey(commentKey(parent)), strconv.FormatInt(id, 10), fmt.Sprint(up, " ", down))
		}
	})
	for key, h := range m.hashes {
		if strings.HasSuffix(key, ":tally") && !maps.Equal(h, should[key]) {
			m.blame("%s = %v; want %v", key, h, should[key])
		}
		delete(should, key)
	}
	for key, h := range should {
		m.blame("%s is not there; want %v", key, h)
	}
}

// logs checks that users' logs say of each article what its voters do, as long as
// these are kept.
func (m *model) logs(now forum.Time) {
	stands := func(topic, user string, logged forum.VoteDirection) forum.VoteDirection {
		id, _ := forum.ParseID[forum.TopicID](topic)
		if now >= forum.Time(number(m.hashes[topicKey(id)], "created"))+604_800_000+3_600_000 {
			return logged
		}
		if _, ok := m.zsets[upKey(topicKey(id))][user]; ok {
			return forum.VoteUp
		}
		if _, ok := m.zsets[downKey(topicKey(id))][user]; ok {
			return forum.VoteDown
		}
		return forum.VoteNone
	}
	m.each("u", func(id int64, key string, h map[string]string) {
		log := m.zsets[voteLogKey(forum.UserID(id))]
		if len(log) > forum.VoteLog || h["state"] != userActive && len(log) > 0 {
			m.blame("%s, %s, has a log of %d", key, h["state"], len(log))
		}
		for topic, entry := range log {
			_, v := unpackVote(entry)
			if want := stands(topic, strconv.FormatInt(id, 10), v); v != want {
				m.blame("log of %s says %s on topic %s; want %s", key, v, topic, want)
			}
		}
	})
	m.each("t", func(id int64, key string, h map[string]string) {
		if h["kind"] != string(forum.Article) {
			return
		}
		for _, side := range []string{upKey(key), downKey(key)} {
			for voter := range m.zsets[side] {
				user, _ := forum.ParseID[forum.UserID](voter)
				log := m.zsets[voteLogKey(user)]
				if _, ok := log[strconv.FormatInt(id, 10)]; !ok && len(log) < forum.VoteLog && m.hashes[userKey(user)]["state"] == userActive {
					m.blame("%s: the log of user %s knows nothing of it", key, voter)
				}
			}
		}
	})
}

// hashesLike are the names of the hashes with that prefix and suffix.
func (m *model) hashesLike(prefix, suffix string) []string {
	var names []string
	for n := range m.hashes {
		if strings.HasPrefix(n, prefix) && strings.HasSuffix(n, suffix) {
			names = append(names, n)
		}
	}
	return names
}

// lives checks when keys expire: those of an article's voters, of boards, of tags
// that nobody bears.
func (m *model) lives(x *site) {
	want := map[string]int64{}
	m.each("t", func(_ int64, key string, h map[string]string) {
		for _, side := range []string{upKey(key), downKey(key)} {
			if m.zsets[side] == nil {
				continue
			}
			if want[side] = -1; h["kind"] == string(forum.Article) {
				want[side] = (int64(number(h, "created")) + 604_800_000 + 3_600_000 + 999) / 1000
			}
		}
	})
	for _, key := range slices.Concat(slices.Collect(maps.Keys(m.zsets)), slices.Collect(maps.Keys(m.hashes))) {
		name, _, _ := strings.Cut(key, "}:")
		if day, ok := container(name + "}").day(); ok {
			want[key] = int64((day+2).Begins(x.Zone())+3_600_999) / 1000
		}
	}
	for _, key := range slices.Concat(m.zsetsLike("{ix:g", ":gone"), m.hashesLike("{ix:g", ":rev")) {
		// Of a tag that nobody bears the rest goes, some time after its last topic.
		name, _, _ := strings.Cut(key, "}:")
		if len(m.zsets[container(name+"}").order(orderCreated)]) > 0 {
			want[key] = -1
		} else if x.rdb.TTL(x.ctx, key).Val() <= 0 {
			m.blame("%s never expires, and nobody bears the tag", key)
		}
	}
	pipe := x.rdb.Pipeline()
	ends := map[string]*redis.Cmd{}
	for key := range want {
		ends[key] = pipe.Do(x.ctx, "EXPIRETIME", key)
	}
	if _, err := pipe.Exec(x.ctx); err != nil && len(want) > 0 {
		x.t.Fatalf("EXPIRETIME: %v", err)
	}
	for key, cmd := range ends {
		if got, _ := cmd.Int64(); !x.endsAt(got, want[key]) {
			m.blame("%s expires at %d; want %d", key, got, want[key])
		}
	}
}

// endsAt compares when a key expires, in Unix seconds. The embedded server keeps how
// long keys have left, which does not shrink while nobody moves its clock on.
func (x *site) endsAt(got, want int64) bool {
	return got == want || !x.server.Real() && want > 0 && got > want && got < want+60
}
