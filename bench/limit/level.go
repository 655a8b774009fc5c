package limit

import (
	"github.com/redis/go-redis/v9"
)

// level is the commands of one level of an answer: one pipeline. Its two kinds send the same commands; they differ in
// the cost of creating them and of reading the replies.
type level interface {
	// hash reads fields of a hash.
	hash(of key, id int64, names fields) hash
	// count reads the number of entries of a list.
	count(of key, id int64) *redis.IntCmd
	// first reads the first n entries of a list.
	first(of key, id int64, n int) *redis.StringSliceCmd
	// after reads the n entries of a list that follow a score.
	after(of key, id int64, score string, n int) *redis.StringSliceCmd
	// front reads the number of topics, and the n latest.
	front(n int) (*redis.IntCmd, *redis.StringSliceCmd)
	// send sends the commands, waits for their replies, and begins the next level.
	// Without commands it does nothing.
	send() error
	// free returns the memory of the level for reuse.
	free()
}

// key appends the key of an entity.
type key func(b []byte, id int64) []byte

// fields are names of fields, in the form that either kind of level needs.
type fields struct {
	strings []string
	any     []any
}

func fieldsOf(names ...string) fields {
	f := fields{strings: names}
	for _, name := range names {
		f.any = append(f.any, name)
	}
	return f
}

// first returns the first n fields.
func (f fields) first(n int) fields { return fields{f.strings[:n], f.any[:n]} }

// hash is the command that reads a hash: one of the two, depending on the kind of level.
type hash struct {
	plain *redis.SliceCmd
	tuned *redis.StringSliceCmd
}

// values returns what the command has read, once its level is sent.
func (h hash) values() values {
	if h.plain != nil {
		return values{any: h.plain.Val()}
	}
	return values{strings: h.tuned.Val()}
}

// values are the values of a hash's fields.
type values struct {
	strings []string
	any     []any
}

// at returns the value of field i, or "" if it is missing.
func (v values) at(i int) string {
	if v.any == nil {
		return v.strings[i]
	}
	s, _ := v.any[i].(string)
	return s
}
