package fsck

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// pattern describes a kind of key.
type pattern struct {
	match *regexp.Regexp
	typ   string
	life  time.Duration // longest; 0 for keys that do not expire
	// object is what the key belongs to: its number is the first group after the partition, if the
	// key has one.
	object objectKind
}

type objectKind int

const (
	ofSite objectKind = iota
	ofPartition
	ofTopic
	ofVoters // of a topic; those of an article expire
	ofComment
	ofUser
	ofTask
	ofIndex
	ofTag     // an index too
	ofTagBook // its book-keeping, which expires once no topic has the tag
	ofDay     // an index that expires
	ofCategory
	ofTab
	ofClaim
	ofIdem
	ofClick
	ofSource
	ofRanking
	ofList
	ofRemoved        // fences of a partition
	ofFarEnded       // tombstones on the far side of edges to a user or topic
	ofContainerEnded // tombstones of followers of a category or tag
	ofEvents         // events of a watched list of a user
	ofIndexEvents    // events of a watched index
	ofSnapshot
)

const (
	idPattern        = `([1-9][0-9]{0,9})`
	tagIDPattern     = `([1-9][0-9]{0,15})`
	dayPattern       = `([0-9]{4}-[0-9]{2}-[0-9]{2})`
	partitionPattern = `^\{p([0-9a-f]{2})\}:`
	ordersPattern    = `(?:created|active|score|hot|down|gone)`
)

const (
	// rateLife is the lifetime of a list of calls: all rates are per SignInWindow.
	rateLife = forum.SignInWindow + forum.ExpiryGrace
	// failureLife is the lifetime of failed sign-ins with a name.
	failureLife = forum.FailureWindow + forum.ExpiryGrace
	// bookLife is how long the book-keeping of a tag outlives its last topic.
	bookLife = forum.RemovalLife + forum.ExpiryGrace
	// keptLife is the lifetime of a snapshot, and of a ranking of comments.
	keptLife = forum.SnapshotLife + forum.SnapshotEvery
)

