package importer

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"math/big"
	"strings"

	"agora/internal/forum"
	"agora/internal/text"
)

// Logins yields logins for the person, best first, without end: the name, or
// what of it can stand in a login; then that with the source's number behind it;
// then with ever more digits of a hash of the exact name. All pass text.Login,
// and the sequence is the same each time.
func (p Person) Logins() iter.Seq[string] {
	return func(yield func(string) bool) {
		stem := loginStem(p.Name)
		if login, _, err := text.Login(nil, stem); err == nil && !yield(login) {
			return
		}
		if p.SourceID != "" {
			if login, ok := joinLogin(stem, p.SourceID); ok && !yield(login) {
				return
			}
		}
		for round := 0; ; round++ {
			sum := nameHash(p.Name, round)
			for digits := minHash; digits <= maxHash; digits += 4 {
				if !yield(hashLogin(stem, sum, digits)) {
					return
				}
			}
		}
	}
}

const (
	// minHash is the hexadecimal digits of the shortest hash in a login: of a
	// thousand people that clash, two get the same hash in one of 8,000 imports.
	minHash = 8
	// maxHash is those of the longest, in steps of four: in decimal these are up
	// to 29 digits, which leave a login two letters and a hyphen.
	maxHash = 24
	// nobodysStem begins the logins of those whose names hold nothing that can
	// stand in a login. On its own it is reserved.
	nobodysStem = "user"
)

// loginStem is what of a name can stand in a login, in order: of letters of
// other scripts than the first one's, of signs, and of whatever is too much,
// nothing is left. It may be too short for a login, or reserved.
func loginStem(name string) string {
	if _, ok := text.FoldLogin(name); ok {
		return name
	}
	stem := ""
	for _, r := range name {
		// The digit makes a login of one letter, and of one that ends in a joiner.
		if _, ok := text.FoldLogin(stem + string(r) + "0"); ok {
			stem += string(r)
		}
	}
	if stem = strings.TrimRight(stem, joiners); stem == "" {
		return nobodysStem
	}
	return stem
}

// joiners are what may stand in a login, but not at its ends.
const joiners = "_-."

// nameHash is a hash of the name, another one in each round.
func nameHash(name string, round int) [sha256.Size]byte {
	if round > 0 {
		name = fmt.Sprintf("%s\n%d", name, round) // a name has no line ends
	}
	return sha256.Sum256([]byte(name))
}

// hashLogin puts so many hexadecimal digits of the hash behind the stem. Letters
// of another script do not go together with them: there the same bits are
// written in decimal. Where ASCII digits do not fit either the stem goes.
func hashLogin(stem string, sum [sha256.Size]byte, digits int) string {
	bits := sum[:digits/2]
	if login, ok := joinLogin(stem, hex.EncodeToString(bits)); ok {
		return login
	}
	if login, ok := joinLogin(stem, new(big.Int).SetBytes(bits).String()); ok {
		return login
	}
	return nobodysStem + "-" + hex.EncodeToString(bits)
}

// joinLogin puts the suffix behind the stem, which is cut to fit; false if that
// is no login.
func joinLogin(stem, suffix string) (string, bool) {
	letters := []rune(stem)
	section := forum.MaxLogin - len("-") - len(suffix)
	if section < 1 {
		return "", false
	}
	stem = string(letters[:min(section, len(letters))])
	login, _, err := text.Login(nil, strings.TrimRight(stem, joiners)+"-"+suffix)
	return login, err == nil
}
