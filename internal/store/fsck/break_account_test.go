package fsck

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/categories"
	"agora/internal/store/change"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/posts"
)

// sessionUntil returns a stored session that ends after life.
func (x *checkSite) sessionUntil(life time.Duration) string {
	now := x.Engine.Now()
	return fmt.Sprintf("%d %d %d Browser/1.0 (test)", now, now, int64(now)+life.Milliseconds())
}

var accountBreaks = []siteBreak{
	{"an e-mail without its claim", accounts.RuleUserFields,
		func(x *checkSite) { x.do("HDEL", key.User(x.ann.ID), "emailClaim") }, stays},
	{"half a change of e-mail", accounts.RuleUserFields,
		func(x *checkSite) { x.do("HSET", key.User(x.ann.ID), "newEmail", "a@b.c") }, stays},
	{"active and deleted", accounts.RuleUserFields, func(x *checkSite) { x.do("HSET", key.User(x.ann.ID), "deleted", 5) },
		stays},
	{"a deletion without a time", accounts.RuleUserFields, func(x *checkSite) { x.do("HDEL", key.User(x.eve), "deleted") },
		stays},
	{"a member of another partition", accounts.RuleUserPartition,
		func(x *checkSite) { x.do("HSET", key.User(x.member), "src", "old:99") }, stays},
	{"a changed e-mail claimed with the login's nonce", accounts.RuleUserClaim, func(x *checkSite) {
		x.do("SET", key.EmailClaim("robert@example.org"), key.Itoa(x.bob.ID)+"/"+x.hash(key.User(x.bob.ID))["nonce"])
	}, fixed},
	{"an old change of e-mail", accounts.RuleUnfinished, func(x *checkSite) {
		x.changing(x.Engine.Now() - x.registrationLife())
		x.do("ZREM", x.dirty(x.ann), "u:"+key.Itoa(x.ann.ID))
	}, fixed},
	{"an old change of login", accounts.RuleUnfinished, func(x *checkSite) {
		x.dies(3, func(s *store.Store) { s.Accounts.ChangeLogin(x.ctx, x.ann.ID, "hash of ann", "annabel", "annabel") })
		x.do("HSET", key.User(x.ann.ID), "newLoginSince", x.Engine.Now()-x.registrationLife())
		x.do("ZREM", x.dirty(x.ann), "u:"+key.Itoa(x.ann.ID))
	}, fixed},
	{"a change of e-mail that is never ended", accounts.RuleUnfinished,
		func(x *checkSite) { x.changing(x.Engine.Now() - x.registrationLife()) }, swept},
	{"a deleted user with an e-mail", accounts.RuleDeletedUser,
		func(x *checkSite) { x.do("HSET", key.User(x.eve), "email", "eve@example.org") }, fixed},
	{"a deleted user with a password", accounts.RuleDeletedUser,
		func(x *checkSite) { x.do("HSET", key.User(x.eve), "password", "") }, fixed},
	{"a user who is not listed", change.RuleNameList,
		func(x *checkSite) { x.do("DEL", key.UserNames.Order(key.OrderName), key.UserNames.Revisions()) }, fixed},
	{"a user listed under another name", change.RuleNameList, func(x *checkSite) {
		x.do("ZADD", key.UserNames.Order(key.OrderName), 0, record.NameMember("other", x.ann.ID))
	}, fixed},
	{"a deleted user who is listed", change.RuleNameList, func(x *checkSite) {
		x.do("ZADD", key.UserNames.Order(key.OrderName), 0, record.NameMember("eve", x.eve))
		x.do("HSET", key.UserNames.Revisions(), key.Itoa(x.eve), "1 "+record.NameMember("eve", x.eve))
	}, fixed},
	{"no id in the list of users", change.RuleNameList,
		func(x *checkSite) { x.do("HSET", key.UserNames.Revisions(), "x", "1") }, fixed},
	{"a deleted user with a profile", accounts.RuleDeletedUser, func(x *checkSite) {
		x.do("HSET", key.User(x.eve), "bio", "Eve", "website", "https://eve.example/", "avatar", "")
	}, fixed},
	{"a deleted user who is signed in", check.RuleOrphanKey, func(x *checkSite) {
		x.do("HSET", key.Sessions(x.eve), strings.Repeat("c3", 32), x.sessionUntil(time.Hour))
		x.do("EXPIRE", key.Sessions(x.eve), 7200)
	}, fixed},
	{"a deleted user with an API token", check.RuleOrphanKey, func(x *checkSite) {
		x.do("HSET", key.Tokens(x.eve), strings.Repeat("c3", 32), fmt.Sprintf("%d 0 0 READ Robot", x.Engine.Now()))
		x.do("EXPIRE", key.Tokens(x.eve), 7200)
	}, fixed},
	{"a deleted user's topic not in the profile", posts.RuleProfileMissing,
		func(x *checkSite) { x.do("ZREM", key.Profile(x.eve), x.entry(x.left)) }, fixed},
	{"a deleted user's topic counted twice", check.RuleCount,
		func(x *checkSite) { x.do("HINCRBY", key.User(x.eve), "topics", 1) }, fixed},
	{"a deleted user's comments lost", change.RuleIndexMissing,
		func(x *checkSite) { x.do("DEL", key.UserCommentsContainer(x.eve).Order(key.OrderCreated)) }, fixed},
	{"a deleted user counted", RuleStats,
		func(x *checkSite) { x.do("HINCRBY", key.Stats(x.eve.Partition()), "users", 1) }, fixed},
	{"a deleted user's claim", accounts.RuleStaleClaim,
		func(x *checkSite) { x.do("SET", key.LoginClaim("eve"), key.Itoa(x.eve)+"/0123456789abcdef") }, fixed},
	{"a claim on a deleted moderator's login", accounts.RuleStaleClaim, func(x *checkSite) {
		x.do("HSET", key.User(x.eve), "staff", "1")
		x.do("SET", key.LoginClaim("eve"), key.Itoa(x.eve)+"/0123456789abcdef")
	}, fixed},
	{"an account without claims on its looks", accounts.RuleLooks,
		func(x *checkSite) { x.do("HDEL", key.User(x.ann.ID), "lookClaims") }, fixed},
	{"a claim on a former e-mail", accounts.RuleStaleClaim, func(x *checkSite) {
		x.do("SET", key.EmailClaim("bob@example.org"), key.Itoa(x.bob.ID)+"/"+x.hash(key.User(x.bob.ID))["nonce"])
	}, fixed},
	{"sessions that expire too early", check.RuleExpiryShort,
		func(x *checkSite) { x.do("EXPIRE", key.Sessions(x.ann.ID), 60) }, fixed},
	{"calls counted forever", RuleExpiryMissing, func(x *checkSite) { x.do("PERSIST", x.keyLike("rate:")) }, fixed},
	{"calls counted for a day", RuleExpiryLong, func(x *checkSite) { x.do("EXPIRE", x.keyLike("rate:"), 86400) },
		fixed},
}

