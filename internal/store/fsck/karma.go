package fsck

import (
	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/derive"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// counted checks what the karma of its author counts of a comment.
func (l *look) counted() {
	if l.on.text != "" {
		l.countedField()
		return
	}
	id := forum.CommentID(l.on.id)
	f, s, excused := l.commentState(id)
	k, karma := key.Comment(id), key.Karma(s.Author)
	state, have, own := l.field(key.User(s.Author), "state"), l.field(karma, key.Itoa(id)), l.ownVote(k, s.Author)
	l.wait()
	if f["topic"] == "" || s.Author == 0 {
		return
	}
	// Nothing may be counted of what is not live, as of its present votes or for good.
	counted, _ := catalogue.KarmaRow.Parse(have.Val())
	nothing := have.Val() == "" ||
		s.Votes != nil && counted.Text("net") == "0" && counted.Int("revision") >= s.Votes.Rev
	if state.Val() == catalogue.UserActive && !excused && (s.Live || !nothing) {
		l.wantField(RuleKarma, karma, key.Itoa(id), have.Val(), derive.Karma(s, true))
	}
	if want := own(); f["own"] != want {
		note := all(set(k, "own", want), l.touch(k, "votes", id.Partition(), "c:"+key.Itoa(id)))
		l.add(RuleOwnVote, k, note.given(key.Upvoters(k), key.Downvoters(k)), "own is %q; want %q", f["own"], want)
	}
}

// ownVote reads how a user votes on a subject, as the field own records it.
func (r *reading) ownVote(subject string, user forum.UserID) func() string {
	up, down := r.score(key.Upvoters(subject), key.Itoa(user)), r.score(key.Downvoters(subject), key.Itoa(user))
	return func() string { return derive.Own(is(up), is(down)) }
}

// countedField checks a field of what is counted of a user's comments: it is a comment of the user.
func (l *look) countedField() {
	k, name := l.on.key, l.on.text
	id, _ := forum.ParseID[forum.CommentID](name)
	there, author := l.next().HExists(l.ctx, k, name), l.field(key.Comment(id), "author")
	l.wait()
	if by := forum.UserID(record.Atoi(author.Val())); there.Val() && (by == 0 || key.Karma(by) != k) {
		l.add(RuleKarma, k, unset(k, name), "%q is not a comment of the user", name)
	}
}

// karma compares the karma of a user with the votes on the topics of the profile and on comments.
func (l *look) karma() {
	id := forum.UserID(l.on.id)
	k := key.User(id)
	r := l.atOnce(id.Partition())
	hash, counted := r.hmget(k, []string{"state", "karma"}), r.hash(key.Karma(id))
	profile := r.next().ZRange(l.ctx, key.Profile(id), 0, -1)
	l.wait()
	f := hash()
	if f["state"] != catalogue.UserActive {
		return
	}
	sum := 0
	for _, value := range counted.Val() {
		v, _ := catalogue.KarmaRow.Parse(value)
		sum += int(v.Int("net"))
	}
	each(l, profile.Val(), func(l *look, member string) {
		net := l.topicKarma(id, member)
		sum += net
	})
	l.wantCount(RuleKarma, k, f, "karma", sum, key.Karma(id), key.Profile(id))
}

// topicKarma returns what the karma of its author counts of a topic of the profile, and checks what the topic records of
// the author's own vote. Once voting on an article is over, the votes may be missing.
func (l *look) topicKarma(by forum.UserID, member string) int {
	n, _, _ := record.ParseMember(member)
	k := key.Topic(forum.TopicID(n))
	hash := l.hmget(k, []string{"state", "author", "kind", "created", "up", "down", "own"})
	own := l.ownVote(k, by)
	l.wait()
	t, want := hash(), own()
	if !listed(t["state"]) || t["author"] != key.Itoa(by) {
		return 0 // a finding of the profile
	}
	closed := t["kind"] == string(forum.Article) && l.s.Engine.Now() >= t.Time("created")+forum.VotingWindow
	if !closed || want != "" {
		l.wantField(RuleOwnVote, k, "own", t["own"], want, key.Upvoters(k), key.Downvoters(k))
	}
	return t.Int("up") - t.Int("down") - t.Int("own")
}
