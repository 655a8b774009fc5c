package event

import (
	"encoding/base64"
	"encoding/binary"
	"hash/fnv"
	"math"
	"slices"

	"agora/internal/store/listing"
)

// The ID of an event is a version, a checksum of the scope and the rest, a checksum of the names of
// the logs, and a position in each log, in base64url. It is not signed and grants nothing. The
// checksums detect truncated IDs and those of other subscriptions. The positions in many logs are
// close together, so they are written as differences.

const idVersion = 1

// maxID is the maximum length of an ID, in characters: that of a list with MaxListMembers.
const maxID = 24 << 10

// position is the content of an ID.
type position struct {
	sum uint32
	at  []listing.LogPosition
}

// id returns the ID of the current positions in all logs.
func (sub *Sub) id() string { return sub.stream.ID(sub.at) }

// positionsOf returns the positions in all logs from an ID. ok is false if the ID is of other logs.
func (sub *Sub) positionsOf(p position) (at []listing.LogPosition, ok bool) {
	n := len(sub.at)
	if wider := (Stream{Logs: slices.Concat(sub.stream.Logs, sub.stream.further)}); len(p.at) > n && p.sum == wider.sum() {
		p = position{sub.stream.sum(), p.at[:n]}
	}
	return p.at, p.sum == sub.stream.sum() && len(p.at) == n
}

func idSum(scope string, rest []byte) uint64 {
	h := fnv.New64a()
	h.Write([]byte(scope))
	h.Write([]byte{0})
	h.Write(rest)
	return h.Sum64()
}

// parseID parses the ID of an event of the scope.
func parseID(scope, id string) (p position, ok bool) {
	if len(id) > maxID {
		return p, false
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(id)
	if err != nil || len(b) < 14 || b[0] != idVersion || base64.RawURLEncoding.EncodeToString(b) != id {
		return p, false
	}
	if binary.BigEndian.Uint64(b[1:]) != idSum(scope, b[9:]) {
		return p, false
	}
	p.sum = binary.BigEndian.Uint32(b[9:])
	numbers, ok := uvarints(b[13:])
	if !ok || len(numbers)%2 == 0 {
		return p, false
	}
	for i := 1; i < len(numbers); i += 2 {
		p.at = append(p.at, listing.LogPosition{Major: numbers[0] + numbers[i], Minor: numbers[i+1]})
	}
	return p, true
}

func uvarints(b []byte) (numbers []int64, ok bool) {
	for len(b) > 0 {
		n, size := binary.Uvarint(b)
		if size <= 0 || n > math.MaxInt64/2 {
			return nil, false
		}
		numbers, b = append(numbers, int64(n)), b[size:]
	}
	return numbers, true
}
