package record

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"agora/internal/forum"
)

// RankingRow is the size of an entry of a ranking: a comment's id.
const RankingRow = 4

// RankingSum is the number of bytes of the SHA-256 that identifies a ranking.
const RankingSum = 8

// UnpackSnapshotRow parses the first snapshot entry in b.
func UnpackSnapshotRow(b string) forum.Row {
	row := []byte(b[:SnapshotRow])
	return forum.Row{
		ID:        int64(binary.BigEndian.Uint32(row)),
		Up:        int(int32(binary.BigEndian.Uint32(row[4:]))),
		Down:      int(int32(binary.BigEndian.Uint32(row[8:]))),
		CreatedAt: forum.Time(binary.BigEndian.Uint64(row[12:])),
	}
}

// Sizes of snapshots, in bytes.
const (
	// SnapshotRow is the size of an entry: id (4 bytes), up (4), down (4), time of posting (8).
	SnapshotRow = 20
	// SnapshotHead is the size of the header: the time when it was taken.
	SnapshotHead = 8
)

// PackSnapshot encodes a snapshot that was taken at asOf.
func PackSnapshot(asOf forum.Time, rows []forum.Row) string {
	b := make([]byte, 0, SnapshotHead+SnapshotRow*len(rows))
	b = binary.BigEndian.AppendUint64(b, uint64(asOf))
	for _, r := range rows {
		b = binary.BigEndian.AppendUint32(b, uint32(r.ID))
		b = binary.BigEndian.AppendUint32(b, uint32(r.Up))
		b = binary.BigEndian.AppendUint32(b, uint32(r.Down))
		b = binary.BigEndian.AppendUint64(b, uint64(r.CreatedAt))
	}
	return string(b)
}

// PackRanking encodes the ranking of a list.
func PackRanking(list string, ids []forum.CommentID) forum.Ranking {
	packed := make([]byte, 0, RankingRow*len(ids))
	for _, id := range ids {
		packed = binary.BigEndian.AppendUint32(packed, uint32(id))
	}
	sum := sha256.Sum256(packed)
	return forum.Ranking{List: list, Sum: hex.EncodeToString(sum[:RankingSum]), IDs: string(packed)}
}
