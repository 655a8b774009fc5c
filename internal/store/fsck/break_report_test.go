package fsck

import (
	"context"

	"agora/internal/forum"
	"agora/internal/store/acts"
	"agora/internal/store/categories"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/posts"
	"agora/internal/store/rules"
	"agora/internal/test/must"
)

// reported has bob and the moderator report ann's topic, resolves the first report, and returns the topic. A second of
// her topics is held.
func (x *checkSite) reported() forum.Subject {
	x.t.Helper()
	on := forum.Subject{Topic: x.thread}
	ctx := context.Background()
	for _, by := range []*forum.Viewer{x.bob, x.mod} {
		must.OK(x.t, x.Acts.Report(ctx, by, on, forum.Grounds{Reason: forum.ReasonSpam}))
	}
	must.Do(x.Acts.ResolveReports(ctx, x.mod, forum.Rules{}, on, 1, forum.OutcomeUpheld,
		forum.Grounds{Reason: forum.ReasonOther}))(x.t)
	must.OK(x.t, x.Flush(ctx))
	must.Do(x.Engine.RunDueTasks(ctx))(x.t)
	return on
}

// breakReports breaks the reports on a topic.
func breakReports(breaks func(x *checkSite, on forum.Subject)) func(*checkSite) {
	return func(x *checkSite) {
		breaks(x, x.reported())
		x.clock.Advance(check.LagLife * 1e6)
	}
}

var reportBreaks = []siteBreak{
	{"a wrong count of reports", acts.RuleReports, breakReports(func(x *checkSite, on forum.Subject) {
		x.do("HSET", key.Case(on), "reason:SPAM", "7")
	}), fixed},
	{"a case without an entry", acts.RuleReports, breakReports(func(x *checkSite, on forum.Subject) {
		x.do("HDEL", key.Case(on), "entry")
	}), fixed},
	{"a case that is held, of a topic that is not", acts.RuleReports,
		breakReports(func(x *checkSite, on forum.Subject) {
			x.do("HSET", key.Case(on), "held", "5")
		}), fixed},
	{"a malformed report", acts.RuleReports, breakReports(func(x *checkSite, on forum.Subject) {
		x.do("HSET", key.Reports(on), key.Itoa(x.mod.ID), "x")
	}), fixed},
	{"a report without a number", acts.RuleReports, breakReports(func(x *checkSite, on forum.Subject) {
		x.do("ZREM", key.Reporters(on), key.Itoa(x.mod.ID))
	}), fixed},
	{"a case that is not in the queue", acts.RuleQueue, breakReports(func(x *checkSite, on forum.Subject) {
		x.do("ZREM", key.Queue("open", 0), "t"+key.Itoa(on.Topic))
	}), fixed},
	{"a case with a wrong revision in the queue", acts.RuleQueue, breakReports(func(x *checkSite, on forum.Subject) {
		x.do("HSET", key.QueueRevisions, "t"+key.Itoa(on.Topic), "77 upheld 0")
	}), fixed},
	{"a case in another list of the queue", acts.RuleQueue, breakReports(func(x *checkSite, on forum.Subject) {
		x.do("ZADD", key.Queue("dismissed", 0), 5, "t"+key.Itoa(on.Topic))
	}), fixed},
	{"a malformed member of the queue", acts.RuleQueue, breakReports(func(x *checkSite, on forum.Subject) {
		x.do("ZADD", key.Queue("open", 0), 5, "x")
	}), fixed},
	{"an unknown member of the queue", acts.RuleQueue, breakReports(func(x *checkSite, on forum.Subject) {
		x.do("HSET", key.QueueRevisions, "t77", "1 open 0")
	}), fixed},
	{"a malformed copy", acts.RuleEvidence, breakReports(func(x *checkSite, on forum.Subject) {
		x.do("HSET", key.Evidence(on), "2", "x")
	}), fixed},
	{"too many copies", acts.RuleEvidence, breakReports(func(x *checkSite, on forum.Subject) {
		for n := range forum.EvidenceCopies {
			x.do("HSET", key.Evidence(on), n+2, "5 REPORT 7 1 MARKDOWN 0\n\n\n\n\n\n")
		}
	}), fixed},
	{"copies that nothing erases", acts.RuleEvidence, breakReports(func(x *checkSite, on forum.Subject) {
		x.do("ZREM", key.Hidden(on.Partition()), "e:t"+key.Itoa(on.Topic))
	}), fixed},
	{"copies that are to be erased, of nothing", posts.RuleHidden, breakReports(func(x *checkSite, on forum.Subject) {
		x.do("DEL", key.Evidence(on))
	}), fixed},
	{"an unknown rule", rules.RuleRules, func(x *checkSite) { x.do("HSET", key.Rules, "noRule", "1") }, fixed},
	{"a rule of a category that does not exist", rules.RuleRules,
		func(x *checkSite) { x.do("HSET", key.Rules, "posts:999", "NOBODY") }, fixed},
	{"another audience than that of the category", posts.RuleTopicAudience,
		func(x *checkSite) { x.do("HSET", key.Topic(x.thread), "audience", "MEMBERS") }, fixed},
	{"an epoch that the rules have lost", categories.RuleIndexEpoch,
		func(x *checkSite) { x.do("SET", key.CategoryContainer(x.talk).Closed(), "e3") }, fixed},
	{"an epoch that the index has lost", categories.RuleIndexEpoch,
		func(x *checkSite) { x.do("HSET", key.Rules, "epoch:"+key.Itoa(x.talk), "3") }, fixed},
	{"a rule that cannot be", rules.RuleRules, func(x *checkSite) { x.do("HSET", key.Rules, "heldPosts", "-1") },
		fixed},
}
