package key

import "agora/internal/forum"

// Rules is a HASH: what administrators have set for the site.
const Rules = "{mod}:rules"

// AccessMarks is a ZSET: categories whose audience was changed, by the time (Unix ms), until a task gives it to their
// topics.
const AccessMarks = "{mod}:access"

// Words and Domains are ZSETs: what nobody but moderators may post, by the time when it was added (Unix ms). No expiry.
const (
	Words   = "{mod}:words"
	Domains = "{mod}:domains"
)

// RecentPosts is a HASH: what a new member posted lately.
func RecentPosts(id forum.UserID) string { return User(id) + ":door" }

// Approved is a SET: posts of a user that were held and approved, as record.EncodeActSubject.
func Approved(id forum.UserID) string { return User(id) + ":approved" }

// PostedText is a STRING: the new member who posted a text first, by its hash.
func PostedText(hash string) string { return "door:{" + hash + "}" }
