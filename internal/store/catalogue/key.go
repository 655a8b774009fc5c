package catalogue

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

// Sections are all kinds of keys that package key makes, by the parts of docs/keys.md that describe them.
var Sections = []struct {
	Title string
	Kinds []Kind
}{
	{"the site", siteKeys}, {"a partition", partitionKeys}, {"a topic", topicKeys}, {"a comment", commentKeys},
	{"an act", actKeys}, {"reports", reportKeys}, {"a user", userKeys}, {"a list of users", listKeys},
	{"limits", limitKeys}, {"snapshots", snapshotKeys}, {"indexes", indexKeys},
}

// Kinds are all kinds of keys.
var Kinds = func() (all []Kind) {
	for _, s := range Sections {
		all = append(all, s.Kinds...)
	}
	return all
}()

// What varies in the keys of the catalogue.
const (
	id = 1_000_000_007 + iota
	topic
	category
	user
	tag
	hour
	snapshot
	day        forum.Day       = 20_000
	partition  forum.Partition = 7
	sectionAct                 = forum.MaxID + 1
	siteAct                    = forum.MaxSectionActID + 1
	hashed                     = "hashed"
)

var timeline = forum.Timeline{Kind: forum.FrontTimeline, Order: forum.ByTop, Direction: forum.Descending,
	Period: forum.PeriodWeek}

// roomTimeline is a timeline whose snapshots have rooms.
var roomTimeline = func(t forum.Timeline) forum.Timeline {
	t.Rooms = "<rooms>"
	return t
}(timeline)

// named replaces these by the names of variables.
var named = strings.NewReplacer(key.Itoa[int64](id), "<id>", key.Itoa[int64](sectionAct), "<id>",
	key.Itoa[int64](siteAct), "<id>", key.Itoa[int64](topic), "<topic>", key.Itoa[int64](category), "<category>",
	key.Itoa[int64](user), "<user>", key.Itoa[int64](tag), "<tag>", key.Itoa[int64](hour), "<hour>",
	key.Itoa[int64](snapshot), "<number>", day.String(), "<date>", timeline.Name(), "<timeline>",
	hashIn(key.EmailClaim(hashed)), "<digest>", // whose beginning may be another hash
	hashIn(key.Source(partition, "", hashed)), "<source>", hashIn(key.Idempotency(partition, user, hashed)), "<hash>")

// hashIn returns the hash that a key ends with.
func hashIn(key string) string {
	key = strings.TrimSuffix(key, "}")
	return key[strings.LastIndexByte(key, ':')+1:]
}

// all returns the keys of a Pattern that has several.
func all(keys ...string) string { return strings.Join(keys, " ") }

var inPartition = regexp.MustCompile(`\{p[0-9a-f]{2}\}`)

// Shapes returns the keys with names, such as "<id>", in place of what varies; XX is a partition.
func (p Pattern) Shapes() []string {
	return strings.Fields(inPartition.ReplaceAllString(named.Replace(p.Keys), "{pXX}"))
}

// examples are texts for the variables that Patterns have by their names.
var examples = strings.NewReplacer("<task>", "t:519", "<visitor>", "u7", "<source>", strings.Repeat("0a", 16),
	"<hash>", strings.Repeat("0a", 16), "<address>", "ff00", "<what>", "sign-in-56", "<state>", "open", "<act>", "HIDE",
	"<login>", "ann", "<look>", "ann", "<consumer>", "ct:search", "<sum>", "0123456789abcdef",
	"<rooms>", "7,8")

// Examples returns a key of each Pattern of the kind.
func (k Kind) Examples() (keys []string) {
	for _, p := range k.Keys {
		keys = append(keys, strings.Fields(examples.Replace(p.Keys))...)
	}
	return keys
}

// variables are what varies in keys, as regular expressions. The first group that matches, after the partition, is the
// object's number, date or name.
var variables = map[string]string{
	"id": number, "topic": number, "category": number, "hour": number,
	"tag": `([1-9][0-9]{0,15})`, "date": `([0-9]{4}-[0-9]{2}-[0-9]{2})`, "timeline": `([a-z0-9_:]+)`, "task": `(.+)`,
	"user": `(0|[1-9][0-9]{0,9})`, "number": `[1-9][0-9]{0,9}`, "source": `([0-9a-f]{32})`,
	"hash": `[0-9a-f]{32}`, "digest": `[0-9a-f]{64}`, "sum": `[0-9a-f]{16}`, "address": `[0-9a-f]+`,
	"what": `[a-z0-9-]+`, "state": `(?:open|upheld|dismissed)`, "act": `[A-Z_]+`,
	"login": `.+`, "consumer": `([a-zA-Z]+:[a-z-]+)`, "look": `.+`, "visitor": `.+`, "rooms": `[0-9,]+`,
}

