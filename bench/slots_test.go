package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/text"
)

const (
	slots      = 16384 // of a cluster
	slotWrites = 4000  // are measured
)

// mix has shares of writes in percent; the rest are follows.
type mix struct {
	name                   string
	replies, topics, votes int
}

var mixes = []mix{
	{"mix", 25, 5, 60}, {"replies", 100, 0, 0}, {"topics", 0, 100, 0}, {"votes", 0, 0, 100}, {"follows", 0, 0, 0},
}

// crowded is a site whose topics and categories differ in popularity by Zipf's law.
type crowded struct {
	b          *testing.B
	store      *store.Store
	random     *rand.Rand
	users      []forum.UserID
	categories []forum.CategoryID
	topics     []forum.TopicID
	popular    *rand.Zipf // topics, the latest first
	category   *rand.Zipf
}

func (c *crowded) must(err error) {
	if err != nil && forum.CodeOf(err) != forum.CodeVotingClosed {
		c.b.Fatal(err)
	}
}

func newCrowded(b *testing.B, s *store.Store) *crowded {
	const users, categories, topics = 1000, 20, 5000
	random := rand.New(rand.NewPCG(1, 2))
	c := &crowded{
		b: b, store: s, random: random, popular: rand.NewZipf(random, 1.1, 10, topics-1),
		category: rand.NewZipf(random, 1.1, 1, categories-1),
	}
	for i := range users {
		login := fmt.Sprint("member", i)
		id, err := s.Accounts.Register(background, accounts.NewUser{Login: login, LoginFold: login, Name: login})
		c.must(err)
		c.users = append(c.users, id)
	}
	for i := range categories {
		name := fmt.Sprint("category ", i)
		id, err := s.Categories.CreateCategory(background, name, name, "")
		c.must(err)
		c.categories = append(c.categories, id)
	}
	for range topics {
		c.post()
	}
	c.must(s.Flush(background))
	return c
}

func (c *crowded) user() forum.UserID { return c.users[c.random.IntN(len(c.users))] }

func (c *crowded) topic() forum.TopicID { return c.topics[len(c.topics)-1-int(c.popular.Uint64())] }

func (c *crowded) viewer() *forum.Viewer { return &forum.Viewer{ID: c.user(), Role: forum.RoleUser} }

func (c *crowded) post() {
	tag, err := text.Tag(nil, fmt.Sprint("tag ", c.random.IntN(200)))
	c.must(err)
	id, err := c.store.Posts.CreateTopic(background, posts.NewTopic{
		Author: c.user(), Kind: forum.Discussion, Title: words(50), Content: words(300), Format: forum.Markdown,
		Category: c.categories[c.category.Uint64()], Tags: forum.TopicTags{tag},
	})
	c.must(err)
	c.topics = append(c.topics, id)
}

func (c *crowded) reply() {
	_, err := c.store.Posts.CreateComment(background, c.viewer(),
		posts.NewComment{Topic: c.topic(), Content: words(200), Format: forum.Markdown})
	c.must(err)
}

func (c *crowded) vote() {
	_, err := c.store.Votes.VoteTopic(background, c.viewer(), c.topic(), forum.VoteUp)
	c.must(err)
}

func (c *crowded) follow() {
	by, to := c.user(), c.user()
	if by != to {
		_, err := c.store.Follows.Follow(background, by, forum.Target{User: to}, true)
		c.must(err)
	}
}

// write makes one write of a mix.
func (c *crowded) write(m mix) {
	switch n := c.random.IntN(100); {
	case n < m.replies:
		c.reply()
	case n < m.replies+m.topics:
		c.post()
	case n < m.replies+m.topics+m.votes:
		c.vote()
	default:
		c.follow()
	}
}

// slotLoad is what one slot has to do.
type slotLoad struct {
	slot                  int
	tag                   string // of one of its keys
	pipelines             [][][]any
	commands, bytes, busy int // busy is in µs
}

// BenchmarkSlots reports how the work of writes is shared out over the masters of a cluster. It records what the
// store sends, then sends the commands of each slot by themselves, which is possible because no command touches two
// slots, and reads how much CPU time Redis takes for each. The slots are shared out evenly, as redis-cli does.
func BenchmarkSlots(b *testing.B) {
	requireServer(b)
	for _, m := range mixes {
		b.Run(m.name, func(b *testing.B) {
			for range b.N {
				measureMix(b, m)
			}
		})
	}
}

// measureMix records what a mix sends, measures it and reports it.
func measureMix(b *testing.B, m mix) {
	c := largeSets(b)
	s := empty(b, c, store.WithOneSlot())
	noting := &pipelines{}
	c.AddHook(redistest.Hook(noting.note))
	site := newCrowded(b, s)
	begun := len(noting.sent)
	for range slotWrites {
		site.write(m)
	}
	s.Close()
	all := bySlot(noting.sent[begun:])
	measureSlots(b, noting.sent[:begun], all)
	reportSlots(b, all)
	reportFront(b, c, len(site.topics))
}

// largeSets starts a Redis that stores small sets as it does large ones: those of a site that needs a cluster are
// large.
func largeSets(b *testing.B) *redis.Client {
	c := client(b, redistest.Start(b))
	for _, limit := range []string{"zset-max-listpack-entries", "hash-max-listpack-entries"} {
		must.OK(b, c.ConfigSet(background, limit, "0").Err())
	}
	return c
}

