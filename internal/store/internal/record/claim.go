package record

import (
	"strconv"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	texts "agora/internal/text"
)

// RestingClaim reports whether a key is a claim that stays reserved when its account is deleted.
func RestingClaim(key string) bool {
	return strings.HasPrefix(key, "uniq:{l:") || strings.HasPrefix(key, "uniq:{k:")
}

// EmailClaim reports whether a key is a claim on an e-mail.
func EmailClaim(key string) bool { return strings.HasPrefix(key, "uniq:{e:") }

// RestUntil returns the value of a claim on the login of a deleted account: "0/rest:<until>", in Unix ms, 0
// for forever. There is no user 0.
func RestUntil(until forum.Time) string { return RestOf(0, until) }

// RestOf returns the value of a claim on a login that a user had before: "user/rest:<until>".
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
// (Unix ms). The value of a record of an account at an issuer has spaces.
func ParseRelease(member string) (key, value string, until forum.Time) {
	key, value, _ = strings.Cut(member, " ")
	if strings.HasPrefix(key, "{") { // the record of an account at an issuer
		return key, value, 0
	}
	value, rest, _ := strings.Cut(value, " ")
	return key, value, forum.Time(Atoi(rest))
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
