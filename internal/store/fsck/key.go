package fsck

import (
	"context"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

// inventory is the result of a scan of the keys: only numbers, no contents.
type inventory struct {
	topics, comments, users, lists [forum.Partitions][]int64 // the last of users
	tasks                          [forum.Partitions][]string
	indexes                        map[key.Container]bool
	sequence                       [forum.Partitions]int64 // before the scan
	seen                           [forum.Partitions]bool  // has keys
}

func newInventory() *inventory {
	return &inventory{indexes: map[key.Container]bool{}}
}

func (v *inventory) add(name string, k catalogue.Key) {
	p := k.Partition
	if strings.HasPrefix(name, "{p") && k.Object != catalogue.OfRemoved &&
		k.Object != catalogue.OfFeed { // every partition may have these
		v.seen[p] = true
	}
	switch k.Object {
	case catalogue.OfTopic, catalogue.OfVoters:
		v.topics[p] = append(v.topics[p], k.ID)
	case catalogue.OfComment:
		v.comments[p] = append(v.comments[p], k.ID)
	case catalogue.OfUser:
		v.users[p] = append(v.users[p], k.ID)
	case catalogue.OfTask:
		v.tasks[p] = append(v.tasks[p], k.Text)
	case catalogue.OfList:
		v.lists[p] = append(v.lists[p], k.ID)
	case catalogue.OfIndex, catalogue.OfTag, catalogue.OfTagBookkeeping, catalogue.OfDay:
		v.indexes[key.Container(name[:strings.IndexByte(name, '}')+1])] = true
	}
}

// sort sorts the numbers and removes duplicates: an object has several keys, and a scan may return
// a key twice.
func (v *inventory) sort() {
	for _, kind := range []*[forum.Partitions][]int64{&v.topics, &v.comments, &v.users, &v.lists} {
		for p, ids := range kind {
			slices.Sort(ids)
			kind[p] = slices.Compact(ids)
		}
	}
}

// scan lists all keys and checks each one on its own.
func (c *checker) scan(ctx context.Context) error {
	size, err := c.rdb.Redis.DBSize(ctx).Result()
	if err != nil {
		return err
	}
	// The scan is half of the work; the second half visits the keys again.
	c.total = 2 * max(size, 1)
	r := c.Read(ctx)
	var sequences [forum.Partitions]*redis.StringCmd
	for p := range sequences {
		sequences[p] = r.Text(key.Sequence(forum.Partition(p)))
	}
	if err := r.Done(); err != nil {
		return err
	}
	for p, cmd := range sequences {
		c.keys.sequence[p] = record.Atoi(cmd.Val())
	}
	err = pipeline.EachKey(ctx, c.rdb.Redis, readSize, func(keys []string) error {
		c.report.Keys += len(keys)
		c.progress(int64(len(keys)))
		for _, key := range keys {
			if k, ok := catalogue.ReadKey(key); ok {
				c.keys.add(key, k)
				c.Scanned(key, k)
			}
		}
		return check.Together(ctx, c.Run, keys,
			func(l *check.Look, k string) { l.Examine(check.Target{Kind: onKey, Key: k}) })
	})
	if err != nil {
		return err
	}
	c.keys.sort()
	return nil
}
