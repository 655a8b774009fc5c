package record

import (
	"strconv"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	texts "agora/internal/text"
)

// WasStaff reports whether the logins of a user are never free again, given the fields role, moderates and staff: it is
// was_staff of the scripts.
func WasStaff(f Fields) bool {
	return f["role"] != "" && f["role"] != string(forum.RoleUser) || f["moderates"] != "" || f["staff"] != ""
}

// RestingClaim reports whether a key is a claim that stays reserved when its account is deleted.
func RestingClaim(key string) bool {
	return strings.HasPrefix(key, "uniq:{l:") || strings.HasPrefix(key, "uniq:{k:")
}

// EmailClaim reports whether a key is a claim on an e-mail.
func EmailClaim(key string) bool { return strings.HasPrefix(key, "uniq:{e:") }

// RestOf returns the value of a claim on a login that a user had before: "user/rest:<until>", in Unix ms, 0 for
// forever. That on the login of a deleted account is of user 0, who does not exist.
func RestOf(user forum.UserID, until forum.Time) string {
	return strconv.FormatInt(int64(user), 10) + "/rest:" + strconv.FormatInt(int64(until), 10)
}

// ParseRest reports whether a claim's value is that of a deleted account or a former login, and until when it is
// reserved.
func ParseRest(value string) (until forum.Time, rests bool) {
	_, text, rests := strings.Cut(value, "/rest:")
	return forum.Time(Atoi(text)), rests
}

// ParseRelease parses a claim that a user releases: "key value", or "key value until" if it then rests until a time
// (Unix ms), 0 for forever. The value of a record of an account at an issuer has spaces.
func ParseRelease(member string) (key, value string, until forum.Time, rests bool) {
	key, value, _ = strings.Cut(member, " ")
	if strings.HasPrefix(key, "{") { // the record of an account at an issuer
		return key, value, 0, false
	}
	value, rest, rests := strings.Cut(value, " ")
	return key, value, forum.Time(Atoi(rest)), rests
}

// ParseClaim parses "user/nonce".
func ParseClaim(value string) (forum.UserID, string) {
	id, nonce, _ := strings.Cut(value, "/")
	n, _ := strconv.ParseInt(id, 10, 64)
	return forum.UserID(n), nonce
}

// LookClaims returns the keys of the claims on the looks of a login.
func LookClaims(login string) []string {
	looks := texts.Looks(login)
	for i, look := range looks {
		looks[i] = key.LookClaim(look)
	}
	return looks
}
