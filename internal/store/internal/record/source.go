package record

import (
	"strings"

	"agora/internal/forum"
)

// SourceInput is in the record of an import, in place of the hash of the input.
const SourceInput = "src"

// ParseSourceRecord parses "time src id" or, for a user, "time src id nonce".
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

// Placed is the value that records that a category was added to a tab.
const Placed = "placed"
