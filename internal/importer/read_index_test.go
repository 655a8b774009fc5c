package importer

import (
	"strings"
	"testing"
)

// A bad record in an array is named by its index, since all of an array may be in one line.
func TestBadRecordsOfArraysAreNamedByTheirIndex(t *testing.T) {
	tests := []struct{ name, file, want string }{
		{"one line", "[" + story(1) + "," + story(2) + `,{"id":3},` + story(4) + ",7]",
			"in:1: [2]: type is missing, in:1: [4]: the record cannot be of type number"},
		{"first", `[{"type":"story","time":1}]`, "in:1: [0]: id is missing"},
		{"lines", "[\n" + story(1) + ",\n7\n]", "in:3: [1]: the record cannot be of type number"},
		{"nested", `[[7],` + story(2) + `,null]`,
			"in:1: [0]: the record cannot be of type array, in:1: [2]: id is missing"},
		{"second array", "[" + story(1) + "," + story(2) + "]\n[" + story(3) + ",7]",
			"in:2: [1]: the record cannot be of type number"},
		{"no array", story(1) + "\n7\n", "in:2: the record cannot be of type number"},
		{"after an array", "[" + story(1) + ",\n" + story(2) + "] 7", "in:2: the record cannot be of type number"},
		{"no JSON", "[" + story(1) + ",{]}]",
			"in: line 1: [1]: this is not JSON: invalid character ']' looking for beginning of object key string at byte 2 of the record"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var faults []string
			for rec, err := range Read(strings.NewReader(tt.file), "in", reads(HackerNews)) {
				if err != nil {
					faults = append(faults, err.Error())
				} else if rec.Err != nil {
					faults = append(faults, rec.fault(rec.Err).Error())
				}
			}
			if got := strings.Join(faults, ", "); got != tt.want {
				t.Errorf("Read(%s) reports %q; want %q", tt.file, got, tt.want)
			}
		})
	}
}
