package store

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// calm settles the site, including refills of homes.
func (x *site) calm() {
	x.t.Helper()
	for {
		wantOK(x.t, "Settle", x.Flush(x.ctx))
		if x.runDue() == 0 {
			x.cleaner.flush()
			return
		}
	}
}

// wantInOrder settles the site and fails the test unless all data agree.
func (x *site) wantInOrder(after string) {
	x.t.Helper()
	x.calm()
	for _, w := range slices.Concat(x.problems(), x.disagreements()) {
		x.t.Errorf("%s: %s", after, w)
	}
}

// wantDisagreement settles the site and fails the test if all data agree.
func (x *site) wantDisagreement(want string) {
	x.t.Helper()
	x.calm()
	if len(x.problems())+len(x.disagreements()) == 0 {
		x.t.Errorf("with the rule disabled there are no problems; want %s", want)
	}
}

// disagreements returns what in the edges, lists and homes of a settled site does not follow from the users' sides
// and the hashes of topics.
func (x *site) disagreements() []string {
	x.t.Helper()
	m := x.load()
	m.disagreements(x.sizes)
	return m.wrong
}

func (m *model) disagreements(of Sizes) {
	m.edges()
	m.listings()
	m.homes(of)
}

// active reports whether the user is active.
func (m *model) active(user string) bool {
	id, err := forum.ParseID[forum.UserID](user)
	return err == nil && m.hashes[key.User(id)]["state"] == catalogue.UserActive
}

// inBlock reports whether there is a block between users, from the blocks of one of them.
func (m *model) inBlock(a, b forum.UserID) bool {
	_, blocked := m.zsets[key.Blocked(a)][key.Itoa(b)]
	_, blocks := m.zsets[key.Blocked(b)][key.Itoa(a)]
	return blocked || blocks
}

// edges checks the far sides of follows and blocks, and the counts.
func (m *model) edges() {
	followers, blockers, audience, bookmarkers := group{}, group{}, group{}, group{}
	m.each("u", func(n int64, k string, h map[string]string) {
		id := forum.UserID(n)
		if h["state"] != catalogue.UserActive {
			for _, side := range []string{key.Following(id), key.Subjects(id), key.Blocked(id), key.Bookmarks(id),
				key.Marked(id), key.Home(id)} {
				m.want(side, map[string]float64{})
			}
			return
		}
		m.wantInt(k, "following", len(m.zsets[key.Following(id)]))
		for user, at := range m.zsets[key.Following(id)] {
			other := forum.UserID(record.Atoi(user))
			if m.inBlock(id, other) {
				m.report("user %d follows user %d despite a block", id, other)
			}
			followers.put(key.Followers(other), key.Itoa(id), at)
		}
		for user, at := range m.zsets[key.Blocked(id)] {
			blockers.put(key.Blockers(forum.UserID(record.Atoi(user))), key.Itoa(id), at)
		}
		for topic, at := range m.zsets[key.Bookmarks(id)] {
			kept := key.Topic(forum.TopicID(record.Atoi(topic)))
			bookmarkers.put(kept+":bookmarkers", key.Itoa(id), at)
			if s := m.hashes[kept]["state"]; s == "" || s == string(forum.TopicDeleted) {
				m.report("user %d has bookmarked topic %s, which does not exist", id, topic)
			}
		}
		for subject, at := range m.zsets[key.Subjects(id)] {
			c := key.Container("{ix:" + subject + "}")
			audience.put(c.Followers(), key.Itoa(id), at)
			if m.hashes[string(c)+":tag"] == nil && m.hashes[key.CategoryPrefix+subject[1:]] == nil {
				m.report("user %d follows %s, which does not exist", id, subject)
			}
		}
		for _, side := range []string{key.Following(id), key.Blocked(id)} {
			for user := range m.zsets[side] {
				if !m.active(user) {
					m.report("%s has user %s, who is deleted", side, user)
				}
			}
		}
	})
	m.compare(followers, m.zsetsLike("{p", ":followers"))
	m.compare(blockers, m.zsetsLike("{p", ":blockers"))
	m.compare(bookmarkers, m.zsetsLike("{p", ":bookmarkers"))
	m.compare(audience, m.zsetsLike("{ix:", ":followers"))
	m.each("u", func(n int64, k string, _ map[string]string) {
		m.wantInt(k, "followers", len(m.zsets[key.Followers(forum.UserID(n))]))
	})
}