// patterns are all kinds of keys that package key creates.
var patterns = []pattern{
	{regexp.MustCompile(partitionPattern + `t:` + idPattern + `$`), "hash", 0, ofTopic},
	{regexp.MustCompile(partitionPattern + `t:` + idPattern + `:(?:comments|replies|gone|authors|bookmarkers)$`), "zset", 0, ofTopic},
	{regexp.MustCompile(partitionPattern + `t:` + idPattern + `:bookmarkers:ended$`), "zset", key.EndedLife, ofFarEnded},
	{regexp.MustCompile(partitionPattern + `t:` + idPattern + `:(?:up|down)$`), "zset", 0, ofVoters},
	{regexp.MustCompile(partitionPattern + `t:` + idPattern + `:tally$`), "hash", 0, ofTopic},
	{regexp.MustCompile(partitionPattern + `t:` + idPattern + `:(?:comments|replies):ranking:[0-9a-f]{16}$`), "string", keptLife, ofRanking},
	{regexp.MustCompile(partitionPattern + `c:` + idPattern + `$`), "hash", 0, ofComment},
	{regexp.MustCompile(partitionPattern + `c:` + idPattern + `:replies$`), "zset", 0, ofComment},
	{regexp.MustCompile(partitionPattern + `c:` + idPattern + `:(?:up|down)$`), "zset", 0, ofComment},
	{regexp.MustCompile(partitionPattern + `c:` + idPattern + `:tally$`), "hash", 0, ofComment},
	{regexp.MustCompile(partitionPattern + `c:` + idPattern + `:replies:ranking:[0-9a-f]{16}$`), "string", keptLife, ofRanking},
	{regexp.MustCompile(partitionPattern + `u:` + idPattern + `$`), "hash", 0, ofUser},
	{regexp.MustCompile(partitionPattern + `u:` + idPattern + `:(?:profile|votes)$`), "zset", 0, ofUser},
	{regexp.MustCompile(partitionPattern + `u:` + idPattern + `:(?:following|subjects|followers|blocked|blockers|home|lists|listed|bookmarks|marked)$`), "zset", 0, ofUser},
	{regexp.MustCompile(partitionPattern + `u:` + idPattern + `:(?:lists:names|marks)$`), "hash", 0, ofUser},
	{regexp.MustCompile(partitionPattern + `u:` + idPattern + `:notes(?::unread)?$`), "zset", 0, ofUser},
	{regexp.MustCompile(partitionPattern + `u:` + idPattern + `:note$`), "hash", 0, ofUser},
	{regexp.MustCompile(partitionPattern + `u:` + idPattern + `:(?:followers|blockers|listed):ended$`), "zset", key.EndedLife, ofFarEnded},
	{regexp.MustCompile(partitionPattern + `l:` + idPattern + `$`), "hash", 0, ofList},
	{regexp.MustCompile(partitionPattern + `l:` + idPattern + `:members$`), "zset", 0, ofList},
	{regexp.MustCompile(partitionPattern + `gone:([1-9][0-9]{0,9})$`), "hash", 0, ofRemoved},
	{regexp.MustCompile(partitionPattern + `u:` + idPattern + `:(?:profile|home|bookmarks):ev$`), "stream", forum.StreamLife, ofEvents},
	{regexp.MustCompile(`^\{ix:(?:front|c` + idPattern + `|g` + tagIDPattern + `|d` + dayPattern + `)\}:ev$`), "stream", forum.StreamLife, ofIndexEvents},
	{regexp.MustCompile(partitionPattern + `u:` + idPattern + `:sessions$`), "hash", forum.SessionLife + forum.ExpiryGrace, ofUser},
	{regexp.MustCompile(partitionPattern + `u:` + idPattern + `:rel$`), "set", 0, ofUser},
	{regexp.MustCompile(partitionPattern + `u:` + idPattern + `:comments:(?:created|gone)$`), "zset", 0, ofUser},
	{regexp.MustCompile(partitionPattern + `u:` + idPattern + `:comments:rev$`), "hash", 0, ofUser},
	{regexp.MustCompile(partitionPattern + `seq$`), "string", 0, ofPartition},
	{regexp.MustCompile(partitionPattern + `stats$`), "hash", 0, ofPartition},
	{regexp.MustCompile(partitionPattern + `(?:dirty|due|dead)$`), "zset", 0, ofPartition},
	{regexp.MustCompile(partitionPattern + `task:(.+)$`), "hash", 0, ofTask},
	{regexp.MustCompile(partitionPattern + `idem:(0|[1-9][0-9]{0,9}):[0-9a-f]{32}$`), "string", forum.IdempotencyLife + forum.ExpiryGrace, ofIdem},
	{regexp.MustCompile(partitionPattern + `click:` + idPattern + `:.+$`), "string", forum.ClickLife, ofClick},
	{regexp.MustCompile(partitionPattern + `src:([0-9a-f]{32})$`), "string", 0, ofSource},
	{regexp.MustCompile(`^\{ix:(front)\}:` + ordersPattern + `$`), "zset", 0, ofIndex},
	{regexp.MustCompile(`^\{ix:(front)\}:rev$`), "hash", 0, ofIndex},
	{regexp.MustCompile(`^\{ix:c` + idPattern + `\}:` + ordersPattern + `$`), "zset", 0, ofIndex},
	{regexp.MustCompile(`^\{ix:c` + idPattern + `\}:rev$`), "hash", 0, ofIndex},
	{regexp.MustCompile(`^\{ix:c` + idPattern + `\}:closed$`), "string", 0, ofIndex},
	{regexp.MustCompile(`^\{ix:g` + tagIDPattern + `\}:` + `(?:created|active|score|hot|down)$`), "zset", 0, ofTag},
	{regexp.MustCompile(`^\{ix:g` + tagIDPattern + `\}:tag$`), "hash", 0, ofTag},
	{regexp.MustCompile(`^\{ix:c` + idPattern + `\}:followers$`), "zset", 0, ofIndex},
	{regexp.MustCompile(`^\{ix:c` + idPattern + `\}:followers:ended$`), "zset", key.EndedLife, ofContainerEnded},
	{regexp.MustCompile(`^\{ix:g` + tagIDPattern + `\}:followers$`), "zset", 0, ofTag},
	{regexp.MustCompile(`^\{ix:g` + tagIDPattern + `\}:followers:ended$`), "zset", key.EndedLife, ofContainerEnded},
	{regexp.MustCompile(`^\{ix:g` + tagIDPattern + `\}:gone$`), "zset", bookLife, ofTagBook},
	{regexp.MustCompile(`^\{ix:g` + tagIDPattern + `\}:rev$`), "hash", bookLife, ofTagBook},
	{regexp.MustCompile(`^\{ix:d` + dayPattern + `\}:(?:replies|gone)$`), "zset", 0, ofDay},
	{regexp.MustCompile(`^\{ix:d` + dayPattern + `\}:rev$`), "hash", 0, ofDay},
	{regexp.MustCompile(`^snap:\{([a-z0-9_:]+)\}:[1-9][0-9]{0,9}$`), "string", keptLife, ofSnapshot},
	{regexp.MustCompile(`^snap:\{[a-z0-9_:]+\}:[1-9][0-9]{0,9}:lease$`), "string", record.SnapshotLease, ofSite},
	{regexp.MustCompile(`^\{cat\}:c:` + idPattern + `$`), "hash", 0, ofCategory},
	{regexp.MustCompile(`^\{cat\}:c:` + idPattern + `:tabs$`), "zset", 0, ofCategory},
	{regexp.MustCompile(`^\{cat\}:t:` + idPattern + `$`), "hash", 0, ofTab},
	{regexp.MustCompile(`^\{cat\}:t:` + idPattern + `:categories$`), "zset", 0, ofTab},
	{regexp.MustCompile(`^\{cat\}:seq:[ct]$`), "string", 0, ofSite},
	{regexp.MustCompile(`^\{cat\}:(?:names|src):[ct]$`), "hash", 0, ofSite},
	{regexp.MustCompile(`^\{cat\}:(?:all:[ct]|dirty)$`), "zset", 0, ofSite},
	{regexp.MustCompile(`^` + key.Layout + `$`), "hash", 0, ofSite},
	{regexp.MustCompile(`^uniq:\{[lek]:.+\}$`), "string", 0, ofClaim},
	{regexp.MustCompile(`^` + key.Secret + `$`), "string", 0, ofSite},
	{regexp.MustCompile(`^` + key.Recheck + `$`), "string", record.RecheckLease, ofSite},
	{regexp.MustCompile(`^rate:\{failures:[0-9a-f]{32}\}$`), "string", failureLife, ofSite},
	{regexp.MustCompile(`^rate:\{failures:[0-9a-f]{32}\}:[0-9a-f]+$`), "hash", failureLife, ofSite},
	{regexp.MustCompile(partitionPattern + `u:` + idPattern + `:devices$`), "zset", forum.DeviceLife + forum.ExpiryGrace, ofUser},
	{regexp.MustCompile(`^rate:\{[a-z-]+:[0-9a-f]{32}\}$`), "list", rateLife, ofSite},
}