const number = `([1-9][0-9]{0,9})`

var variable = regexp.MustCompile(`<[a-z]+>`)

// expression returns the regular expression of a shape.
func expression(key string) *regexp.Regexp {
	expr := strings.Replace(regexp.QuoteMeta(key), "pXX", "p([0-9a-f]{2})", 1)
	return regexp.MustCompile("^" + variable.ReplaceAllStringFunc(expr, func(name string) string {
		return variables[name[1:len(name)-1]]
	}) + "$")
}

// matcher recognizes one of the keys of a kind.
type matcher struct {
	*regexp.Regexp
	end  string // after what varies
	kind *Kind
}

// matchers returns the matchers of all keys by their heads.
var matchers = sync.OnceValue(func() map[string][]matcher {
	all := map[string][]matcher{}
	for i := range Kinds {
		for _, p := range Kinds[i].Keys {
			for _, key := range p.Shapes() {
				h := head(key)
				end := key[strings.LastIndexAny(key, ">}")+1:]
				all[h] = append(all[h], matcher{expression(key), end, &Kinds[i]})
			}
		}
	}
	return all
})

// head returns the part of a key, or of a pattern, that tells most kinds apart: the first after the partition.
func head(key string) string {
	if strings.HasPrefix(key, "{p") && len(key) > len("{pXX}:") {
		key = key[len("{pXX}"):]
		part, _, _ := strings.Cut(key[1:], ":")
		return ":" + part
	}
	part, _, _ := strings.Cut(key, ":")
	return part
}

var byName = func() map[string]*Kind {
	all := make(map[string]*Kind, len(Kinds))
	for i := range Kinds {
		all[Kinds[i].Name] = &Kinds[i]
	}
	return all
}()

// KindNamed returns the kind with a name.
func KindNamed(name string) (*Kind, bool) {
	k, ok := byName[name]
	return k, ok
}

// ReadKey parses a key; ok is false if it has no known kind or is not in its partition.
func ReadKey(name string) (k Key, ok bool) {
	for _, m := range matchers()[head(name)] {
		if !strings.HasSuffix(name, m.end) {
			continue
		}
		if groups := m.FindStringSubmatch(name); groups != nil {
			return m.kind.key(name, groups[1:])
		}
	}
	return Key{}, false
}

// Read parses a key of the kind.
func (k *Kind) Read(name string) (Key, bool) {
	read, ok := ReadKey(name)
	return read, ok && read.Name == k.Name
}

// key returns a key of the kind, given what its regular expression found.
func (k *Kind) key(name string, groups []string) (Key, bool) {
	parsed := Key{Kind: *k}
	if strings.HasPrefix(name, "{p") {
		n, _ := strconv.ParseUint(groups[0], 16, 8)
		parsed.Partition, groups = forum.Partition(n), groups[1:]
	}
	if len(groups) > 0 {
		parsed.Text = groups[0]
		if k.Object != OfSource && k.Object != OfExternal { // a source's name is a hash, perhaps without letters
			parsed.ID, _ = strconv.ParseInt(parsed.Text, 10, 64)
		}
	}
	return parsed, parsed.inPartition()
}

// inPartition reports whether the key has a valid number or name, and is in its object's partition.
func (k Key) inPartition() bool {
	switch k.Object {
	case OfTag, OfTagBookkeeping, OfContainerEnded, OfIndexEvents:
		return k.ID <= int64(forum.MaxTagID)
	case OfSectionAct:
		return forum.ActID(k.ID).OfSection()
	case OfSiteAct:
		return forum.ActID(k.ID).OfSite() && k.ID <= forum.MaxActID
	case OfDay:
		_, ok := forum.ParseDay(k.Text)
		return ok
	case OfSnapshot:
		_, ok := forum.ParseTimeline(k.Text)
		return ok
	case OfTopic, OfVoters, OfComment, OfUser, OfClick, OfRanking, OfChanges, OfList, OfActPosts, OfReverseEnded, OfEvents:
		return k.ID <= forum.MaxID && forum.TopicID(k.ID).Partition() == k.Partition
	}
	return k.ID <= forum.MaxID
}