var importBreaks = []siteBreak{
	{"a topic in another partition than its author", posts.RuleTopicPartition, func(x *checkSite) {
		x.do("HSET", key.Topic(x.article), "author", key.Itoa(x.UserElsewhere(x.article.Partition()).ID))
	}, stays},
	{"a topic of the ghost in the wrong partition", posts.RuleTopicPartition,
		func(x *checkSite) { x.do("HSET", key.Topic(x.nobodys), "src", "old:99") }, stays},
	{"clicks below the imported ones", check.RuleCount,
		func(x *checkSite) { x.do("HSET", key.Topic(x.brought), "clicks", 39) }, fixed},
	{"negative imported clicks", posts.RuleTopicFields,
		func(x *checkSite) { x.do("HSET", key.Topic(x.brought), "clickBase", -1) }, stays},
	{"a malformed record of an import", check.RuleValue,
		func(x *checkSite) { x.do("SET", x.recordOf("t", "old:1", x.brought.Partition()), "yes") }, fixed},
	{"a record of a missing object", check.RuleOrphanKey,
		func(x *checkSite) { x.do("SET", key.Source(0, "t", "old:77"), "5 src 9999872") }, fixed},
	{"a record of another object", check.RuleOrphanKey, func(x *checkSite) {
		p := x.brought.Partition()
		x.do("SET", key.Source(p, "c", "old:78"), "5 src "+key.Itoa(x.reply))
	}, fixed},
	{"an imported topic without record", check.RuleSourceMissing,
		func(x *checkSite) { x.do("DEL", x.recordOf("t", "old:1", x.brought.Partition())) }, fixed},
	{"an imported comment without record", check.RuleSourceMissing,
		func(x *checkSite) { x.do("DEL", x.recordOf("c", "old:8", x.brought.Partition())) }, fixed},
	{"an imported user without record", check.RuleSourceMissing,
		func(x *checkSite) { x.do("DEL", x.recordOf("u", "old:7", x.member.Partition())) }, fixed},
	{"a topic imported twice", check.RuleSourceTwice, func(x *checkSite) {
		twice := *x.oneTopic(x.brought)
		x.do("DEL", x.recordOf("t", "old:1", x.brought.Partition()))
		_, err := x.Import().Topics(x.ctx, []posts.NewTopic{importedTopic("old:1", x.member, twice.CategoryID)})
		wantOK(x.t, "Topics", err)
	}, stays},
	{"a category that was never created", categories.RuleSectionSource,
		func(x *checkSite) { x.do("HSET", key.CategorySources, "old:x", 99) }, fixed},
	{"a tab that is not a number", categories.RuleSectionSource,
		func(x *checkSite) { x.do("HSET", key.TabSources, "old:x", "placed") },
		fixed},
	{"a position that is a number", categories.RuleSectionSource,
		func(x *checkSite) { x.do("HSET", key.TabSources, "old:t\nold:x", 1) },
		fixed},
}

// recordOf returns the record of an import, which must exist.
func (x *checkSite) recordOf(kind, source string, p forum.Partition) string {
	x.t.Helper()
	key := key.Source(p, kind, source)
	if !x.exists(key) {
		x.t.Fatalf("no record %s of %s", key, source)
	}
	return key
}

// changing leaves ann's change of e-mail unfinished: claimed, not committed.
func (x *checkSite) changing(since forum.Time) {
	x.t.Helper()
	died := x.dies(3, func(s *store.Store) {
		s.Accounts.ChangeEmail(x.ctx, x.ann.ID, "hash of ann", "Anna@example.org", "anna@example.org")
	})
	if !died || !x.exists(key.EmailClaim("anna@example.org")) {
		x.t.Fatal("ChangeEmail did not die after its claim")
	}
	x.do("HSET", key.User(x.ann.ID), "newEmailSince", since)
}

// The repair of a stale claim does not make the login of staff free.
func TestRepairKeepsLoginsOfStaff(t *testing.T) {
	x := newCheckSite(t)
	claim := key.LoginClaim("eve")
	x.do("HSET", key.User(x.eve), "staff", "1")
	x.do("SET", claim, key.Itoa(x.eve)+"/0123456789abcdef")
	x.check(true)
	if got := x.rdb.Get(x.ctx, claim).Val(); got != "0/rest:0" {
		t.Errorf("%s is %q; want that it rests forever", claim, got)
	}
}
