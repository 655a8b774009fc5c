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
	"agora/internal/store/internal/kind"
	"agora/internal/store/internal/record"
)

// This file checks temporary keys: keys that expire at an instant that follows from the data, and
// copies kept for readers for a few minutes.

// endSlack is how far an expiry may be from the instant that follows from the data. It is less than
// ExpiryGrace, so that no key expires before the rules allow it.
const endSlack = forum.ExpiryGrace / 2

// ends returns when Redis should delete the key, if that follows from the data: for the voters of
// an article, the rank of a day, a fence. It returns 0 if the data are invalid.
func (c *checker) ends(k keyView) (at forum.Time, ok bool) {
	var rule forum.Time
	switch k.known.Object {
	case kind.OfVoters:
		f := k.owner()
		if f["kind"] != string(forum.Article) {
			return 0, false
		}
		if !f.IsWhole("created", 1) {
			return 0, true
		}
		rule = f.Time("created") + forum.VotingWindow
	case kind.OfDay:
		day, _ := forum.ParseDay(k.known.Text)
		rule = day.Ends(c.s.Zone())
	case kind.OfRemoved: // a late write comes within RemovalLife of the end of the hour
		rule = forum.Time((k.known.ID + 2) * forum.RemovalLife.Milliseconds())
	default:
		return 0, false
	}
	seconds, _ := strconv.ParseInt(record.ExpireAt(rule), 10, 64)
	return forum.Time(seconds * 1000), true
}

// checkEnd is checkExpiry for a key that expires at a known instant. A key that should have expired
// gets ExpiryGrace from now, in case that instant is what is wrong.
func (c *checker) checkEnd(on target, k keyView, ends forum.Time) {
	now, slack := c.s.Now(), forum.Time(endSlack.Milliseconds())
	keep := ends
	if ends <= now {
		keep = now + forum.Time(forum.ExpiryGrace.Milliseconds())
	}
	expire := fix{watch: []string{k.name}, do: func(ctx context.Context, pipe redis.Pipeliner) {
		pipe.PExpireAt(ctx, k.name, time.UnixMilli(int64(keep)))
	}}
	switch at := forum.Time(k.at.Val().Milliseconds()); {
	case k.at.Val() == -2 || ends == 0: // expired since, or the topic has a finding
	case k.at.Val() == -1:
		c.add(on, RuleExpiryMissing, k.name, expire, "has no expiry")
	case at > keep+slack:
		c.add(on, RuleExpiryLong, k.name, expire, "lives longer than %d", ends)
	case at < ends-slack && ends > now:
		c.add(on, RuleExpiryShort, k.name, expire, "expires before %d", ends)
	}
}

// checkSnapshot checks a snapshot of a timeline.
func (c *checker) checkSnapshot(on target, k keyView) {
	t, _ := forum.ParseTimeline(k.known.Text)
	if wrong := c.wrongSnapshot(k.value.Val(), t.Snapshot()); wrong != "" {
		c.add(on, RuleSnapshotValue, k.name, remove(k.name), "%s", wrong)
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
	if at := forum.Time(asOf); at < 1 || at > c.s.Now()+forum.Time(expirySlack.Milliseconds()) {
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

// rankedList returns the list of a ranking's key: the part before ":ranking:".
func rankedList(key string) string {
	list, _, _ := strings.Cut(key, ":ranking:")
	return list
}

// checkRanking compares a stored ranking with its name and the length of its list, which never
// shrinks.
func (c *checker) checkRanking(on target, k keyView) {
	value := k.value.Val()
	sum := sha256.Sum256([]byte(value))
	rows, rest := len(value)/record.RankingRow, len(value)%record.RankingRow
	if !strings.HasSuffix(k.name, ":"+hex.EncodeToString(sum[:record.RankingSum])) || rest != 0 ||
		rows > forum.RankedComments || int64(rows) > k.length.Val() {
		c.add(on, RuleRankingValue, k.name, remove(k.name), "%d bytes are not a ranking of this name", len(value))
	}
}

// checkChanges checks the changes to a topic's comments.
func (c *checker) checkChanges(on target, k keyView) {
	last := float64(record.Atoi(k.owner()["changed"]))
	for _, z := range k.changes.Val() {
		text, _ := z.Member.(string)
		number, id, _ := strings.Cut(text, ":")
		comment, err := forum.ParseID[forum.CommentID](id)
		if text != "-" && (err != nil || comment.Partition() != k.known.Partition || record.Atoi(number) < 1) ||
			z.Score > last {
			c.add(on, RuleChanges, k.name, remove(k.name), "%q is at %s; the last change is at %s", text,
				record.FormatScore(z.Score), record.FormatScore(last))
			return
		}
	}
}
