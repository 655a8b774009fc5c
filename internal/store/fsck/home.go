package fsck

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// homeDiff is the difference between a home and its sources, by topic. For an entry that is not a
// topic, the key is the member.
type homeDiff struct {
	missing, stray map[string]string
	topics         map[forum.TopicID]bool
}

func (d homeDiff) none() bool { return len(d.missing)+len(d.stray) == 0 }

// inspectHomes compares homes with their sources. Homes that differ are compared again after
// pending writes were read: only a difference that is found twice, and is not pending, is a
// finding.
func (c *checker) inspectHomes(ctx context.Context, views []*socialView) error {
	var kept []*socialView
	for _, v := range views {
		if v.active() && c.checkHome(v) {
			kept = append(kept, v)
		}
	}
	diffs, err := c.compareHomes(ctx, kept)
	if err != nil {
		return err
	}
	var odd []forum.UserID
	before, topics := map[forum.UserID]homeDiff{}, map[forum.TopicID]bool{}
	for i, d := range diffs {
		if !d.none() {
			odd = append(odd, kept[i].id)
			before[kept[i].id] = d
			maps.Copy(topics, d.topics)
		}
	}
	if len(odd) == 0 {
		return nil
	}
	coming, err := c.readComing(ctx, topics)
	if err != nil {
		return err
	}
	again, err := c.readSocial(ctx, odd)
	if err != nil {
		return err
	}
	if diffs, err = c.compareHomes(ctx, again); err != nil {
		return err
	}
	for i, v := range again {
		c.checkHomeDiff(v, before[v.id], diffs[i], coming)
	}
	return nil
}

// checkHome checks a home on its own. It returns false if the home cannot be compared.
func (c *checker) checkHome(v *socialView) bool {
	fill := fix{run: func(ctx context.Context) error { return c.repairer.FillHome(ctx, v.id) }}
	if n := len(v.home); n > c.repairer.Sizes().Home {
		c.add(v.homeOn(), RuleHomeSize, key.Home(v.id), fill, "%d topics; the maximum is %d", n, c.repairer.Sizes().Home)
	}
	watermark, has := v.f["homeFloor"]
	if _, _, err := record.ParseMember(watermark); has && watermark != record.HomeNotKept &&
		(err != nil || strings.ToLower(watermark) != watermark) {
		c.add(v.homeOn(), RuleHomeWatermark, key.User(v.id), fill, "watermark is %q", watermark)
		return false
	}
	return true
}

// compareHomes returns the differences between homes and their sources.
func (c *checker) compareHomes(ctx context.Context, views []*socialView) ([]homeDiff, error) {
	r := c.read(ctx)
	type read struct {
		own, foreign []*redis.StringSliceCmd // of users; of categories and tags
	}
	reads := make([]read, len(views))
	for i, v := range views {
		if v.f["homeFloor"] == record.HomeNotKept {
			continue
		}
		from := &redis.ZRangeBy{Min: "-inf", Max: "+inf"}
		if _, created, err := record.ParseMember(v.f["homeFloor"]); err == nil {
			from.Min = key.Itoa(created)
		}
		reads[i].own = append(reads[i].own, r.next().ZRangeByScore(ctx, key.Profile(v.id), from))
		for _, row := range nearRows(v.id, socialSets[setFollowing], v.rows[setFollowing]) {
			if row.ok {
				reads[i].own = append(reads[i].own, r.next().ZRangeByScore(ctx, row.edge.Source(), from))
			}
		}
		for _, row := range nearRows(v.id, socialSets[setSubjects], v.rows[setSubjects]) {
			if row.ok {
				reads[i].foreign = append(reads[i].foreign, r.next().ZRangeByScore(ctx, row.edge.Source(), from))
			}
		}
	}
	if err := r.done(); err != nil {
		return nil, err
	}
	diffs := make([]homeDiff, len(views))
	after := make([]func(), len(views))
	for i, v := range views {
		want := aboveWatermark(v.f["homeFloor"], reads[i].own)
		unexpected := aboveWatermark(v.f["homeFloor"], reads[i].foreign)
		maps.DeleteFunc(unexpected, func(m string, _ bool) bool { return want[m] })
		blocked := v.queueBlocked(r, unexpected)
		after[i] = func() {
			maps.DeleteFunc(unexpected, func(m string, _ bool) bool { return blocked(m) })
			maps.Copy(want, unexpected)
			diffs[i] = v.differs(want)
		}
	}
	if err := r.done(); err != nil {
		return nil, err
	}
	for _, f := range after {
		f()
	}
	return diffs, nil
}

// aboveWatermark returns the members of lists above the watermark of a home.
func aboveWatermark(watermark string, lists []*redis.StringSliceCmd) map[string]bool {
	above := map[string]bool{}
	for _, list := range lists {
		for _, m := range list.Val() {
			if _, _, err := record.ParseMember(m); err == nil && m > watermark {
				above[m] = true
			}
		}
	}
	return above
}

