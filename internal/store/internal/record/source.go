package record

import (
	"strings"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
)

// SourceInput is in the record of an import, in place of the hash of the input.
const SourceInput = "src"

// SourceRecord returns what an import remembers, as a catalogue.MadeRow: what a record became, and of a user the
// nonce.
func SourceRecord(at forum.Time, id int64, nonce string) string {
	return catalogue.MadeRow.Format("time", int64(at), "input", SourceInput,
		"result", strings.TrimSpace(key.Itoa(id)+" "+nonce))
}

// ParseSourceRecord parses the result of SourceRecord.
func ParseSourceRecord(value string) (id int64, nonce string, ok bool) {
	v, ok := catalogue.MadeRow.Parse(value)
	number, nonce, _ := strings.Cut(v.Text("result"), " ")
	id, err := forum.ParseID[int64](number)
	return id, nonce, ok && v.Text("input") == SourceInput && err == nil
}

// Placed is the value that records that a category was added to a tab.
const Placed = "placed"
