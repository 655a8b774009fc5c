package text

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"math/big"
	"strings"

	"agora/internal/forum"
)

// Logins yields logins for a person with a name, best first, without end: the name, or the part of it that is valid in a
// login; then that followed by a number of the person, which may be ""; then by ever more digits of a hash of the exact
// name. All pass Login, and the sequence is the same each time.
func Logins(name, number string) iter.Seq[string] {
	return func(yield func(string) bool) {
		stem := loginStem(name)
		if login, _, err := Login(nil, stem); err == nil && !yield(login) {
			return
		}
		if number != "" {
			if login, ok := joinLogin(stem, number); ok && !yield(login) {
				return
			}
		}
		for round := 0; ; round++ {
			sum := nameHash(name, round)
			for digits := minHash; digits <= maxHash; digits += 4 {
				if !yield(hashLogin(stem, sum, digits)) {
					return
				}
			}
		}
	}
}

const (
	// minHash is the hexadecimal digits of the shortest hash in a login: of a thousand people with
	// the same stem, two get the same hash in one of 8,000 imports.
	minHash = 8
	// maxHash is those of the longest, in steps of four: in decimal they are up to 29 digits, which
	// leave two letters and a hyphen.
	maxHash = 24
	// defaultStem begins the logins of members whose names have nothing that is valid in a login.
	// On its own it is reserved.
	defaultStem = "user"
)

// loginStem returns the part of a name that is valid in a login, in order. It drops letters of
// scripts other than the first one's, symbols, and everything beyond the maximum length. The result
// may be too short for a login, or reserved, but passes for no office.
func loginStem(name string) string {
	if stem := validPart(name); stem != "" && !LooksReserved(stem+"-0") {
		return stem
	}
	return defaultStem
}

func validPart(name string) string {
	if _, ok := FoldLogin(name); ok {
		return name
	}
	stem := ""
	for _, r := range name {
		// The digit allows a stem of one letter, and one that ends in a joiner.
		if _, ok := FoldLogin(stem + string(r) + "0"); ok {
			stem += string(r)
		}
	}
	return strings.TrimRight(stem, loginJoiners)
}

// nameHash returns a hash of the name, a different one in each round.
func nameHash(name string, round int) [sha256.Size]byte {
	if round > 0 {
		name = fmt.Sprintf("%s\n%d", name, round) // a name has no line ends
	}
	return sha256.Sum256([]byte(name))
}

// hashLogin appends the given number of hexadecimal digits of the hash to the stem. Stems of other
// scripts do not allow Latin letters: there the same bits are appended in decimal. If ASCII digits
// are not allowed either, the stem is replaced.
func hashLogin(stem string, sum [sha256.Size]byte, digits int) string {
	bits := sum[:digits/2]
	if login, ok := joinLogin(stem, hex.EncodeToString(bits)); ok {
		return login
	}
	if login, ok := joinLogin(stem, new(big.Int).SetBytes(bits).String()); ok {
		return login
	}
	return defaultStem + "-" + hex.EncodeToString(bits)
}

// joinLogin appends the suffix to the stem, which is cut to fit. It returns false if the result is
// not a valid login.
func joinLogin(stem, suffix string) (string, bool) {
	letters := []rune(stem)
	room := forum.MaxLogin - len("-") - len(suffix)
	if room < 1 {
		return "", false
	}
	stem = string(letters[:min(room, len(letters))])
	login, _, err := Login(nil, strings.TrimRight(stem, loginJoiners)+"-"+suffix)
	return login, err == nil
}
