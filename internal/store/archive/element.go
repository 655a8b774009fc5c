package archive

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/store/catalogue"
	"agora/internal/store/internal/pipeline"
)

// queue queues the command that reads the key; k.read then returns its elements, encoded and in order.
// A key that has expired has none.
func (k *measured) queue(ctx context.Context, b *pipeline.Batch) {
	switch k.kind.Type {
	case catalogue.Hash:
		cmd := b.HGetAll(ctx, k.name)
		k.read = func() ([][]byte, error) { return encodeHash(cmd.Val()) }
	case catalogue.ZSet:
		cmd := b.ZRangeWithScores(ctx, k.name, 0, -1)
		k.read = func() ([][]byte, error) { return encodeScored(cmd.Val()) }
	case catalogue.Set:
		cmd := b.SMembers(ctx, k.name)
		k.read = func() ([][]byte, error) { return encodeSorted(cmd.Val()) }
	default:
		cmd := b.Get(ctx, k.name)
		k.read = func() ([][]byte, error) {
			if pipeline.IsNil(cmd.Err()) {
				return nil, nil
			}
			return encodeSorted([]string{cmd.Val()})
		}
	}
}

// encodeHash returns the fields of a hash, sorted as they are encoded.
func encodeHash(fields map[string]string) ([][]byte, error) {
	all := make([][]byte, 0, len(fields))
	for name, value := range fields {
		pair, err := appendPair(nil, name, value)
		if err != nil {
			return nil, err
		}
		all = append(all, pair)
	}
	slices.SortFunc(all, bytes.Compare)
	return all, nil
}

// encodeScored returns the members of a sorted set, in its order.
func encodeScored(members []redis.Z) ([][]byte, error) {
	all := make([][]byte, len(members))
	for i, z := range members {
		var err error
		if all[i], err = appendScored(nil, z.Member.(string), z.Score); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// encodeSorted returns strings, sorted as they are encoded.
func encodeSorted(texts []string) ([][]byte, error) {
	all := make([][]byte, len(texts))
	for i, text := range texts {
		var err error
		if all[i], err = appendString(nil, text); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(all, bytes.Compare)
	return all, nil
}

// eachElement passes the elements of a big key to add, encoded and in order, with a part of them in memory.
func (e *exporter) eachElement(ctx context.Context, k measured, add func([]byte) error) error {
	switch k.kind.Type {
	case catalogue.ZSet:
		return e.eachScored(ctx, k.name, add)
	case catalogue.Hash:
		return e.eachField(ctx, k.name, add)
	}
	return fmt.Errorf("it has %d elements", k.size.Val())
}

// eachScored does so for a sorted set.
func (e *exporter) eachScored(ctx context.Context, name string, add func([]byte) error) error {
	for from := int64(0); ; from += readElements {
		members, err := e.rdb.Redis.ZRangeWithScores(ctx, name, from, from+readElements-1).Result()
		if err != nil || len(members) == 0 {
			return err
		}
		encoded, err := encodeScored(members)
		if err != nil {
			return err
		}
		for _, element := range encoded {
			if err := add(element); err != nil {
				return err
			}
		}
	}
}

// eachField does so for a hash.
func (e *exporter) eachField(ctx context.Context, name string, add func([]byte) error) (err error) {
	fields := &sorter{limit: e.memory}
	defer func() { err = join(err, fields.close()) }()
	for cursor := uint64(0); ; {
		found, next, err := e.rdb.Redis.HScan(ctx, name, cursor, "", scanSize).Result()
		if err != nil {
			return err
		}
		for pair := range slices.Chunk(found, 2) {
			encoded, err := appendPair(nil, pair[0], pair[1])
			if err != nil {
				return err
			}
			if err := fields.add(string(encoded)); err != nil {
				return err
			}
		}
		if cursor = next; cursor == 0 {
			return fields.each(func(pair string) error { return add([]byte(pair)) })
		}
	}
}

// join returns err, or the error of closing if there is no other.
func join(err, closing error) error {
	if err != nil {
		return err
	}
	return closing
}
