package fsck

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

// This file checks temporary keys: keys that expire at an instant that follows from the data, copies kept for readers
// for a few minutes, and fences.

// endSlack is how far an expiry may be from the instant that follows from the data. It is less than
// ExpiryGrace, so that no key expires before the rules allow it.
const endSlack = forum.ExpiryGrace / 2

// ends returns when Redis should delete the key, if that follows from the data: for the voters of an article, the rank
// of a day, a fence. It returns 0 if the data are invalid.
func (c *checker) ends(l *check.Look, known catalogue.Key) (at forum.Time, ok bool) {
	var rule forum.Time
	switch known.Object {
	case catalogue.OfVoters:
		f := l.Fetch(key.Topic(forum.TopicID(known.ID)), "kind", "created")
		if f["kind"] != string(forum.Article) {
			return 0, false
		}
		if !f.IsWhole("created", 1) {
			return 0, true
		}
		rule = f.Time("created") + forum.VotingWindow
	case catalogue.OfDay:
		day, _ := forum.ParseDay(known.Text)
		rule = day.Ends(c.Engine.Location)
	case catalogue.OfRemoved: // a late write comes within RemovalLife of the end of the hour
		rule = forum.Time((known.ID + 2) * forum.RemovalLife.Milliseconds())
	default:
		return 0, false
	}
	seconds, _ := strconv.ParseInt(record.ExpireAt(rule), 10, 64)
	return forum.Time(seconds * 1000), true
}

// fixedExpiry is expiry for a key that expires at a known instant. A key that should have expired gets ExpiryGrace from
// now, in case that instant is what is wrong.
func (c *checker) fixedExpiry(l *check.Look, ends forum.Time) {
	k, now, slack, keep := l.On.Key, c.Engine.Now(), forum.Time(endSlack.Milliseconds()), ends
	if ends <= now {
		keep = now + forum.Time(forum.ExpiryGrace.Milliseconds())
	}
	expire := check.Command("pexpireat", k, int64(keep))
	expires := l.Next().PExpireTime(l.Ctx, k)
	l.Wait()
	switch at := forum.Time(expires.Val().Milliseconds()); {
	case expires.Val() == -2 || ends == 0: // expired since, or the topic has a finding
	case expires.Val() == -1:
		l.Add(RuleExpiryMissing, k, expire, "has no expiry")
	case at > keep+slack:
		l.Add(RuleExpiryLong, k, expire, "lives longer than %d", ends)
	case at < ends-slack && ends > now:
		l.Add(check.RuleExpiryShort, k, expire, "expires before %d", ends)
	}
}

// snapshot checks a snapshot of a timeline.
func (c *checker) snapshot(l *check.Look, known catalogue.Key) {
	value := l.Text(l.On.Key)
	l.Wait()
	t, _ := forum.ParseTimeline(known.Text)
	if wrong := c.wrongSnapshot(value.Val(), t.Snapshot()); check.Is(value) && wrong != "" {
		l.Add(check.RuleValue, l.On.Key, check.Remove(l.On.Key), "%s", wrong)
	}
}

// wrongSnapshot describes what is wrong with the value of a snapshot, or of a walk, which has no votes; "" if nothing
// is.
func (c *checker) wrongSnapshot(value string, votes bool) string {
	rows := len(value) - record.SnapshotHead
	if rows < 0 || rows%record.SnapshotRow != 0 || rows/record.SnapshotRow > forum.SnapshotSize {
		return strconv.Itoa(len(value)) + " bytes are not a snapshot"
	}
	asOf := binary.BigEndian.Uint64([]byte(value))
	if at := forum.Time(asOf); at < 1 || at > c.Engine.Now()+forum.Time(check.ExpirySlack.Milliseconds()) {
		return "was taken at " + strconv.FormatUint(asOf, 10)
	}
	known := make(map[int64]bool, rows/record.SnapshotRow)
	for at := range rows / record.SnapshotRow {
		r := record.UnpackSnapshotRow(value[record.SnapshotHead+at*record.SnapshotRow:])
		if r.ID < 1 || r.ID > forum.MaxID || votes && (r.Up < 0 || r.Down < 0) || r.CreatedAt < 1 || known[r.ID] {
			return "row " + strconv.Itoa(at) + " is not a topic, or is a duplicate"
		}
		known[r.ID] = true
	}
	return ""
}

