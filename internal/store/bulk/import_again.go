package bulk

import (
	"context"
	"fmt"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/follows"
)

// begin records the start of a batch. If the batch failed before, objects that the earlier try created
// count as created.
func (im *Import) begin() {
	if im.retry = im.began != 0; !im.retry {
		im.began, im.after = im.s.engine.Now(), im.last
	}
}

// end records the result of a batch.
func (im *Import) end(err error) {
	if err == nil {
		im.began = 0
	}
}

// own reports whether an earlier try of the batch wrote a record of an import.
func (im *Import) own(record string) bool {
	v, ok := catalogue.MadeRow.Parse(record)
	return ok && im.retry && forum.Time(v.Int("time")) >= im.began
}

// ownEdge reports whether an earlier try of the batch set the edge.
func (im *Import) ownEdge(is follows.EdgeState) bool {
	at, err := strconv.ParseInt(is.Since, 10, 64)
	return err == nil && im.retry && at > im.after && at >= int64(im.began)*1000
}

// countOwn counts known objects that an earlier try of the batch created as created, once each. key returns
// the key of an entry's record.
func countOwn[ID ~int64](ctx context.Context, im *Import, imported []Imported[ID], key func(i int) string) error {
	b := im.s.engine.Client.Batch()
	records := map[int]*redis.StringCmd{}
	seen := map[ID]bool{}
	for i, m := range imported {
		if m.Err == nil && m.Known && !seen[m.ID] {
			records[i] = b.Get(ctx, key(i))
		}
		seen[m.ID] = true
	}
	if len(records) == 0 {
		return nil
	}
	if err := b.Exec(ctx); err != nil {
		return fmt.Errorf("read import records: %w", err)
	}
	for i, record := range records {
		imported[i].Known = !im.own(record.Val())
	}
	return nil
}
