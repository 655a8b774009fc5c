package record

import (
	"strings"

	"agora/internal/forum"
)

// SourceInput stands in the record of an import where others have the hash of
// their input.
const SourceInput = "src"

// ParseSourceRecord reads "time src id" and, of a user, "time src id nonce".
func ParseSourceRecord(value string) (id int64, nonce string, ok bool) {
	parts := strings.Fields(value)
	if len(parts) < 3 || parts[1] != SourceInput {
		return 0, "", false
	}
	if len(parts) == 4 {
		nonce = parts[3]
	}
	id, err := forum.ParseID[int64](parts[2])
	return id, nonce, err == nil
}

// Placed is the value of a category's place in a tab.
const Placed = "placed"
