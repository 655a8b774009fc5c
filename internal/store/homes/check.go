package homes

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/derive"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// The rules of this package.
const (
	// RuleHomeWatermark: the watermark of a home is a member of indexes, or marks the home as not
	// maintained. Repair refills it.
	RuleHomeWatermark check.Rule = "home-watermark"
	// RuleHomeMissing: a home has all topics of its sources above its watermark, by time of
	// posting, except topics from categories and tags whose authors are in a block with its owner.
	// Repair refills it.
	RuleHomeMissing check.Rule = "home-missing"
	// RuleHomeStray: a home has no other topics. Repair removes them.
	RuleHomeStray check.Rule = "home-stray"
)

const onHome check.Kind = "home"

// checks are the checks of homes.
type checks struct{ *Store }

// Checks returns what is checked of homes.
func (s *Store) Checks() check.Subject {
	c := checks{s}
	return check.Subject{
		Kinds: map[check.Kind]func(*check.Look){onHome: c.home},
		With: map[check.Kind]func(check.Target) ([]check.Target, []check.List){
			check.OnUser: func(on check.Target) ([]check.Target, []check.List) {
				return []check.Target{{Kind: onHome, ID: on.ID}}, nil
			},
		},
		Lags: []check.Kind{onHome},
		Tasks: map[record.TaskKind]check.Task{
			record.TaskFanOut: fanOutTask,
			record.TaskHome:   check.TaskOfAuthor(nil),
		},
	}
}

// fanOutTask checks a task that writes a topic into homes.
func fanOutTask(l *check.Look, is record.Task) func() check.Work {
	state, read := l.Field(key.Topic(is.Topic), "state"), record.GetTopicState(l.Ctx, l.Next(), is.Topic)
	return func() check.Work {
		t := read()
		return check.Work{Left: state.Val() != "", Cursor: check.Words(record.ParseAudience),
			Start: record.EncodeAudiences(append(t.Audiences(), t.FormerAudiences()...))}
	}
}

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
func (c checks) home(l *check.Look) {
	v := &homeView{id: forum.UserID(l.On.ID)}
	k := key.Home(v.id)
	hash, home := l.Fields(key.User(v.id), []string{"state", "etime", "homeFloor", "homeRooms"}), l.ZSet(k)
	epochs := l.Field(key.Rules, record.EpochsField)
	l.Wait()
	v.f = hash()
	if v.f["state"] != catalogue.UserActive || record.Atoi(v.f["homeRooms"]) != record.Atoi(epochs.Val()) {
		return // such a home is not read
	}
	fill := check.Call(c.FillHome, v.id)
	l.AtMost(k, len(home.Val()), c.engine.Limits.Home, fill)
	watermark, has := v.f["homeFloor"]
	if _, _, err := record.ParseMember(watermark); has && watermark != record.HomeNotKept &&
		(err != nil || strings.ToLower(watermark) != watermark) {
		l.Add(RuleHomeWatermark, key.User(v.id), fill, "watermark is %q", watermark)
		return
	}
	c.readSources(l, v)
	want := derive.Home(watermark, v.own, v.foreign, c.blockedTopics(l, v))
	if before := differences(home.Val(), want); len(before) > 0 {
		c.compareAgain(l, v, want, before)
	}
}

// readSources reads what the topics of a home are derived from.
func (c checks) readSources(l *check.Look, v *homeView) {
	following, subjects := l.ZSet(key.Following(v.id)), l.ZSet(key.Subjects(v.id))
	blocked, blockers := l.ZSet(key.Blocked(v.id)), l.ZSet(key.Blockers(v.id))
	l.Wait()
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
	read := func(list string, into *[][]string) func() {
		topics := l.Next().ZRangeByScore(l.Ctx, list, from)
		return func() { *into = append(*into, topics.Val()) }
	}
	fill := []func(){read(key.Profile(v.id), &v.own)}
	of := map[*[][]string][]redis.Z{&v.own: v.followed, &v.foreign: subjects.Val()}
	for into, edges := range of {
		for _, z := range edges {
			member := z.Member.(string)
			if into == &v.own {
				member = string(record.FollowUser) + member
			}
			if e, err := record.ParseEdge(key.Itoa(v.id) + ":" + member); err == nil && !c.fromRoom(l.Ctx, e) {
				fill = append(fill, read(e.Source(), into))
			}
		}
	}
	l.Wait()
	for _, f := range fill {
		f()
	}
}

