package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"agora/internal/forum"
)

// invitationLetters are 32 letters and digits that are hard to confuse, each of which is 5 bits of a code.
const invitationLetters = "abcdefghijkmnpqrstuvwxyz23456789"

// invitationSecret is the length of a code's secret: 100 bits.
const invitationSecret = 20

// NewInvitation returns a code of an invitation by a user, such as "257-k7f3m-…": the user's id, and a secret in groups
// of five.
func NewInvitation(creator forum.UserID) (string, error) {
	var b [invitationSecret]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", err
	}
	code := []byte(strconv.FormatInt(int64(creator), 10))
	for i, n := range b {
		if i%5 == 0 {
			code = append(code, '-')
		}
		code = append(code, invitationLetters[n%32])
	}
	return string(code), nil
}

// ParseInvitation returns who made the invitation with a code, and its name among that user's. It disregards case, white
// space, and hyphens in the secret; ok is false for what is no code.
func ParseInvitation(code string) (creator forum.UserID, name string, ok bool) {
	id, secret, _ := strings.Cut(strings.ToLower(strings.Join(strings.Fields(code), "")), "-")
	secret = strings.ReplaceAll(secret, "-", "")
	creator, err := forum.ParseID[forum.UserID](id)
	if err != nil || len(secret) != invitationSecret || strings.Trim(secret, invitationLetters) != "" {
		return 0, "", false
	}
	sum := sha256.Sum256([]byte(id + "-" + secret))
	return creator, SessionName(hex.EncodeToString(sum[:])), true
}