// listings checks lists of users: their owners, names, and the members' side.
func (m *model) listings() {
	lists, listed, names := group{}, group{}, map[string]map[string]string{}
	m.each("l", func(n int64, k string, h map[string]string) {
		owner, id := forum.UserID(record.Atoi(h["owner"])), forum.ListID(n)
		if !m.active(h["owner"]) {
			m.report("%s belongs to user %d, who is deleted", k, owner)
		}
		lists.put(key.Lists(owner), key.Itoa(id), float64(n))
		if names[key.ListNames(owner)] == nil {
			names[key.ListNames(owner)] = map[string]string{}
		}
		names[key.ListNames(owner)][h["fold"]] = key.Itoa(id)
		for user, at := range m.zsets[key.ListMembers(id)] {
			listed.put(key.Listed(forum.UserID(record.Atoi(user))), key.Itoa(owner)+":"+key.Itoa(id), at)
			if !m.active(user) {
				m.report("%s has user %s, who is deleted", k, user)
			}
		}
	})
	m.compare(lists, m.zsetsLike("{p", ":lists"))
	m.compare(listed, m.zsetsLike("{p", ":listed"))
	for key, h := range m.hashes {
		if strings.HasSuffix(key, ":lists:names") && !maps.Equal(h, names[key]) {
			m.report("%s = %v; want %v", key, h, names[key])
		}
		delete(names, key)
	}
	if len(names) > 0 {
		m.report("names of lists are missing: %v", names)
	}
	for _, n := range m.zsetsLike("{p", ":members") {
		if m.hashes[strings.TrimSuffix(n, ":members")] == nil {
			m.report("%s has no owner", n)
		}
	}
}

// homes checks that each home holds what its sources hold above its watermark, at most its maximum, and its
// minimum if there are more.
func (m *model) homes(of Sizes) {
	m.each("u", func(n int64, k string, h map[string]string) {
		id, watermark := forum.UserID(n), h["homeFloor"]
		if h["state"] != catalogue.UserActive {
			return
		}
		should := map[string]float64{}
		for at, created := range m.union(id) {
			if at > watermark {
				should[record.HomeMember(at)] = created
			}
		}
		if there := m.zsets[key.Home(id)]; !maps.Equal(there, should) {
			m.report("%s, watermark %q, = %s; want %s", key.Home(id), watermark, topicsOf(there), topicsOf(should))
		}
		if len(should) > of.Home {
			m.report("%s has %d topics; want at most %d", key.Home(id), len(should), of.Home)
		}
		if watermark != "" && watermark != record.HomeNotKept && len(should) < of.Low {
			m.report("%s has %d topics above its watermark; want it refilled", key.Home(id), len(should))
		}
	})
}

// union returns the topics of all sources of a home, by their members of indexes.
func (m *model) union(id forum.UserID) map[string]float64 {
	all := map[string]float64{}
	m.each("t", func(n int64, _ string, h map[string]string) {
		if !listedTopic(h) {
			return
		}
		author := forum.UserID(record.Atoi(h["author"]))
		_, held := m.zsets[key.Following(id)][key.Itoa(author)]
		held = held || author == id
		if !m.inBlock(id, author) {
			for _, c := range containersOf(h) {
				subject := strings.TrimSuffix(strings.TrimPrefix(string(c), "{ix:"), "}")
				_, follows := m.zsets[key.Subjects(id)][subject]
				held = held || follows
			}
		}
		if held {
			all[record.Member(forum.Time(number(h, "created")), n)] = number(h, "created")
		}
	})
	return all
}

// topicsOf formats the topics of a home.
func topicsOf(home map[string]float64) string {
	var ids []string
	for _, m := range slices.Sorted(maps.Keys(home)) {
		id, _ := strconv.ParseInt(m, 16, 64)
		ids = append(ids, strconv.FormatInt(id, 10))
	}
	return fmt.Sprint(ids)
}