// blockedTopics reports which topics of categories and tags are by authors in a block with the owner.
func (c checks) blockedTopics(l *check.Look, v *homeView) func(member string) bool {
	blocked := map[string]bool{}
	if len(v.blocks) > 0 {
		check.Each(l, slices.Concat(v.foreign...), func(l *check.Look, member string) {
			id, _, _ := record.ParseMember(member)
			if v.blocks[l.Fetch(key.Topic(forum.TopicID(id)), "author")["author"]] {
				blocked[member] = true
			}
		})
	}
	return func(member string) bool { return blocked[member] }
}

// difference is what a home has of a topic and should not have, or the reverse.
type difference struct {
	rule check.Rule
	text string
}

// differences compares a home with its expected members, by topic. For an entry that is not a topic, the key is the
// member.
func differences(home []redis.Z, want map[string]bool) map[string]difference {
	all, left := map[string]difference{}, check.Scores(home)
	for m := range want {
		id, created, _ := record.ParseMember(m)
		at, there := left[record.HomeMember(m)]
		delete(left, record.HomeMember(m))
		if !there || at != float64(created) {
			all[key.Itoa(id)] = difference{RuleHomeMissing, fmt.Sprintf("%d of %d (there: %t, at %.0f)", id, created,
				there, at)}
		}
	}
	for name, at := range left {
		if n, err := strconv.ParseInt(name, 16, 64); err == nil && n > 0 && n <= forum.MaxID {
			name = strconv.FormatInt(n, 10)
		}
		all[name] = difference{RuleHomeStray, fmt.Sprintf("%s at %.0f", name, at)}
	}
	return all
}

// compareAgain reads the pending writes of homes, and the home again, and reports what still differs. The details
// include the time of the owner's last change, so that a difference after another change is another finding.
func (c checks) compareAgain(l *check.Look, v *homeView, want map[string]bool, before map[string]difference) {
	tasks, k := l.Tasks(), key.Home(v.id)
	fans, marks := map[string]*redis.StringCmd{}, map[string]*redis.FloatCmd{}
	for name := range before {
		id, _ := forum.ParseID[forum.TopicID](name) // 0, which is no topic, if it is not one
		fans[name] = l.Field(key.Topic(id), "fan")
		marks[name] = l.Score(key.Dirty(id.Partition()), "t:"+key.Itoa(id))
	}
	l.Wait()
	whole, coming := false, map[string]bool{} // by topic
	for _, cmd := range *tasks {
		for _, name := range cmd.Val() {
			if t, err := record.ParseTask(name); err == nil { // otherwise it has a finding of its own
				whole = whole || v.awaits(t)
				coming[key.Itoa(t.Topic)] = coming[key.Itoa(t.Topic)] || t.Kind == record.TaskFanOut
			}
		}
	}
	home := l.ZSet(k)
	l.Wait()
	left := map[check.Rule][]string{}
	for name, is := range differences(home.Val(), want) {
		if whole || coming[name] || fans[name] != nil && (check.Is(fans[name]) || check.Is(marks[name])) {
			l.Postpone()
		} else if before[name] == is {
			left[is.rule] = append(left[is.rule], is.text)
		}
	}
	for rule, repair := range map[check.Rule]func(context.Context, forum.UserID) error{
		RuleHomeMissing: c.FillHome, RuleHomeStray: c.RevalidateHome} {
		if slices.Sort(left[rule]); len(left[rule]) > 0 {
			l.Add(rule, k, check.Call(repair, v.id), "%d above %q since %s: %.200s", len(left[rule]), v.f["homeFloor"],
				v.f["etime"], strings.Join(left[rule], ", "))
		}
	}
}

// awaits reports whether a task may change the whole home.
func (v *homeView) awaits(t record.Task) bool {
	switch t.Kind {
	case record.TaskEdge:
		return t.User == v.id || t.Edge.Kind == record.BlockUser && t.Edge.User() == v.id
	case record.TaskHome:
		return t.User == v.id
	case record.TaskAccountCleanup:
		name := key.Itoa(t.User)
		return v.blocks[name] || slices.ContainsFunc(v.followed, func(z redis.Z) bool { return z.Member == name })
	}
	return false
}