// ranking compares a stored ranking with its name and the length of its list, the part before ":ranking:", which never
// shrinks.
func (c *checker) ranking(l *check.Look) {
	k := l.On.Key
	list, _, _ := strings.Cut(k, ":ranking:")
	text, size := l.Text(k), l.Size(list)
	l.Wait()
	value := text.Val()
	sum := sha256.Sum256([]byte(value))
	rows, rest := len(value)/record.RankingRow, len(value)%record.RankingRow
	if check.Is(text) && (!strings.HasSuffix(k, ":"+hex.EncodeToString(sum[:record.RankingSum])) || rest != 0 ||
		rows > forum.RankedComments || int64(rows) > size.Val()) {
		l.Add(check.RuleValue, k, check.Remove(k), "%d bytes are not a ranking of this name", len(value))
	}
}

// changes checks the changes to a topic's comments. They are read before the topic, whose last change is no older.
func (c *checker) changes(l *check.Look, known catalogue.Key) {
	k := l.On.Key
	changes, changed := l.ZSet(k), l.Field(key.Topic(forum.TopicID(known.ID)), "changed")
	l.Wait()
	last := float64(record.Atoi(changed.Val()))
	for _, z := range changes.Val() {
		text, _ := z.Member.(string)
		number, id, _ := strings.Cut(text, ":")
		comment, err := forum.ParseID[forum.CommentID](id)
		if text != "-" && (err != nil || comment.Partition() != known.Partition || record.Atoi(number) < 1) ||
			z.Score > last {
			l.Add(RuleChanges, k, check.Remove(k), "%q is at %s; the last change is at %s", text,
				record.FormatScore(z.Score), record.FormatScore(last))
			return
		}
	}
}

// fences checks the fences of a partition: per hour, the deleted topics and outdated states of topics that homes must
// refuse. They are read before the topics, whose revisions are no lower than they state.
func (c *checker) fences(l *check.Look) {
	k := l.On.Key
	hash := l.Hash(k)
	l.Wait()
	for name, least := range hash.Val() {
		id, _ := forum.ParseID[forum.TopicID](name)
		t, f := l.Fetch(key.Topic(id), "state", "rev"), record.Fields{"least": least}
		if least == "d" && t["state"] == string(forum.TopicDeleted) || f.IsWhole("least", 1) &&
			f.Int("least") <= t.Int("rev") {
			continue
		}
		l.Add(RuleHomeFence, k, check.Unset(k, name), "%q of topic %q, which is %q at revision %q", least, name,
			t["state"], t["rev"])
	}
}

// feed checks the keys of the changes in a slot. Without a consumer there is neither a feed nor anything set aside.
func (c *checker) feed(l *check.Look, known catalogue.Key) {
	k := l.On.Key
	consumers := key.Consumers(key.SlotPrefix(k))
	hash := l.Hash(consumers)
	l.Wait()
	f := record.Fields(hash.Val())
	switch {
	case len(f) == 0 && k == consumers: // they have left since
	case k == consumers:
		c.consumers(l, f)
	case known.Text != "" && f[known.Text] == "", len(f) == 0:
		l.Add(check.RuleOrphanKey, k, check.Remove(k).Given(consumers), "nobody follows these changes")
	}
}

// consumers checks who follows the changes in a slot.
func (c *checker) consumers(l *check.Look, f record.Fields) {
	k, last := l.On.Key, record.Atoi(f["seq"])
	rows, asides := map[string]*redis.StringCmd{}, map[string]*redis.IntCmd{}
	for name := range f {
		if strings.Contains(name, ":") {
			rows[name], asides[name] = l.Field(k, name), l.Next().HLen(l.Ctx, key.Aside(key.SlotPrefix(k), name))
		}
	}
	l.Wait()
	for name, row := range rows {
		is, ok := catalogue.ConsumerRow.Parse(row.Val())
		aside := asides[name].Val()
		switch {
		case pipeline.IsNil(row.Err()): // it has left since
		case !ok || is.Int("position") < 0 || is.Int("position") > last:
			l.Add(RuleConsumer, k, check.Command("hdel", k, name), "%s is at %q of %d changes", name, row.Val(), last)
		case is.Int("aside") != aside || (is.Int("retry") > 0) != (aside > 0):
			l.Add(RuleAside, k,
				check.Command("hset", k, name, catalogue.ConsumerRow.Format("position", is.Int("position"),
					"token", is.Text("token"), "lease", is.Text("lease"), "seen", is.Text("seen"), "walk", is.Text("walk"),
					"retry", min(aside, 1), "aside", aside)).Given(key.Aside(key.SlotPrefix(k), name)),
				"%s has set aside %d objects, and tries again at %d; there are %d", name, is.Int("aside"), is.Int("retry"), aside)
		}
	}
}
