package fsck

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/derive"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// homeView is the sources of a home.
type homeView struct {
	id           forum.UserID
	f            record.Fields // of the owner
	own, foreign [][]string    // topics of users; of categories and tags
	followed     []redis.Z
	blocks       map[string]bool // users in a block with the owner
}

// home compares a home with its sources. If they differ, the pending writes are read, and then the home again: what was
// not pending after the sources were read is in the home.
func (l *look) home() {
	v := &homeView{id: forum.UserID(l.on.id)}
	k := key.Home(v.id)
	hash, home := l.hmget(key.User(v.id), []string{"state", "etime", "homeFloor"}), l.zset(k)
	l.wait()
	v.f = hash()
	if v.f["state"] != catalogue.UserActive {
		return
	}
	fill := call(l.repairer.FillHome, v.id)
	if n, most := len(home.Val()), l.repairer.Sizes().Home; n > most {
		l.add(RuleHomeSize, k, fill, "%d topics; the maximum is %d", n, most)
	}
	watermark, has := v.f["homeFloor"]
	if _, _, err := record.ParseMember(watermark); has && watermark != record.HomeNotKept &&
		(err != nil || strings.ToLower(watermark) != watermark) {
		l.add(RuleHomeWatermark, key.User(v.id), fill, "watermark is %q", watermark)
		return
	}
	l.readSources(v)
	want := derive.Home(watermark, v.own, v.foreign, l.blockedTopics(v))
	if d := compareHome(home.Val(), want); len(d.missing)+len(d.stray) > 0 {
		l.compareAgain(v, want, d)
	}
}

// readSources reads what the topics of a home are derived from.
func (l *look) readSources(v *homeView) {
	following, subjects := l.zset(key.Following(v.id)), l.zset(key.Subjects(v.id))
	blocked, blockers := l.zset(key.Blocked(v.id)), l.zset(key.Blockers(v.id))
	l.wait()
	v.followed, v.blocks = following.Val(), map[string]bool{}
	for _, z := range slices.Concat(blocked.Val(), blockers.Val()) {
		v.blocks[z.Member.(string)] = true
	}
	if v.f["homeFloor"] == record.HomeNotKept {
		return
	}
	from := &redis.ZRangeBy{Min: "-inf", Max: "+inf"}
	if _, created, err := record.ParseMember(v.f["homeFloor"]); err == nil {
		from.Min = key.Itoa(created)
	}
	own := []*redis.StringSliceCmd{l.next().ZRangeByScore(l.ctx, key.Profile(v.id), from)}
	var foreign []*redis.StringSliceCmd
	for _, of := range []struct {
		key string
		zs  []redis.Z
		in  *[]*redis.StringSliceCmd
	}{{key.Following(v.id), following.Val(), &own}, {key.Subjects(v.id), subjects.Val(), &foreign}} {
		for _, z := range of.zs {
			if e, ok := edgeSetOf(of.key).edge(z.Member.(string)); ok {
				*of.in = append(*of.in, l.next().ZRangeByScore(l.ctx, e.Source(), from))
			}
		}
	}
	l.wait()
	for _, cmd := range own {
		v.own = append(v.own, cmd.Val())
	}
	for _, cmd := range foreign {
		v.foreign = append(v.foreign, cmd.Val())
	}
}

// blockedTopics reports which topics of categories and tags are by authors in a block with the owner.
func (l *look) blockedTopics(v *homeView) func(member string) bool {
	blocked := map[string]bool{}
	if len(v.blocks) > 0 {
		each(l, slices.Concat(v.foreign...), func(l *look, member string) {
			id, _, _ := record.ParseMember(member)
			author := l.field(key.Topic(forum.TopicID(id)), "author")
			l.wait()
			if v.blocks[author.Val()] {
				blocked[member] = true
			}
		})
	}
	return func(member string) bool { return blocked[member] }
}

// homeDiff is the difference between a home and its sources, by topic. For an entry that is not a topic, the key is the
// member.
type homeDiff struct {
	missing, stray map[string]string
	topics         map[forum.TopicID]bool
}

