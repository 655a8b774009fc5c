package store

import (
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

// miscounts returns disagreements of votes, orders, tags, days and logs of a settled site with the sets of
// voters and the hashes of topics and comments. It checks only what problems does not.
func (x *site) miscounts() []string {
	x.t.Helper()
	m := x.load()
	m.votes()
	m.orders()
	m.days(x.Store)
	m.commentVotes()
	m.logs(x.Now())
	m.lives(x)
	return m.wrong
}

// votes checks that counts are the imported base plus the voters, and that no user votes both ways.
func (m *model) votes() {
	for _, kind := range []string{"t", "c"} {
		m.each(kind, func(_ int64, k string, h map[string]string) {
			up, down := m.zsets[key.Upvoters(k)], m.zsets[key.Downvoters(k)]
			m.wantInt(k, "up", int(number(h, "upBase"))+len(up))
			m.wantInt(k, "down", int(number(h, "downBase"))+len(down))
			for user := range up {
				if _, both := down[user]; both {
					m.report("%s: user %s votes both ways", k, user)
				}
			}
		})
	}
}

// containersOf returns the containers that an open topic is in.
func containersOf(h map[string]string) []key.Container {
	in := []key.Container{key.FrontContainer}
	if h["category"] != "0" {
		in = append(in, key.Container("{ix:c"+h["category"]+"}"))
	}
	for _, tag := range catalogue.DecodeTags(h["tags"]) {
		in = append(in, key.TagContainer(tag.ID))
	}
	return in
}

// orders checks every order of every container, and the names of tags.
func (m *model) orders() {
	should, names := group{}, map[string]bool{}
	m.each("t", func(id int64, k string, h map[string]string) {
		if left := strings.TrimSpace(h["leftTags"]); left != "" {
			m.report("%s leftTags = %q; want nothing", k, left)
		}
		if !listedTopic(h) {
			return
		}
		created, net := forum.Time(number(h, "created")), int(number(h, "up")-number(h, "down"))
		for _, c := range containersOf(h) {
			at := record.Member(created, id)
			should.put(c.Order(key.OrderCreated), at, float64(created))
			should.put(c.Order(key.OrderActive), at, number(h, "active"))
			should.put(c.Order(key.OrderScore), at, float64(int64(created)+432_000*int64(net)))
			should.put(c.Order(key.OrderHot), at, forum.Hot(created, net))
			if down := number(h, "down"); down > 0 {
				should.put(c.Order(key.OrderDown), at, down)
			}
		}
		for _, tag := range catalogue.DecodeTags(h["tags"]) {
			names[key.Tag(tag.ID)] = true
		}
	})
	var there []string
	for _, order := range key.TopicOrders {
		there = append(there, m.zsetsLike("{ix:", ":"+order)...)
	}
	m.compare(should, there)
	for key, h := range m.hashes {
		if strings.HasSuffix(key, "}:tag") && names[key] != (h["name"] != "") {
			m.report("%s = %v; want a name as long as a topic has the tag: %t", key, h, names[key])
		}
	}
	for key := range names {
		if m.hashes[key] == nil {
			m.report("%s does not exist; want the name of a tag with topics", key)
		}
	}
}

// days checks topics' counts of comments of their latest days, and the boards of today and yesterday.
func (m *model) days(s *Store) {
	live, latest := map[string]map[forum.Day]int{}, map[string]forum.Day{}
	m.each("c", func(_ int64, _ string, h map[string]string) {
		if h["state"] == string(forum.CommentHeld) {
			return
		}
		id, _ := forum.ParseID[forum.TopicID](h["topic"])
		key, day := key.Topic(id), forum.DayOf(forum.Time(number(h, "created")), s.Zone())
		if live[key] == nil {
			live[key] = map[forum.Day]int{}
		}
		latest[key] = max(latest[key], day)
		if liveComment(h) {
			live[key][day]++
		}
	})
	boards, there := group{}, []string(nil)
	for _, day := range []forum.Day{s.Today(), s.Today() - 1} {
		if key := key.DayContainer(day).Order(key.OrderReplies); m.zsets[key] != nil {
			there = append(there, key)
		}
	}
	m.each("t", func(id int64, k string, h map[string]string) {
		if latest[k] == 0 { // no comments, or only of 1 January 1970, which is not a day here
			delete(live, k)
		}
		m.wantInt(k, "day", int(latest[k]))
		m.wantInt(k, "dayComments", live[k][latest[k]])
		m.wantInt(k, "dayBefore", live[k][latest[k]-1])
		for _, day := range []forum.Day{s.Today(), s.Today() - 1} {
			if n := live[k][day]; n > 0 && listedTopic(h) {
				boards.put(key.DayContainer(day).Order(key.OrderReplies), record.Member(forum.Time(number(h, "created")), id),
					float64(n))
			}
		}
	})
	m.compare(boards, there)
}

// commentVotes checks the lists' counts of votes on their comments.
func (m *model) commentVotes() {
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
		put(key.CommentVotes(key.Topic(topic)), strconv.FormatInt(id, 10), fmt.Sprint(up, " ", down))
		if parent, err := forum.ParseID[forum.CommentID](h["parent"]); err == nil {
			put(key.CommentVotes(key.Comment(parent)), strconv.FormatInt(id, 10), fmt.Sprint(up, " ", down))
		}
	})
	for key, h := range m.hashes {
		if strings.HasSuffix(key, ":tally") && !maps.Equal(h, should[key]) {
			m.report("%s = %v; want %v", key, h, should[key])
		}
		delete(should, key)
	}
	for key, h := range should {
		m.report("%s does not exist; want %v", key, h)
	}
}