// knownKey is a parsed key.
type knownKey struct {
	pattern
	partition forum.Partition
	id        int64
	name      string
}

// readKey parses a key; ok is false if it matches no pattern or is not in its partition.
func readKey(key string) (k knownKey, ok bool) {
	for _, p := range patterns {
		m := p.match.FindStringSubmatch(key)
		if m == nil {
			continue
		}
		k = knownKey{pattern: p}
		groups := m[1:]
		if strings.HasPrefix(key, "{p") {
			n, _ := strconv.ParseUint(groups[0], 16, 8)
			k.partition, groups = forum.Partition(n), groups[1:]
		}
		if len(groups) > 0 {
			k.name = groups[0]
			if p.object != ofSource { // a source's name is a hash, perhaps without letters
				k.id, _ = strconv.ParseInt(k.name, 10, 64)
			}
		}
		return k, k.inPartition()
	}
	return knownKey{}, false
}

// inPartition reports whether the key has a valid number or name, and is in its object's partition.
func (k knownKey) inPartition() bool {
	switch k.object {
	case ofTag, ofTagBook, ofContainerEnded, ofIndexEvents:
		return k.id <= int64(forum.MaxTagID)
	case ofDay:
		_, ok := forum.ParseDay(k.name)
		return ok
	case ofSnapshot:
		t, ok := forum.ParseTimeline(k.name)
		return ok && t.Snapshot()
	case ofTopic, ofVoters, ofComment, ofUser, ofClick, ofRanking, ofList, ofFarEnded, ofEvents:
		return k.id <= forum.MaxID && forum.TopicID(k.id).Partition() == k.partition
	}
	return k.id <= forum.MaxID
}

