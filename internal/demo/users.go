package demo

import (
	"cmp"

	"agora/internal/forum"
)

// tutorialAuthor is the author of the tutorials' topic. The login hashes to the partition of
// TutorialNumber, 131,853 modulo 256: 13.
const tutorialAuthor = "lettertree"

// member is a user without times.
type member struct {
	login, name string
	// mail is the local part of the address, for non-ASCII logins.
	mail string
	// language is the user's in addition to English: zh, ja, ru, ar or he.
	language string
	role     forum.Role
}

func (b *builder) addUsers() {
	for i, m := range b.texts.members {
		// All joined before the first topic, in the order of the list but for some days.
		joined := 700 - 12*float64(i) + 6*b.rng.Float64()
		b.data.Users = append(b.data.Users, User{
			Login: m.login, Name: m.name, Email: cmp.Or(m.mail, m.login) + "@example.com",
			CreatedAt: b.ago(joined), Role: m.role,
		})
	}
}

// speaker returns a user who writes the language; anybody writes English, "".
// The tutorials' author is left out: that user's first topic has to be the
// tutorials' one.
func (b *builder) speaker(language string) int {
	members := b.texts.members
	for {
		i := b.rng.IntN(len(members))
		if r := b.rng.IntN(len(members)); r < i && b.chance(0.6) {
			i = r // some write more than others
		}
		m := members[i]
		if m.login != tutorialAuthor && (language == "" || m.language == language) {
			return i
		}
	}
}
