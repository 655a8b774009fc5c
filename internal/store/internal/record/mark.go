package record

import "agora/internal/forum"

// ValidReadMark reports whether a mark names a valid topic or timeline.
func ValidReadMark(m string) bool {
	if m == "" {
		return false
	}
	if m[0] == 'l' {
		_, ok := forum.ParseTimeline(m[1:])
		return ok
	}
	_, err := forum.ParseID[forum.TopicID](m[1:])
	return m[0] == 't' && err == nil
}