// inventory is the result of a scan of the keys: only numbers, no contents.
type inventory struct {
	topics, comments, users [forum.Partitions][]int64
	lists                   [forum.Partitions][]int64 // of users
	tasks                   [forum.Partitions][]string
	categories, tabs        []int64
	indexes                 map[key.Container]bool
	// followed are the keys of followers of categories and tags, and of bookmarkers of topics.
	followed map[string]bool
	ended    map[string]bool         // keys of tombstones on the far side of edges
	sequence [forum.Partitions]int64 // before the scan
	seen     [forum.Partitions]bool  // has keys
}

func newInventory() *inventory {
	return &inventory{indexes: map[key.Container]bool{}, followed: map[string]bool{}, ended: map[string]bool{}}
}

func (v *inventory) add(name string, k knownKey) {
	p := k.partition
	if strings.HasPrefix(name, "{p") && k.object != ofRemoved { // every partition may have these
		v.seen[p] = true
	}
	switch k.object {
	case ofTopic, ofVoters:
		v.topics[p] = append(v.topics[p], k.id)
		if strings.HasSuffix(name, ":bookmarkers") {
			v.followed[name] = true
		}
	case ofComment:
		v.comments[p] = append(v.comments[p], k.id)
	case ofUser:
		v.users[p] = append(v.users[p], k.id)
	case ofTask:
		v.tasks[p] = append(v.tasks[p], k.name)
	case ofCategory:
		v.categories = append(v.categories, k.id)
	case ofTab:
		v.tabs = append(v.tabs, k.id)
	case ofList:
		v.lists[p] = append(v.lists[p], k.id)
	case ofFarEnded, ofContainerEnded:
		v.ended[name] = true
	case ofIndex, ofTag, ofTagBook, ofDay:
		v.indexes[key.Container(name[:strings.IndexByte(name, '}')+1])] = true
		if strings.HasSuffix(name, ":followers") {
			v.followed[name] = true
		}
	}
}

// sort sorts the numbers and removes duplicates: an object has several keys, and a scan may return
// a key twice.
func (v *inventory) sort() {
	once := func(ids *[]int64) {
		slices.Sort(*ids)
		*ids = slices.Compact(*ids)
	}
	for p := range forum.Partitions {
		once(&v.topics[p])
		once(&v.comments[p])
		once(&v.users[p])
		once(&v.lists[p])
	}
	once(&v.categories)
	once(&v.tabs)
}

// scan lists all keys and checks each one on its own.
func (c *checker) scan(ctx context.Context) error {
	size, err := c.rdb.Redis.DBSize(ctx).Result()
	if err != nil {
		return err
	}
	// The scan is half of the work; the second half visits the keys again.
	c.total = 2 * max(size, 1)
	if err := c.readSequences(ctx, &c.keys.sequence); err != nil {
		return err
	}
	err = c.eachKey(ctx, func(keys []string) error {
		c.report.Keys += len(keys)
		c.progress(int64(len(keys)))
		for _, key := range keys {
			if k, ok := readKey(key); ok {
				c.keys.add(key, k)
			}
		}
		return c.inspectKeys(ctx, keys)
	})
	if err != nil {
		return err
	}
	c.keys.sort()
	return nil
}

// eachKey passes all keys to do, many at a time.
func (c *checker) eachKey(ctx context.Context, do func(keys []string) error) error {
	nodes, err := c.repairer.Masters(ctx)
	if err != nil {
		return err
	}
	for _, node := range nodes {
		if err := eachKeyOf(ctx, node.Redis, do); err != nil {
			return err
		}
	}
	return nil
}

func eachKeyOf(ctx context.Context, node redis.UniversalClient, do func(keys []string) error) error {
	for cursor := uint64(0); ; {
		keys, next, err := node.Scan(ctx, cursor, "", readSize).Result()
		if err != nil {
			return err
		}
		// The embedded store returns all keys in one reply.
		for chunk := range slices.Chunk(keys, readSize) {
			if err := do(chunk); err != nil {
				return err
			}
		}
		if cursor = next; cursor == 0 {
			return nil
		}
	}
}

func (c *checker) readSequences(ctx context.Context, into *[forum.Partitions]int64) error {
	r := c.read(ctx)
	var cmds [forum.Partitions]interface{ Val() string }
	for p := range cmds {
		cmds[p] = r.next().Get(ctx, key.Sequence(forum.Partition(p)))
	}
	if err := r.done(); err != nil {
		return err
	}
	for p, cmd := range cmds {
		into[p], _ = strconv.ParseInt(cmd.Val(), 10, 64)
	}
	return nil
}
