package record

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"agora/internal/forum"
)

// invitation is the value of a field of a user's invitations. Came has who registered with it, as "user/nonce",
// separated by spaces.
type invitation struct {
	Code    string     `json:"code"`
	Uses    int        `json:"uses"`
	Created forum.Time `json:"created"`
	Expires forum.Time `json:"expires"`
	Revoked forum.Time `json:"revoked,omitempty"`
	Note    string     `json:"note,omitempty"`
	Came    string     `json:"came,omitempty"`
}

// EncodeInvitation returns the value of a new invitation.
func EncodeInvitation(i *forum.Invitation) (string, error) {
	b, err := json.Marshal(invitation{Code: i.Code, Uses: i.Uses, Created: i.CreatedAt, Expires: i.ExpiresAt,
		Note: i.Note})
	return string(b), err
}

// ParseInvitation parses the value of an invitation; ok is false if it is not one.
func ParseInvitation(creator forum.UserID, name, value string) (i *forum.Invitation, ok bool) {
	var v invitation
	if json.Unmarshal([]byte(value), &v) != nil || !invitationName.MatchString(name) ||
		v.Uses < 1 || v.Uses > forum.MaxInvitationUses || v.Created < 1 || v.Expires < 1 || v.Revoked < 0 ||
		v.Code == "" {
		return nil, false
	}
	i = &forum.Invitation{Creator: creator, Name: name, Code: v.Code, Uses: v.Uses, CreatedAt: v.Created,
		ExpiresAt: v.Expires,
		RevokedAt: v.Revoked, Note: v.Note}
	for _, claim := range strings.Fields(v.Came) {
		user, nonce := ParseClaim(claim)
		if user < 1 || nonce == "" {
			return nil, false
		}
		i.Came = append(i.Came, user)
	}
	return i, len(i.Came) <= i.Uses
}

// InvitationTakers returns who took uses of an invitation with this value, as "user/nonce".
func InvitationTakers(value string) []string {
	var v invitation
	if json.Unmarshal([]byte(value), &v) != nil {
		return nil
	}
	return strings.Fields(v.Came)
}

var invitationName = regexp.MustCompile(`^[0-9a-f]{24}$`)

const invitationPrefix = "invitation:"

// InvitationClaim returns what an account stores, in place of the key of a claim, of the invitation that it registered
// with: "invitation:<creator>:<name>".
func InvitationClaim(creator forum.UserID, name string) string {
	return invitationPrefix + strconv.FormatInt(int64(creator), 10) + ":" + name
}

// ParseInvitationClaim parses the result of InvitationClaim; ok is false for anything else.
func ParseInvitationClaim(claim string) (creator forum.UserID, name string, ok bool) {
	rest, ok := strings.CutPrefix(claim, invitationPrefix)
	id, name, _ := strings.Cut(rest, ":")
	creator, err := forum.ParseID[forum.UserID](id)
	return creator, name, ok && err == nil && invitationName.MatchString(name)
}
