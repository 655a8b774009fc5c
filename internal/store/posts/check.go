package posts

import (
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/derive"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// The rules of this package.
const (
	// RuleTopicFields: kind, state and format are known, numbers are well formed, times are in
	// order. Only reported.
	RuleTopicFields check.Rule = "topic-fields"
	// RuleTopicPartition: a topic is in its author's partition, the ghost's in that of its source.
	// Only reported.
	RuleTopicPartition check.Rule = "topic-partition"
	// RuleTopicCategory: an open topic's category exists; a discussion has one, a status none.
	// Repair removes an article from a lost category, and a status from any.
	RuleTopicCategory check.Rule = "topic-category"
	// RuleTopicAudience: a listed topic has the audience of its category, unless a task is to give it that. Repair
	// does.
	RuleTopicAudience check.Rule = "topic-audience"
	// RuleTopicLeft: an unmarked topic records no category or tag as left, and no pending fan-out, nor one of a future
	// revision. Repair removes it from these, and writes its indexes and homes.
	RuleTopicLeft check.Rule = "topic-left"
	// RuleThread: the lists of a topic have its comments, those without a parent, its tombstones, and the authors of
	// the others, by number; that of a comment its replies. Repair rewrites them.
	RuleThread check.Rule = "thread"
	// RuleTagFields: the tags of a topic are distinct lines "id name", with the id of the name.
	// Repair rewrites them from their names.
	RuleTagFields check.Rule = "tag-fields"
	// RuleDayCount: a topic records the latest day with comments, tombstones included, and the
	// numbers of live comments on that day and the day before. Repair sets them.
	RuleDayCount check.Rule = "day-count"
	// RuleCommentFields: format and numbers are well formed. Only reported.
	RuleCommentFields check.Rule = "comment-fields"
	// RuleCommentTopic: a comment's topic exists. Only reported.
	RuleCommentTopic check.Rule = "comment-topic"
	// RuleCommentUnlisted: a comment is in its topic's list. Repair adds it.
	RuleCommentUnlisted check.Rule = "comment-unlisted"
	// RuleCommentNumber: no two comments of a topic have the same number. Only reported.
	RuleCommentNumber check.Rule = "comment-number"
	// RuleCommentParent: the parent is an earlier comment of the same topic. Only reported.
	RuleCommentParent check.Rule = "comment-parent"
	// RuleHidden: what is hidden, and nothing else, is listed with the time of hiding, from which its end is counted.
	// Repair rewrites the entry.
	RuleHidden check.Rule = "hidden"
	// RuleTombstone: a deleted comment has no text. Repair removes it.
	RuleTombstone check.Rule = "tombstone"
	// RuleHeld: a topic has a list of its comments that are held; a deleted one has no such comments, unless a task
	// erases them. Repair follows the comments, and erases those of deleted topics, as the deletion was to do.
	RuleHeld check.Rule = "held"
	// RuleRevisions: the last of the kept revisions of a text is the present one, and each other one has its text, as
	// long as it says. Repair removes those without text, and texts without revision or that cannot be read.
	RuleRevisions check.Rule = "revisions"
	// RuleVotesCount: the vote counts are the imported base plus the sizes of the sets. After
	// voting on an article is over, its sets may be missing. Repair sets the counts.
	RuleVotesCount check.Rule = "votes-count"
	// RuleVotesBoth: no user votes both ways. Repair removes both votes, because the intended one
	// is unknown.
	RuleVotesBoth check.Rule = "votes-both"
	// RuleVoteTime: an article with voters, and nothing else, records the time of the latest vote.
	// Repair sets it to now, or removes it.
	RuleVoteTime check.Rule = "vote-time"
	// RuleCommentVotes: the vote counts in a comment's topic and parent are the comment's, if it
	// has votes; there are no other entries. Repair rewrites them.
	RuleCommentVotes check.Rule = "comment-votes"
	// RuleProfileMissing: an open topic is in its author's profile, by time of posting. Repair adds
	// it.
	RuleProfileMissing check.Rule = "profile-missing"
	// RuleProfileStray: a profile has no other entries. Repair removes them.
	RuleProfileStray check.Rule = "profile-stray"
	// RuleReadMark: a read mark is a comment number that the topic has assigned, or a time, at most
	// now, of a timeline that can exist. Repair deletes it.
	RuleReadMark check.Rule = "read-mark"
	// RuleReadMarked: every read mark, and nothing else, is listed with its time. Repair follows
	// the marks.
	RuleReadMarked check.Rule = "read-marked"
)

// The kinds of targets: an entry of the list of what is hidden, a field of the vote counts of a topic or comment, an
// entry of a profile, and the read marks of a user.
const (
	onHidden  check.Kind = "hidden-item"
	onCounted check.Kind = "vote-count"
	onProfile check.Kind = "profile"
	onMarks   check.Kind = "read-marks"
)

// checks are the checks of topics, comments and read marks.
type checks struct{ *Store }

// Checks returns what is checked of topics, comments and read marks.
func (s *Store) Checks() check.Subject {
	c := checks{s}
	counts := func(k string) []check.List {
		return []check.List{{Key: key.CommentVotes(k), Hash: true, On: check.Target{Kind: onCounted, Key: k}}}
	}
	return check.Subject{
		Kinds: map[check.Kind]func(*check.Look){
			check.OnTopic: c.topic, check.OnComment: c.comment, onHidden: c.hidden, onCounted: c.counted,
			onProfile: c.profile, onMarks: c.marks,
		},
		Keys: map[catalogue.Object]func(*check.Look, catalogue.Key){
			catalogue.OfTopic: c.history, catalogue.OfComment: c.history,
		},
		With: map[check.Kind]func(check.Target) ([]check.Target, []check.List){
			check.OnTopic: func(on check.Target) ([]check.Target, []check.List) {
				return nil, counts(key.Topic(forum.TopicID(on.ID)))
			},
			check.OnComment: func(on check.Target) ([]check.Target, []check.List) {
				return nil, counts(key.Comment(forum.CommentID(on.ID)))
			},
			check.OnUser: func(on check.Target) ([]check.Target, []check.List) {
				return []check.Target{{Kind: onMarks, ID: on.ID}}, []check.List{
					{Key: key.Profile(forum.UserID(on.ID)), On: check.Target{Kind: onProfile, ID: on.ID}}}
			},
			check.OnPartition: func(on check.Target) ([]check.Target, []check.List) {
				return nil, []check.List{
					{Key: key.Hidden(forum.Partition(on.ID)), On: check.Target{Kind: onHidden, ID: on.ID}}}
			},
		},
		Swept: []check.Rule{RuleTopicLeft, RuleTopicCategory},
		Tasks: map[record.TaskKind]check.Task{
			record.TaskRetract: check.TaskOf(check.TaskTopic, "state", check.Present,
				check.Parsed(record.ParseRetractCursor)),
			record.TaskErase: check.TaskOf(check.TaskUser, "state", check.IsDeleted,
				check.Parsed(record.ParseEraseCursor)),
		},
	}
}

// hidden checks that a hidden item that a partition lists exists; if so, it is compared with the list elsewhere.
func (c checks) hidden(l *check.Look) {
	p, name := forum.Partition(l.On.ID), l.On.Text
	list := key.Hidden(p)
	kind, number, _ := strings.Cut(name, ":")
	id, err := forum.ParseID[forum.TopicID](number)
	k := key.PartitionPrefix(p) + name // of what the item stands for
	if kind == "e" {
		var on forum.Subject
		if on, err = record.ParseActSubject(number); err == nil {
			id, k = forum.TopicID(max(int64(on.Topic), int64(on.Comment), int64(on.User))), key.Evidence(on)
		}
	}
	found, listed := l.Exists(k), l.Score(list, name)
	l.Wait()
	sound := slices.Contains([]string{"t", "c", "e"}, kind) && err == nil && id.Partition() == p && check.Exists(found)
	if !sound && check.Is(listed) {
		l.Add(RuleHidden, list, check.Drop(list, name), "%q names nothing of the partition that is kept", name)
	}
}

// profile checks an entry of a user's profile. Topics that are missing, or at the wrong score, are found with the
// topics.
func (c checks) profile(l *check.Look) {
	by, name := forum.UserID(l.On.ID), l.On.Text
	k := key.Profile(by)
	id, created, _ := record.ParseMember(name) // 0, which is not a topic, if malformed
	at, topic := l.Score(k, name), l.Fields(key.Topic(forum.TopicID(id)),
		[]string{"state", "audience", "author", "created"})
	l.Wait()
	t := topic()
	if check.Is(at) && (!record.IsPublic(t) || t["author"] != key.Itoa(by) ||
		created != t.Time("created")) {
		l.Add(RuleProfileStray, k, check.Drop(k, name).Given(key.User(by)), "%q is not a listed topic of user %d", name,
			by)
	}
}

// votesView is the votes on one subject. Both are the users who vote both ways.
type votesView struct {
	derive.Votes
	both []string
}

// queueVotes queues the reads of votes on a subject; fill adds its fields.
func queueVotes(r *check.Reading, k string) (fill func(f record.Fields) votesView) {
	up, down := r.Size(key.Upvoters(k)), r.Size(key.Downvoters(k))
	both := r.Next().ZInter(r.Ctx, &redis.ZStore{Keys: []string{key.Upvoters(k), key.Downvoters(k)}})
	return func(f record.Fields) votesView {
		return votesView{derive.Votes{Up: f.Int("up"), BaseUp: f.Int("upBase"), SetUp: int(up.Val()),
			Down: f.Int("down"), BaseDown: f.Int("downBase"), SetDown: int(down.Val())}, both.Val()}
	}
}

// votes compares the counts of a subject with the sets. amend sets fields of the subject.
func (c checks) votes(l *check.Look, k string, v votesView, amend func(pairs ...any) check.Fix) {
	sets := []string{key.Upvoters(k), key.Downvoters(k)}
	if up, down := v.Counts(); v.Up != up || v.Down != down {
		l.Add(RuleVotesCount, k, amend("up", up, "down", down).Given(sets...),
			"%d up, %d down; the sets have %d and %d", v.Up, v.Down, up, down)
	}
	if both := v.both; len(both) > 0 {
		slices.Sort(both)
		l.Add(RuleVotesBoth, k, check.All(check.Drop(sets[0], both...), check.Drop(sets[1], both...)).Given(k),
			"%d users vote both ways: %.100s", len(both), both)
	}
}

// counted checks a field of the vote counts of a topic, which has the votes on its comments, or of a comment, which has
// those on its replies.
func (c checks) counted(l *check.Look) {
	of, name := l.On.Key, l.On.Text
	id, _ := forum.ParseID[forum.CommentID](name)
	there, comment := l.Next().HExists(l.Ctx, key.CommentVotes(of), name),
		l.Fields(key.Comment(id), []string{"topic", "parent"})
	l.Wait()
	f := comment()
	if there.Val() && of != key.Topic(forum.TopicID(f.Int("topic"))) &&
		of != key.Comment(forum.CommentID(f.Int("parent"))) {
		l.Add(RuleCommentVotes, key.CommentVotes(of), check.Unset(key.CommentVotes(of), name),
			"%q is not a comment here", name)
	}
}
