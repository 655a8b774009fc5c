package record

import (
	"slices"
	"strconv"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
)

// DecodeToken parses a catalogue.TokenRow, the scopes separated by commas; those of earlier versions have no ":origin".
func DecodeToken(user forum.UserID, digest, value string) (*forum.APIToken, bool) {
	v, valid := catalogue.TokenRow.Parse(value)
	for _, time := range []string{"created", "seen", "ends"} {
		_, err := strconv.ParseUint(v.Text(time), 10, 53)
		valid = valid && err == nil
	}
	t := &forum.APIToken{User: user, Digest: digest, Name: v.Text("name"), CreatedAt: forum.Time(v.Int("created")),
		SeenAt: forum.Time(v.Int("seen")), EndsAt: forum.Time(v.Int("ends"))}
	scopes, origin, _ := strings.Cut(v.Text("scopes"), ":")
	t.Origin = origin
	for s := range strings.SplitSeq(scopes, ",") {
		t.Scopes = append(t.Scopes, forum.Scope(s))
	}
	valid = valid && t.CreatedAt > 0 && t.Name != "" && (origin == "" || catalogue.IsExternal(origin)) &&
		!slices.ContainsFunc(t.Scopes, func(s forum.Scope) bool { return !s.IsValid() })
	return t, valid
}

// TokenScopes returns the part scopes of a catalogue.TokenRow.
func TokenScopes(scopes []forum.Scope, origin string) string {
	words := make([]string, len(scopes))
	for i, s := range scopes {
		words[i] = string(s)
	}
	return strings.Join(words, ",") + ":" + origin
}
