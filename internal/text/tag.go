package text

import (
	"crypto/sha256"
	"encoding/binary"
	"strconv"

	"agora/internal/forum"
)

// TagID returns the id of the tag with this folded name: the first 52 bits of its SHA-256, and
// never 0.
func TagID(fold string) forum.TagID {
	sum := sha256.Sum256([]byte(fold))
	return max(1, forum.TagID(binary.BigEndian.Uint64(sum[:])>>12))
}

// Tag checks the name of a tag: one line of 1 to forum.MaxTag code points. It
// returns TOO_SHORT, TOO_LONG or INVALID at path.
func Tag(path []string, name string) (forum.TopicTag, error) {
	name, err := Line(path, name, 1, forum.MaxTag)
	if err != nil {
		return forum.TopicTag{}, err
	}
	return forum.TopicTag{ID: TagID(Fold(name)), Name: name}, nil
}

// Tags checks the names of tags. Duplicates, ignoring case, are dropped in favour of the first
// spelling. Errors are those of Tag, with the index at the end of their path.
func Tags(path []string, names []string) (forum.TopicTags, error) {
	var tags forum.TopicTags
	known := map[forum.TagID]bool{}
	for i, name := range names {
		t, err := Tag(append(path[:len(path):len(path)], strconv.Itoa(i)), name)
		if err != nil {
			return nil, err
		}
		if !known[t.ID] {
			known[t.ID] = true
			tags = append(tags, t)
		}
	}
	return tags, nil
}
