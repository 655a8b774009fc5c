package forum

import (
	"slices"
	"strings"
)

// TopicKinds is a set of kinds of topics; 0 is all of them, which no set of all three is. It is a value.
type TopicKinds uint8

// topicKinds are the kinds in the order of their bits, and of their names in that of a timeline.
var topicKinds = []TopicKind{Discussion, Article, Status}

// KindsOf returns the set of kinds; 0 if it has all of them or none.
func KindsOf(kinds []TopicKind) TopicKinds {
	var set TopicKinds
	for i, kind := range topicKinds {
		if slices.Contains(kinds, kind) {
			set |= 1 << i
		}
	}
	if set == 1<<len(topicKinds)-1 {
		return 0
	}
	return set
}

// Kinds returns the kinds in the set.
func (s TopicKinds) Kinds() []TopicKind {
	return slices.DeleteFunc(slices.Clone(topicKinds), func(kind TopicKind) bool { return !s.Has(kind) })
}

// Has reports whether the set has a kind.
func (s TopicKinds) Has(kind TopicKind) bool {
	i := slices.Index(topicKinds, kind)
	return s == 0 || i >= 0 && s&(1<<i) != 0
}

// String returns the names of the kinds, separated by dots; "" for all.
func (s TopicKinds) String() string {
	if s == 0 {
		return ""
	}
	var names []string
	for _, kind := range s.Kinds() {
		names = append(names, string(kind))
	}
	return strings.Join(names, ".")
}

// parseKinds parses the result of String.
func parseKinds(names string) (TopicKinds, bool) {
	var kinds []TopicKind
	if names != "" {
		for name := range strings.SplitSeq(names, ".") {
			kinds = append(kinds, TopicKind(name))
		}
	}
	set := KindsOf(kinds)
	return set, set.String() == names
}
