package httpserver

import (
	"strings"
	"testing"
)

func TestDocumentsKeepsNoLongOnes(t *testing.T) {
	tests := []struct {
		name   string
		length int
		want   bool
	}{
		{"the longest that is kept", cachedLength, true},
		{"one byte more", cachedLength + 1, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, text := newDocuments[bool](), strings.Repeat("x", tt.length)
			d.Add(t.Context(), text, true)
			if _, got := d.Get(t.Context(), text); got != tt.want {
				t.Errorf("Get(document of %d bytes) found it: %t; want %t", tt.length, got, tt.want)
			}
		})
	}
}
