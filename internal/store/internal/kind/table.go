package kind

import (
	"regexp"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// Parts of regular expressions.
const (
	id        = `([1-9][0-9]{0,9})`
	tagID     = `([1-9][0-9]{0,15})`
	day       = `([0-9]{4}-[0-9]{2}-[0-9]{2})`
	partition = `^\{p([0-9a-f]{2})\}:`
	orders    = `(?:created|active|score|hot|down|pinned|gone)`
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

// exp compiles a regular expression.
var exp = regexp.MustCompile

// All are all kinds of keys that package key creates.
var All = []Kind{
	{"topic", exp(partition + `t:` + id + `$`), Hash, 0, OfTopic, Row},
	{"topic-internal", exp(partition + `t:` + id + `:internal$`), Hash, 0, OfTopic, Row},
	{"topic-text", exp(partition + `t:` + id + `:text$`), String, 0, OfTopic, Row},
	{"topic-set", exp(partition + `t:` + id + `:(?:comments|replies|gone|authors|bookmarkers|watchers|held)$`), ZSet, 0, OfTopic, Row},
	{"topic-changes", exp(partition + `t:` + id + `:changes$`), ZSet, forum.ChangesLife, OfChanges, Left},
	{"topic-ended", exp(partition + `t:` + id + `:(?:bookmarkers|watchers):ended$`), ZSet, key.EndedLife, OfFarEnded, Row},
	{"topic-votes", exp(partition + `t:` + id + `:(?:up|down)$`), ZSet, 0, OfVoters, Row},
	{"topic-tally", exp(partition + `t:` + id + `:tally$`), Hash, 0, OfTopic, Row},
	{"topic-ranking", exp(partition + `t:` + id + `:(?:comments|replies):ranking:[0-9a-f]{16}$`), String, keptLife, OfRanking, Left},
	{"comment", exp(partition + `c:` + id + `$`), Hash, 0, OfComment, Row},
	{"comment-internal", exp(partition + `c:` + id + `:internal$`), Hash, 0, OfComment, Row},
	{"comment-text", exp(partition + `c:` + id + `:text$`), String, 0, OfComment, Row},
	{"comment-replies", exp(partition + `c:` + id + `:replies$`), ZSet, 0, OfComment, Row},
	{"comment-votes", exp(partition + `c:` + id + `:(?:up|down)$`), ZSet, 0, OfComment, Row},
	{"comment-tally", exp(partition + `c:` + id + `:tally$`), Hash, 0, OfComment, Row},
	{"comment-ranking", exp(partition + `c:` + id + `:replies:ranking:[0-9a-f]{16}$`), String, keptLife, OfRanking, Left},
	{"user", exp(partition + `u:` + id + `$`), Hash, 0, OfUser, Row},
	{"user-internal", exp(partition + `u:` + id + `:internal$`), Hash, 0, OfUser, Row},
	{"user-activity", exp(partition + `u:` + id + `:(?:profile|votes)$`), ZSet, 0, OfUser, Row},
	{"user-set", exp(partition + `u:` + id + `:(?:following|subjects|followers|blocked|blockers|home|lists|listed|bookmarks|bookmarks:hidden|watching|marked)$`), ZSet, 0, OfUser, Row},
	{"user-hash", exp(partition + `u:` + id + `:(?:lists:names|marks|karma)$`), Hash, 0, OfUser, Row},
	{"user-notes", exp(partition + `u:` + id + `:notes(?::unread)?$`), ZSet, 0, OfUser, Row},
	{"user-note", exp(partition + `u:` + id + `:note$`), Hash, 0, OfUser, Row},
	{"user-ended", exp(partition + `u:` + id + `:(?:followers|blockers|listed):ended$`), ZSet, key.EndedLife, OfFarEnded, Row},
	{"list", exp(partition + `l:` + id + `$`), Hash, 0, OfList, Row},
	{"list-members", exp(partition + `l:` + id + `:members$`), ZSet, 0, OfList, Row},
	{"topic-revisions", exp(partition + `t:` + id + `:revisions$`), ZSet, 0, OfTopic, Row},
	{"topic-texts", exp(partition + `t:` + id + `:texts$`), Hash, 0, OfTopic, Row},
	{"comment-revisions", exp(partition + `c:` + id + `:revisions$`), ZSet, 0, OfComment, Row},
	{"comment-texts", exp(partition + `c:` + id + `:texts$`), Hash, 0, OfComment, Row},
	{"act", exp(partition + `m:` + id + `$`), Hash, 0, OfPartition, Row},
	{"section-act", exp(`^\{cat\}:m:` + id + `$`), Hash, 0, OfSectionAct, Row},
	{"site-act", exp(`^\{mod\}:m:` + id + `$`), Hash, 0, OfSiteAct, Row},
	{"section-acts", exp(`^\{cat\}:[ct]:` + id + `:acts$`), ZSet, 0, OfSite, Row},
	{"topic-acts", exp(partition + `t:` + id + `:acts$`), ZSet, 0, OfTopic, Row},
	{"comment-acts", exp(partition + `c:` + id + `:acts$`), ZSet, 0, OfComment, Row},
	{"user-acts", exp(partition + `u:` + id + `:(?:acts|record)$`), ZSet, 0, OfUser, Row},
	{"moderation-log", exp(`^\{mod\}:log(?::[A-Z_]+)?$`), ZSet, 0, OfSite, Row},
	{"topic-reporters", exp(partition + `t:` + id + `:reporters$`), ZSet, 0, OfTopic, Row},
	{"topic-reports", exp(partition + `t:` + id + `:(?:case|reports|evidence)$`), Hash, 0, OfTopic, Row},
	{"comment-reporters", exp(partition + `c:` + id + `:reporters$`), ZSet, 0, OfComment, Row},
	{"comment-reports", exp(partition + `c:` + id + `:(?:case|reports|evidence)$`), Hash, 0, OfComment, Row},
	{"user-reporters", exp(partition + `u:` + id + `:reporters$`), ZSet, 0, OfUser, Row},
	{"user-reports", exp(partition + `u:` + id + `:(?:case|reports|evidence)$`), Hash, 0, OfUser, Row},
	{"queue", exp(`^\{mod\}:queue:(?:open|upheld|dismissed)(?::c` + id + `)?$`), ZSet, 0, OfSite, Row},
	{"queue-revisions", exp(`^\{mod\}:queue-rev$`), Hash, 0, OfSite, Row},
	{"queue-events", exp(`^\{mod\}:queue-ev$`), Stream, forum.StreamLife, OfSite, Left},
	{"blocklist", exp(`^\{mod\}:(?:words|domains)$`), ZSet, 0, OfSite, Row},
	{"recent-posts", exp(partition + `u:` + id + `:door$`), Hash, forum.RecentPostsLife + forum.ExpiryGrace, OfUser, Left},
	{"approved", exp(partition + `u:` + id + `:approved$`), Set, 0, OfUser, Row},
	{"posted-text", exp(`^door:\{[0-9a-f]{32}\}$`), String, forum.DuplicateLife + forum.ExpiryGrace, OfSite, Left},
	{"rules", exp(`^\{mod\}:rules$`), Hash, 0, OfSite, Row},
	{"fences", exp(partition + `gone:([1-9][0-9]{0,9})$`), Hash, 0, OfRemoved, Row},
	{"user-events", exp(partition + `u:` + id + `:(?:profile|home|bookmarks):ev$`), Stream, forum.StreamLife, OfEvents, Left},
	{"index-events", exp(`^\{ix:(?:front|c` + id + `|g` + tagID + `|d` + day + `)\}:ev$`), Stream, forum.StreamLife, OfIndexEvents, Left},
	{"sessions", exp(partition + `u:` + id + `:sessions$`), Hash, forum.SessionLife + forum.ExpiryGrace, OfUser, Left},
	{"releases", exp(partition + `u:` + id + `:rel$`), Set, 0, OfUser, Row},
	{"user-comments", exp(partition + `u:` + id + `:comments:(?:created|gone)$`), ZSet, 0, OfUser, Row},
	{"user-comments-revisions", exp(partition + `u:` + id + `:comments:rev$`), Hash, 0, OfUser, Row},
	{"sequence", exp(partition + `seq$`), String, 0, OfPartition, Row},
	{"stats", exp(partition + `stats$`), Hash, 0, OfPartition, Row},
	{"work", exp(partition + `(?:dirty|due|dead|hidden)$`), ZSet, 0, OfPartition, Row},
	{"task", exp(partition + `task:(.+)$`), Hash, 0, OfTask, Row},
	{"idempotency", exp(partition + `idem:(0|[1-9][0-9]{0,9}):[0-9a-f]{32}$`), String, forum.IdempotencyLife + forum.ExpiryGrace, OfIdem, Row},
	{"click", exp(partition + `click:` + id + `:.+$`), String, forum.ClickLife, OfClick, Left},
	{"source", exp(partition + `src:([0-9a-f]{32})$`), String, 0, OfSource, Row},
	{"front-index", exp(`^\{ix:(front)\}:` + orders + `$`), ZSet, 0, OfIndex, Row},
	{"front-revisions", exp(`^\{ix:(front)\}:rev$`), Hash, 0, OfIndex, Row},
	{"category-index", exp(`^\{ix:c` + id + `\}:` + orders + `$`), ZSet, 0, OfIndex, Row},
	{"category-revisions", exp(`^\{ix:c` + id + `\}:rev$`), Hash, 0, OfIndex, Row},
	{"category-closed", exp(`^\{ix:c` + id + `\}:closed$`), String, 0, OfIndex, Row},
	{"tag-index", exp(`^\{ix:g` + tagID + `\}:` + `(?:created|active|score|hot|down)$`), ZSet, 0, OfTag, Row},
	{"tag", exp(`^\{ix:g` + tagID + `\}:tag$`), Hash, bookLife, OfTagBook, Row},
	{"category-followers", exp(`^\{ix:c` + id + `\}:followers$`), ZSet, 0, OfIndex, Row},
	{"category-followers-ended", exp(`^\{ix:c` + id + `\}:followers:ended$`), ZSet, key.EndedLife, OfContainerEnded, Row},
	{"tag-followers", exp(`^\{ix:g` + tagID + `\}:followers$`), ZSet, 0, OfTag, Row},
	{"tag-followers-ended", exp(`^\{ix:g` + tagID + `\}:followers:ended$`), ZSet, key.EndedLife, OfContainerEnded, Row},
	{"tag-removed", exp(`^\{ix:g` + tagID + `\}:gone$`), ZSet, bookLife, OfTagBook, Row},
	{"tag-revisions", exp(`^\{ix:g` + tagID + `\}:rev$`), Hash, bookLife, OfTagBook, Row},
	{"names", exp(`^\{ix:(?:users\}:(?:name|gone)|tags\}:(?:name|count|newest|gone))$`), ZSet, 0, OfSite, Row},
	{"names-revisions", exp(`^\{ix:(?:users|tags)\}:rev$`), Hash, 0, OfSite, Row},
	{"day-index", exp(`^\{ix:d` + day + `\}:(?:replies|gone)$`), ZSet, 0, OfDay, Row},
	{"day-revisions", exp(`^\{ix:d` + day + `\}:rev$`), Hash, 0, OfDay, Row},
	{"snapshot", exp(`^snap:\{([a-z0-9_:]+)\}:[1-9][0-9]{0,9}$`), String, keptLife, OfSnapshot, Left},
	{"snapshot-lease", exp(`^snap:\{[a-z0-9_:]+\}:[1-9][0-9]{0,9}:lease$`), String, record.SnapshotLease, OfSite, Left},
	{"category", exp(`^\{cat\}:c:` + id + `$`), Hash, 0, OfCategory, Row},
	{"category-internal", exp(`^\{cat\}:c:` + id + `:internal$`), Hash, 0, OfCategory, Row},
	{"category-moderators", exp(`^\{cat\}:c:` + id + `:moderators$`), ZSet, 0, OfCategory, Row},
	{"category-tabs", exp(`^\{cat\}:c:` + id + `:tabs$`), ZSet, 0, OfCategory, Row},
	{"tab", exp(`^\{cat\}:t:` + id + `$`), Hash, 0, OfTab, Row},
	{"tab-internal", exp(`^\{cat\}:t:` + id + `:internal$`), Hash, 0, OfTab, Row},
	{"tab-categories", exp(`^\{cat\}:t:` + id + `:categories$`), ZSet, 0, OfTab, Row},
	{"site-sequence", exp(`^\{(?:cat\}:seq:[ctm]|mod\}:seq:m)$`), String, 0, OfSite, Row},
	{"site-hash", exp(`^\{cat\}:(?:names|src):[ct]$`), Hash, 0, OfSite, Row},
	{"site-set", exp(`^\{(?:cat\}:(?:all:[ct]|dirty|marks)|mod\}:marks)$`), ZSet, 0, OfSite, Row},
	{"layout", exp(`^` + key.Layout + `$`), Hash, 0, OfSite, Header},
	{"claim", exp(`^uniq:\{[lek]:.+\}$`), String, 0, OfClaim, Row},
	{"barred-email", exp(`^uniq:\{b:[0-9a-f]{32}\}$`), String, forum.EmailBarredMost + forum.ExpiryGrace, OfSite, Row},
	{"secret", exp(`^` + key.Secret + `$`), String, 0, OfSite, Row},
	{"site-copy", exp(partition + `site$`), String, 0, OfSite, Left},
	{"recheck", exp(`^` + key.Recheck + `$`), String, record.RecheckLease, OfSite, Left},
	{"failures", exp(`^rate:\{failures:[0-9a-f]{32}\}$`), String, failureLife, OfSite, Left},
	{"attempts", exp(`^rate:\{failures:[0-9a-f]{32}\}:[0-9a-f]+$`), Hash, failureLife, OfSite, Left},
	{"devices", exp(partition + `u:` + id + `:devices$`), ZSet, forum.DeviceLife + forum.ExpiryGrace, OfUser, Left},
	{"rate", exp(`^rate:\{[a-z-]+:[0-9a-f]{32}\}$`), List, rateLife, OfSite, Left},
	{"import", exp(`^` + key.Import + `$`), Hash, 0, OfSite, Left},
}
