package votes

import (
	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/derive"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// counted checks what the karma of its author counts of a comment.
func (c checks) counted(l *check.Look) {
	if l.On.Text != "" {
		c.countedField(l)
		return
	}
	id := forum.CommentID(l.On.ID)
	f, s, excused := l.CommentState(id)
	k, karma := key.Comment(id), key.Karma(s.Author)
	state, have, own := l.Field(key.User(s.Author), "state"), l.Field(karma, key.Itoa(id)), ownVote(l, k,
		s.Author)
	l.Wait()
	if f["topic"] == "" || s.Author == 0 {
		return
	}
	// Nothing may be counted of what is not live, as of its present votes or for good.
	counted, _ := catalogue.KarmaRow.Parse(have.Val())
	nothing := have.Val() == "" ||
		s.Votes != nil && counted.Text("net") == "0" && counted.Int("revision") >= s.Votes.Rev
	if state.Val() == catalogue.UserActive && !excused && (s.Live || !nothing) {
		l.WantField(RuleKarma, karma, key.Itoa(id), have.Val(), derive.Karma(s, true))
	}
	if want := own(); f["own"] != want {
		note := check.All(check.Set(k, "own", want), l.Touch(k, "votes", id.Partition(), "c:"+key.Itoa(id)))
		l.Add(RuleOwnVote, k, note.Given(key.Upvoters(k), key.Downvoters(k)), "own is %q; want %q", f["own"], want)
	}
}

// ownVote reads how a user votes on a subject, as the field own records it.
func ownVote(r *check.Look, subject string, user forum.UserID) func() string {
	up, down := r.Score(key.Upvoters(subject), key.Itoa(user)), r.Score(key.Downvoters(subject), key.Itoa(user))
	return func() string { return derive.Own(check.Is(up), check.Is(down)) }
}

// countedField checks a field of what is counted of a user's comments: it is a comment of the user.
func (c checks) countedField(l *check.Look) {
	k, name := l.On.Key, l.On.Text
	id, _ := forum.ParseID[forum.CommentID](name)
	there, author := l.Next().HExists(l.Ctx, k, name), l.Field(key.Comment(id), "author")
	l.Wait()
	if by := forum.UserID(record.Atoi(author.Val())); there.Val() && (by == 0 || key.Karma(by) != k) {
		l.Add(RuleKarma, k, check.Unset(k, name), "%q is not a comment of the user", name)
	}
}

// karma compares the karma of a user with the votes on the topics of the profile and on comments.
func (c checks) karma(l *check.Look) {
	id := forum.UserID(l.On.ID)
	k := key.User(id)
	r := l.AtOnce(id.Partition())
	hash, counted := r.Fields(k, []string{"state", "karma"}), r.Hash(key.Karma(id))
	log, profile := key.VoteLog(id), r.Next().ZRange(l.Ctx, key.Profile(id), 0, -1)
	logged := l.Size(log)
	l.Wait()
	f := hash()
	if f["state"] != catalogue.UserActive {
		return
	}
	if n := logged.Val(); n > forum.VoteLog {
		l.Add(RuleVoteLog, log, check.Command("zremrangebyrank", log, 0, -1-forum.VoteLog),
			"%d votes; the maximum is %d", n, forum.VoteLog)
	}
	sum := 0
	for _, value := range counted.Val() {
		v, _ := catalogue.KarmaRow.Parse(value)
		sum += int(v.Int("net"))
	}
	check.Each(l, profile.Val(), func(l *check.Look, member string) {
		net := c.topicKarma(l, id, member)
		sum += net
	})
	if f.Int("karma") != sum {
		l.Add(RuleKarma, k, check.Set(k, "karma", sum).Given(key.Karma(id), key.Profile(id)), "karma is %q; want %d",
			f["karma"], sum)
	}
}

// topicKarma returns what the karma of its author counts of a topic of the profile, and checks what the topic records
// of the author's own vote. Once voting on an article is over, the votes may be missing.
func (c checks) topicKarma(l *check.Look, by forum.UserID, member string) int {
	n, _, _ := record.ParseMember(member)
	k := key.Topic(forum.TopicID(n))
	hash := l.Fields(k, []string{"state", "author", "kind", "created", "up", "down", "own", "audience"})
	own := ownVote(l, k, by)
	l.Wait()
	t, want := hash(), own()
	if !record.IsPublic(t) || t["author"] != key.Itoa(by) {
		return 0 // a finding of the profile
	}
	closed := t["kind"] == string(forum.Article) && c.engine.Now() >= t.Time("created")+forum.VotingWindow
	if !closed || want != "" {
		l.WantField(RuleOwnVote, k, "own", t["own"], want, key.Upvoters(k), key.Downvoters(k))
	}
	return t.Int("up") - t.Int("down") - t.Int("own")
}
