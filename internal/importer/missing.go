package importer

import "fmt"

// What may be missing.
const (
	missingPosts   = "posts of Discourse topics"
	missingReplies = "replies to V2EX topics, which this format does not contain"
	missingKids    = "replies to Hacker News items"
	missingParents = "posts that have answers or comments"
	missingUsers   = "users who wrote something"
)

// stops returns the error at which a strict import stops, or nil.
func (r Record) stops() error {
	switch {
	case r.Err != nil:
		return r.fault(r.Err)
	case r.Missing != "" && r.Missing != missingReplies:
		err := fmt.Errorf("not in the files: %d %s", r.Count, r.Missing)
		if r.File == "" { // of all files
			return err
		}
		return r.fault(err)
	}
	return nil
}

// items are the items of Hacker News that were read, true, and those that were only named as replies, false.
type items map[int64]bool

func (all items) add(r Record) {
	if r.Item != 0 {
		all[r.Item] = true
	}
	for _, id := range r.Kids {
		if _, known := all[id]; !known {
			all[id] = false
		}
	}
}

// missing yields how many items are missing.
func (all items) missing(yield func(Record, error) bool) {
	n := 0
	for _, read := range all {
		if !read {
			n++
		}
	}
	if n > 0 {
		yield(Record{Missing: missingKids, Count: n}, nil)
	}
}