// measureSlots repeats what came before on an empty Redis, then what each slot has to do.
func measureSlots(b *testing.B, before [][][]any, all []*slotLoad) {
	c := largeSets(b)
	empty(b, c).Close() // loads the scripts
	for _, pipeline := range before {
		sendPipeline(b, c, pipeline)
	}
	for _, l := range all {
		began := cpuTime(b, c)
		for _, pipeline := range l.pipelines {
			sendPipeline(b, c, pipeline)
		}
		l.busy = cpuTime(b, c) - began
	}
}

func sendPipeline(b *testing.B, c *redis.Client, commands [][]any) {
	pipe := c.Pipeline()
	for _, args := range commands {
		pipe.Do(background, args...)
	}
	cmds, _ := pipe.Exec(background)
	for _, cmd := range cmds {
		if err := cmd.Err(); err != nil && !errors.Is(err, redis.Nil) {
			b.Fatal(cmd)
		}
	}
}

// cpuTime returns the CPU time of Redis, in µs.
func cpuTime(b *testing.B, c *redis.Client) int {
	sum := 0.0
	for line := range strings.Lines(c.Info(background, "cpu").Val()) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		if name == "used_cpu_user_main_thread" || name == "used_cpu_sys_main_thread" {
			n := must.Do(strconv.ParseFloat(value, 64))(b)
			sum += n
		}
	}
	return int(sum * 1e6)
}

// bySlot shares out what was sent, as the client of a cluster does: each pipeline becomes one for each slot.
func bySlot(sent [][][]any) []*slotLoad {
	loads := map[int]*slotLoad{}
	for _, pipeline := range sent {
		parts := map[int][][]any{}
		for _, args := range pipeline {
			tag := tagOf(args)
			if tag == "" {
				continue
			}
			slot := slotOf(tag)
			if loads[slot] == nil {
				loads[slot] = &slotLoad{slot: slot, tag: tag}
			}
			parts[slot] = append(parts[slot], args)
			loads[slot].commands++
			for _, arg := range args {
				loads[slot].bytes += len(fmt.Sprint(arg))
			}
		}
		for slot, part := range parts {
			loads[slot].pipelines = append(loads[slot].pipelines, part)
		}
	}
	return slices.SortedFunc(maps.Values(loads), func(a, b *slotLoad) int { return cmp.Compare(a.slot, b.slot) })
}

// tagOf returns the part of the first key of a command that determines its slot, or "".
func tagOf(args []any) string {
	at := 1
	if name := strings.ToLower(fmt.Sprint(args[0])); name == "evalsha" || name == "eval" {
		at = 3
	}
	if at >= len(args) {
		return ""
	}
	key := fmt.Sprint(args[at])
	if _, rest, open := strings.Cut(key, "{"); open {
		if tag, _, closed := strings.Cut(rest, "}"); closed && tag != "" {
			return tag
		}
	}
	return key
}

// slotOf returns the slot of a tag: CRC-16/XMODEM, as the specification of Redis Cluster says.
func slotOf(tag string) int {
	var crc uint16
	for _, c := range []byte(tag) {
		crc ^= uint16(c) << 8
		for range 8 {
			if crc&0x8000 != 0 {
				crc = crc<<1 ^ 0x1021
			} else {
				crc <<= 1
			}
		}
	}
	return int(crc) % slots
}

// kindOf returns what a tag stands for.
func kindOf(tag string) string {
	switch {
	case strings.HasPrefix(tag, "ix:front"):
		return "front"
	case strings.HasPrefix(tag, "ix:d"):
		return "day"
	case strings.HasPrefix(tag, "ix:c"):
		return "categories"
	case strings.HasPrefix(tag, "ix:g"):
		return "tags"
	case len(tag) == 3 && tag[0] == 'p':
		return "partitions"
	}
	return "rest"
}

func reportSlots(b *testing.B, all []*slotLoad) {
	busy, commands, bytes := 0, 0, 0
	kinds, most := map[string]int{}, map[string]int{}
	for _, l := range all {
		busy, commands, bytes = busy+l.busy, commands+l.commands, bytes+l.bytes
		kinds[kindOf(l.tag)] += l.busy
		most[kindOf(l.tag)] = max(most[kindOf(l.tag)], l.busy)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(busy)/slotWrites, "µs/write")
	b.ReportMetric(float64(commands)/slotWrites, "commands/write")
	b.ReportMetric(float64(bytes)/slotWrites, "B/write")
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		b.ReportMetric(float64(kinds[kind])/float64(busy), kind)
		if most[kind] < kinds[kind] {
			b.ReportMetric(float64(most[kind])/float64(busy), kind+"-most")
		}
	}
	for _, masters := range []int{3, 6, 12, 24} {
		load := make([]int, masters)
		for _, l := range all {
			load[l.slot*masters/slots] += l.busy
		}
		b.ReportMetric(float64(slices.Max(load)*masters)/float64(busy), fmt.Sprintf("max/mean-%d", masters))
	}
}

// reportFront reports how many bytes the list of all topics takes for each.
func reportFront(b *testing.B, c *redis.Client, topics int) {
	used := int64(0)
	for _, key := range c.Keys(background, "{ix:front*").Val() {
		used += c.MemoryUsage(background, key, 0).Val()
	}
	b.ReportMetric(float64(used)/float64(topics), "front-B/topic")
}
