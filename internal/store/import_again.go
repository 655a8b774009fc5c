package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

// begin notes that a batch is written, perhaps after a try without success. Such a try
// may have made what the next one finds: that counts as made.
func (im *Import) begin() {
	if im.again = im.began != 0; !im.again {
		im.began = max(im.s.nowMicros(), im.last+1)
	}
}

// end notes what came of a batch.
func (im *Import) end(err error) {
	if err == nil {
		im.began = 0
	}
}

// own reports whether an earlier try of the batch wrote a record of an import.
func (im *Import) own(record string) bool {
	at, _, _ := strings.Cut(record, " ")
	ms, err := strconv.ParseInt(at, 10, 64)
	return err == nil && im.again && ms >= im.began/1000
}

// ownEdge reports whether an earlier try of the batch set an edge.
func (im *Import) ownEdge(is edgeState) bool {
	at, err := strconv.ParseInt(is.since, 10, 64)
	return err == nil && im.again && at >= im.began
}

// countOwn makes known what an earlier try of the batch made count as made, once each.
// key returns the record's key of an entry.
func countOwn[ID ~int64](ctx context.Context, im *Import, made []Imported[ID], key func(i int) string) error {
	b := im.s.rdb.Batch()
	records := map[int]*redis.StringCmd{}
	seen := map[ID]bool{}
	for i, m := range made {
		if m.Err == nil && m.Known && !seen[m.ID] {
			records[i] = b.Get(ctx, key(i))
		}
		seen[m.ID] = true
	}
	if len(records) == 0 {
		return nil
	}
	if err := b.Exec(ctx); err != nil {
		return fmt.Errorf("count what was imported: %w", err)
	}
	for i, record := range records {
		made[i].Known = !im.own(record.Val())
	}
	return nil
}

// recordKey is the key of a topic's record of an import.
func (in NewTopic) recordKey() string { return key.Source(in.partition(), "t", in.Source) }

// partition is where the topic will live: with its author, and without one where its
// source has it.
func (in NewTopic) partition() forum.Partition {
	if in.Author == 0 {
		return key.PartitionOfSource(in.Source)
	}
	return in.Author.Partition()
}
