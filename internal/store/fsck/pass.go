package fsck

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/record"
)

// Of what passes: keys that expire at an instant that the data tell, and copies that
// are kept for readers for a few minutes.

// endSlack is how far an expiry may lie from the instant that the data tell: less than
// ExpiryGrace, so that nothing goes before the rules let it.
const endSlack = forum.ExpiryGrace / 2

// ends is when Redis should drop the key, if the data tell: the voters of an article, the
// rank of a day, what homes must not take; 0 when the data make no sense.
func (c *checker) ends(k looseKey) (at forum.Time, ok bool) {
	var rule forum.Time
	switch k.known.object {
	case ofVoters:
		f := k.owner()
		if f["kind"] != string(forum.Article) {
			return 0, false
		}
		if !f.IsWhole("created", 1) {
			return 0, true
		}
		rule = f.Time("created") + forum.VotingWindow
	case ofDay:
		day, _ := forum.ParseDay(k.known.name)
		rule = day.Ends(c.s.Zone())
	case ofRemoved: // a late write comes within RemovalLife of the last one's hour
		rule = forum.Time((k.known.id + 2) * forum.RemovalLife.Milliseconds())
	default:
		return 0, false
	}
	seconds, _ := strconv.ParseInt(record.ExpireAt(rule), 10, 64)
	return forum.Time(seconds * 1000), true
}

// judgeEnd is judgeExpiry for a key that ends at a known instant. What should have ended
// gets ExpiryGrace from now, in case that instant is what is wrong.
func (c *checker) judgeEnd(on target, k looseKey, ends forum.Time) {
	now, slack := c.s.Now(), forum.Time(endSlack.Milliseconds())
	keep := ends
	if ends <= now {
		keep = now + forum.Time(forum.ExpiryGrace.Milliseconds())
	}
	expire := fix{watch: []string{k.name}, do: func(ctx context.Context, pipe redis.Pipeliner) {
		pipe.PExpireAt(ctx, k.name, time.UnixMilli(int64(keep)))
	}}
	switch at := forum.Time(k.at.Val().Milliseconds()); {
	case k.at.Val() == -2 || ends == 0: // gone meanwhile, or the topic has a finding
	case k.at.Val() == -1:
		c.add(on, RuleExpiryMissing, k.name, expire, "has no expiry")
	case at > keep+slack:
		c.add(on, RuleExpiryLong, k.name, expire, "lives longer than %d", ends)
	case at < ends-slack && ends > now:
		c.add(on, RuleExpiryShort, k.name, expire, "goes before %d", ends)
	}
}

// judgeSnapshot looks at a snapshot of a timeline.
func (c *checker) judgeSnapshot(on target, k looseKey) {
	if wrong := c.wrongSnapshot(k.value.Val()); wrong != "" {
		c.add(on, RuleSnapshotValue, k.name, c.remove(k.name), "%s", wrong)
	}
}

// wrongSnapshot tells what is wrong with the value of a snapshot.
func (c *checker) wrongSnapshot(value string) string {
	rows := len(value) - record.SnapshotHead
	if rows < 0 || rows%record.SnapshotRow != 0 || rows/record.SnapshotRow > forum.SnapshotSize {
		return strconv.Itoa(len(value)) + " bytes are no snapshot"
	}
	asOf := binary.BigEndian.Uint64([]byte(value))
	if at := forum.Time(asOf); at < 1 || at > c.s.Now()+forum.Time(expirySlack.Milliseconds()) {
		return "was taken at " + strconv.FormatUint(asOf, 10)
	}
	known := make(map[int64]bool, rows/record.SnapshotRow)
	for at := range rows / record.SnapshotRow {
		r := record.UnpackSnapshotRow(value[record.SnapshotHead+at*record.SnapshotRow:])
		if r.ID < 1 || r.ID > forum.MaxID || r.Up < 0 || r.Down < 0 || r.CreatedAt < 1 || known[r.ID] {
			return "row " + strconv.Itoa(at) + " is no topic, or stands there twice"
		}
		known[r.ID] = true
	}
	return ""
}

// rankedList is the list that a ranking is of: what stands before ":ranking:".
func rankedList(key string) string {
	list, _, _ := strings.Cut(key, ":ranking:")
	return list
}

// judgeRanking compares a ranking that was kept with its name and the length of its
// list, which never gets shorter.
func (c *checker) judgeRanking(on target, k looseKey) {
	value := k.value.Val()
	sum := sha256.Sum256([]byte(value))
	rows, rest := len(value)/record.RankingRow, len(value)%record.RankingRow
	if !strings.HasSuffix(k.name, ":"+hex.EncodeToString(sum[:record.RankingSum])) || rest != 0 ||
		rows > forum.RankedComments || int64(rows) > k.length.Val() {
		c.add(on, RuleRankingValue, k.name, c.remove(k.name), "%d bytes are no ranking of this name", len(value))
	}
}
