package record

import (
	"slices"
	"strconv"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
)

// DecodeToken parses the stored form of an API token, "created seen ends scopes:origin name", the scopes separated by
// commas; those of earlier versions have no ":origin".
func DecodeToken(user forum.UserID, digest, value string) (*forum.APIToken, bool) {
	parts := strings.SplitN(value, " ", 5)
	if len(parts) != 5 {
		return nil, false
	}
	var times [3]forum.Time
	for i := range times {
		n, err := strconv.ParseUint(parts[i], 10, 53)
		if err != nil {
			return nil, false
		}
		times[i] = forum.Time(n)
	}
	t := &forum.APIToken{User: user, Digest: digest, Name: parts[4], CreatedAt: times[0], SeenAt: times[1],
		EndsAt: times[2]}
	scopes, origin, _ := strings.Cut(parts[3], ":")
	t.Origin = origin
	for s := range strings.SplitSeq(scopes, ",") {
		t.Scopes = append(t.Scopes, forum.Scope(s))
	}
	valid := t.CreatedAt > 0 && t.Name != "" && (origin == "" || catalogue.IsExternal(origin)) &&
		!slices.ContainsFunc(t.Scopes, func(s forum.Scope) bool { return !s.IsValid() })
	return t, valid
}

// EncodeToken returns what is stored of an API token after its times.
func EncodeToken(name string, scopes []forum.Scope, origin string) string {
	words := make([]string, len(scopes))
	for i, s := range scopes {
		words[i] = string(s)
	}
	return strings.Join(words, ",") + ":" + origin + " " + name
}
