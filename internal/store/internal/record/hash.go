package record

import (
	"context"

	"github.com/redis/go-redis/v9"

	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
)

// Get queues the read of fields of an object, which may be in either of its hashes; f returns those that exist. It
// fails with the commands.
func Get(ctx context.Context, c redis.HashCmdable, object string, names ...string) (f func() Fields) {
	read := TryGet(ctx, c, object, names...)
	return func() Fields {
		f, _ := read()
		return f
	}
}

// TryGet is Get for a caller that does not look at the errors of the commands.
func TryGet(ctx context.Context, c redis.HashCmdable, object string, names ...string) func() (Fields, error) {
	hashes := split(object, names)
	cmds := make([]*redis.SliceCmd, len(hashes))
	for i, h := range hashes {
		cmds[i] = c.HMGet(ctx, h.key, h.names...)
	}
	return func() (Fields, error) {
		f := make(Fields, len(names))
		for i, h := range hashes {
			if err := cmds[i].Err(); err != nil {
				return f, err
			}
			for n, v := range cmds[i].Val() {
				if s, ok := v.(string); ok {
					f[h.names[n]] = s
				}
			}
		}
		return f, nil
	}
}

// hash is one hash of an object, and names of fields in it.
type hash struct {
	key   string
	names []string
}

// split returns the names of fields of an object by the hash that has them. The internal one, which has the revision,
// comes first: if another client writes in between, what is read is newer than its revision, so that it is read again.
func split(object string, names []string) []hash {
	internal, own := catalogue.Split(object, names)
	all := make([]hash, 0, 2)
	if len(internal) > 0 {
		all = append(all, hash{key.Internal(object), internal})
	}
	if len(own) > 0 {
		all = append(all, hash{object, own})
	}
	return all
}

// Set queues the write of fields of an object into its hashes; pairs are names and values.
func Set(ctx context.Context, c redis.HashCmdable, object string, pairs ...any) {
	values, names := map[string]any{}, make([]string, 0, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		name := pairs[i].(string)
		values[name], names = pairs[i+1], append(names, name)
	}
	for _, h := range split(object, names) {
		var some []any
		for _, name := range h.names {
			some = append(some, name, values[name])
		}
		c.HSet(ctx, h.key, some...)
	}
}

// Remove queues the removal of fields of an object.
func Remove(ctx context.Context, c redis.HashCmdable, object string, names ...string) {
	for _, h := range split(object, names) {
		c.HDel(ctx, h.key, h.names...)
	}
}

// Values returns fields as an HMGET of names would.
func Values(f Fields, names []string) []any {
	values := make([]any, len(names))
	for i, name := range names {
		if v, ok := f[name]; ok {
			values[i] = v
		}
	}
	return values
}

// Objects returns keys, with that of the internal hash of each object that has one.
func Objects(keys ...string) []string {
	var all []string
	for _, k := range keys {
		if all = append(all, k); catalogue.HasInternal(k) {
			all = append(all, key.Internal(k))
		}
	}
	return all
}