// compareHome compares a home with its expected members.
func compareHome(home []redis.Z, want map[string]bool) homeDiff {
	d := homeDiff{map[string]string{}, map[string]string{}, map[forum.TopicID]bool{}}
	has := scores(home)
	left := maps.Clone(has)
	for m := range want {
		id, created, _ := record.ParseMember(m)
		at, there := has[record.HomeMember(m)]
		delete(left, record.HomeMember(m))
		if !there || at != float64(created) {
			d.missing[key.Itoa(forum.TopicID(id))] = fmt.Sprintf("%d of %d (there: %t, at %.0f)", id, created, there, at)
			d.topics[forum.TopicID(id)] = true
		}
	}
	for name, at := range left {
		text := name
		if n, err := strconv.ParseInt(name, 16, 64); err == nil && n > 0 && n <= forum.MaxID {
			text = strconv.FormatInt(n, 10)
			d.topics[forum.TopicID(n)] = true
		}
		d.stray[text] = fmt.Sprintf("%s at %.0f", text, at)
	}
	return d
}

// compareAgain reads the pending writes of homes, and the home again, and reports what still differs. The details
// include the time of the owner's last change, so that a difference after another change is another finding.
func (l *look) compareAgain(v *homeView, want map[string]bool, d homeDiff) {
	tasks := l.tasks()
	fans, marks := map[string]*redis.StringCmd{}, map[string]*redis.FloatCmd{}
	for id := range d.topics {
		fans[key.Itoa(id)] = l.field(key.Topic(id), "fan")
		marks[key.Itoa(id)] = l.score(key.Dirty(id.Partition()), "t:"+key.Itoa(id))
	}
	l.wait()
	coming := homesComing{map[forum.UserID]bool{}, map[forum.UserID]bool{}, map[string]bool{}}
	for _, cmd := range *tasks {
		for _, name := range cmd.Val() {
			coming.add(name)
		}
	}
	for name := range fans {
		coming.topics[name] = coming.topics[name] || is(fans[name]) || is(marks[name])
	}
	k := key.Home(v.id)
	home := l.zset(k)
	l.wait()
	after := compareHome(home.Val(), want)
	if len(after.missing)+len(after.stray) == 0 {
		return
	}
	if coming.waits(v) {
		l.postpone()
		return
	}
	left := func(before, after map[string]string) (texts []string) {
		for topic, text := range after {
			if coming.topics[topic] {
				l.postpone()
			} else if before[topic] == text {
				texts = append(texts, text)
			}
		}
		slices.Sort(texts)
		return texts
	}
	if missing := left(d.missing, after.missing); len(missing) > 0 {
		l.add(RuleHomeMissing, k, call(l.repairer.FillHome, v.id), "%d above %q since %s: %.200s", len(missing),
			v.f["homeFloor"], v.f["etime"], strings.Join(missing, ", "))
	}
	if stray := left(d.stray, after.stray); len(stray) > 0 {
		l.add(RuleHomeStray, k, call(l.repairer.RevalidateHome, v.id), "%d above %q since %s: %.200s", len(stray),
			v.f["homeFloor"], v.f["etime"], strings.Join(stray, ", "))
	}
}

// tasks queues the names of all tasks, once for all looks that wait together.
func (r *reading) tasks() *[]*redis.StringSliceCmd {
	if r.named == nil {
		r.named = &[]*redis.StringSliceCmd{}
		for p := range forum.Partitions {
			for _, k := range []string{key.Due(forum.Partition(p)), key.Dead(forum.Partition(p))} {
				*r.named = append(*r.named, r.next().ZRange(r.ctx, k, 0, -1))
			}
		}
	}
	return r.named
}

// homesComing is the pending writes of homes, by owner and by topic.
type homesComing struct {
	users, leaving map[forum.UserID]bool
	topics         map[string]bool
}

// add records what a task will write.
func (h homesComing) add(task string) {
	t, err := record.ParseTask(task)
	if err != nil {
		return // has a finding of its own
	}
	switch t.Kind {
	case record.TaskEdge:
		if h.users[t.User] = true; t.Edge.Kind == record.BlockUser {
			h.users[t.Edge.User()] = true
		}
	case record.TaskHome:
		h.users[t.User] = true
	case record.TaskAccountCleanup:
		h.leaving[t.User] = true
	case record.TaskFanOut:
		h.topics[key.Itoa(t.Topic)] = true
	}
}

// waits reports whether pending writes may change the whole home.
func (h homesComing) waits(v *homeView) bool {
	leaves := func(name string) bool {
		id, err := forum.ParseID[forum.UserID](name)
		return err == nil && h.leaving[id]
	}
	return h.users[v.id] || slices.ContainsFunc(slices.Collect(maps.Keys(v.blocks)), leaves) ||
		slices.ContainsFunc(v.followed, func(z redis.Z) bool { return leaves(z.Member.(string)) })
}