// queueBlocked queues reads of the topics' authors if the owner is in a block with any user. The
// function returned reports whether a topic's author is in a block with the owner.
func (v *socialView) queueBlocked(r *reading, members map[string]bool) func(member string) bool {
	blocks := map[string]bool{}
	for _, z := range slices.Concat(v.rows[setBlocked], v.rows[setBlockers]) {
		blocks[z.Member.(string)] = true
	}
	authors := map[string]*redis.StringCmd{}
	if len(blocks) > 0 {
		for m := range members {
			id, _, _ := record.ParseMember(m)
			authors[m] = r.next().HGet(r.ctx, key.Topic(forum.TopicID(id)), "author")
		}
	}
	return func(m string) bool { return authors[m] != nil && blocks[authors[m].Val()] }
}

// differs compares a home with its expected members.
func (v *socialView) differs(want map[string]bool) homeDiff {
	d := homeDiff{map[string]string{}, map[string]string{}, map[forum.TopicID]bool{}}
	has := map[string]float64{}
	for _, z := range v.home {
		name := z.Member.(string)
		has[name] = z.Score
	}
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
		text, id := name, int64(0)
		if n, err := strconv.ParseInt(name, 16, 64); err == nil && n > 0 && n <= forum.MaxID {
			text, id = strconv.FormatInt(n, 10), n
			d.topics[forum.TopicID(id)] = true
		}
		d.stray[text] = fmt.Sprintf("%s at %.0f", text, at)
	}
	return d
}

// homesComing is the pending writes of homes, by owner and by topic.
type homesComing struct {
	users, leaving map[forum.UserID]bool
	topics         map[string]bool
}

// readComing reads the tasks, and which topics have a pending fan-out.
func (c *checker) readComing(ctx context.Context, topics map[forum.TopicID]bool) (homesComing, error) {
	coming := homesComing{map[forum.UserID]bool{}, map[forum.UserID]bool{}, map[string]bool{}}
	r := c.read(ctx)
	var tasks []*redis.StringSliceCmd
	for p := range forum.Partitions {
		tasks = append(tasks, r.next().ZRange(ctx, key.Due(forum.Partition(p)), 0, -1),
			r.next().ZRange(ctx, key.Dead(forum.Partition(p)), 0, -1))
	}
	fans, marks := map[string]*redis.BoolCmd{}, map[string]*redis.FloatCmd{}
	for id := range topics {
		name := key.Itoa(id)
		fans[name] = r.next().HExists(ctx, key.Internal(key.Topic(id)), "fan")
		marks[name] = r.next().ZScore(ctx, key.Dirty(id.Partition()), "t:"+name)
	}
	if err := r.done(); err != nil {
		return coming, err
	}
	for name := range fans {
		coming.topics[name] = fans[name].Val() || marks[name].Err() == nil
	}
	for _, list := range tasks {
		for _, name := range list.Val() {
			coming.add(name)
		}
	}
	return coming, nil
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
func (h homesComing) waits(v *socialView) bool {
	if h.users[v.id] {
		return true
	}
	for _, set := range []int{setFollowing, setBlocked, setBlockers} {
		for _, z := range v.rows[set] {
			if id, err := forum.ParseID[forum.UserID](z.Member.(string)); err == nil && h.leaving[id] {
				return true
			}
		}
	}
	return false
}

// checkHomeDiff reports what differed twice. Its details include the time of the owner's last
// change, so that a difference after another change is another finding.
func (c *checker) checkHomeDiff(v *socialView, before, after homeDiff, coming homesComing) {
	if !v.active() || after.none() {
		return
	}
	if coming.waits(v) {
		c.busy[v.homeOn()] = true
		return
	}
	both := func(a, b map[string]string) []string {
		var texts []string
		for topic, text := range b {
			if coming.topics[topic] {
				c.busy[v.homeOn()] = true
			} else if a[topic] == text {
				texts = append(texts, text)
			}
		}
		slices.Sort(texts)
		return texts
	}
	key := key.Home(v.id)
	if missing := both(before.missing, after.missing); len(missing) > 0 {
		fill := fix{run: func(ctx context.Context) error { return c.repairer.FillHome(ctx, v.id) }}
		c.add(v.homeOn(), RuleHomeMissing, key, fill, "%d above %q since %s: %.200s", len(missing), v.f["homeFloor"],
			v.f["etime"], strings.Join(missing, ", "))
	}
	if stray := both(before.stray, after.stray); len(stray) > 0 {
		drop := fix{run: func(ctx context.Context) error { return c.repairer.RevalidateHome(ctx, v.id) }}
		c.add(v.homeOn(), RuleHomeStray, key, drop, "%d above %q since %s: %.200s", len(stray), v.f["homeFloor"],
			v.f["etime"], strings.Join(stray, ", "))
	}
}