// logs checks that users' logs agree with the voters of each article, as long as these are kept.
func (m *model) logs(now forum.Time) {
	voteDirections := func(topic, user string, logged forum.VoteDirection) forum.VoteDirection {
		id, _ := forum.ParseID[forum.TopicID](topic)
		if now >= forum.Time(number(m.hashes[key.Topic(id)], "created"))+604_800_000+3_600_000 {
			return logged
		}
		if _, ok := m.zsets[key.Upvoters(key.Topic(id))][user]; ok {
			return forum.VoteUp
		}
		if _, ok := m.zsets[key.Downvoters(key.Topic(id))][user]; ok {
			return forum.VoteDown
		}
		return forum.VoteNone
	}
	m.each("u", func(id int64, k string, h map[string]string) {
		log := m.zsets[key.VoteLog(forum.UserID(id))]
		if len(log) > forum.VoteLog || h["state"] != catalogue.UserActive && len(log) > 0 {
			m.report("%s, %s, has a log of %d", k, h["state"], len(log))
		}
		for topic, entry := range log {
			_, v := record.UnpackVote(entry)
			if want := voteDirections(topic, strconv.FormatInt(id, 10), v); v != want {
				m.report("log of %s says %s on topic %s; want %s", k, v, topic, want)
			}
		}
	})
	m.each("t", func(id int64, k string, h map[string]string) {
		if h["kind"] != string(forum.Article) {
			return
		}
		for _, side := range []string{key.Upvoters(k), key.Downvoters(k)} {
			for voter := range m.zsets[side] {
				user, _ := forum.ParseID[forum.UserID](voter)
				log := m.zsets[key.VoteLog(user)]
				if _, ok := log[strconv.FormatInt(id, 10)]; !ok && len(log) < forum.VoteLog &&
					m.hashes[key.User(user)]["state"] == catalogue.UserActive {
					m.report("%s: the log of user %s does not have it", k, voter)
				}
			}
		}
	})
}

// hashesLike returns the names of the hashes with that prefix and suffix.
func (m *model) hashesLike(prefix, suffix string) []string {
	var names []string
	for n := range m.hashes {
		if strings.HasPrefix(n, prefix) && strings.HasSuffix(n, suffix) {
			names = append(names, n)
		}
	}
	return names
}

// lives checks when keys expire: those of an article's voters, of boards, of tags without topics.
func (m *model) lives(x *site) {
	want := map[string]int64{}
	m.each("t", func(_ int64, k string, h map[string]string) {
		for _, side := range []string{key.Upvoters(k), key.Downvoters(k)} {
			if m.zsets[side] == nil {
				continue
			}
			if want[side] = -1; h["kind"] == string(forum.Article) {
				want[side] = (int64(number(h, "created")) + 604_800_000 + 3_600_000 + 999) / 1000
			}
		}
	})
	for _, k := range slices.Concat(slices.Collect(maps.Keys(m.zsets)), slices.Collect(maps.Keys(m.hashes))) {
		name, _, _ := strings.Cut(k, "}:")
		if day, ok := key.Container(name + "}").Day(); ok {
			want[k] = int64((day+2).Begins(x.Zone())+3_600_999) / 1000
		}
	}
	for _, k := range slices.Concat(m.zsetsLike("{ix:g", ":gone"), m.hashesLike("{ix:g", ":rev")) {
		// The bookkeeping of a tag without topics expires some time after its last topic.
		name, _, _ := strings.Cut(k, "}:")
		if len(m.zsets[key.Container(name+"}").Order(key.OrderCreated)]) > 0 {
			want[k] = -1
		} else if x.rdb.TTL(x.ctx, k).Val() <= 0 {
			m.report("%s never expires, and no topic has the tag", k)
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
			m.report("%s expires at %d; want %d", key, got, want[key])
		}
	}
}

// endsAt checks when a key expires, in Unix seconds. The embedded server stores remaining lifetimes, which
// shrink only when its clock is moved.
func (x *site) endsAt(got, want int64) bool {
	return got == want || !x.server.Real() && want > 0 && got > want && got < want+60
}
