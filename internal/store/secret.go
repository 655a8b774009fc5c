package store

import (
	"context"
	"encoding/hex"
	"fmt"

	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

// openSecret reads the site's secret. The first process creates one in data that have none.
func (s *Store) openSecret(ctx context.Context) error {
	pipe := s.rdb.Redis.Pipeline()
	pipe.SetNX(ctx, key.Secret, hex.EncodeToString(record.NewSecret()), 0)
	have := pipe.Get(ctx, key.Secret)
	if _, err := pipe.Exec(ctx); err != nil {
		return fmt.Errorf("read the site's secret: %w", err)
	}
	return s.takeSecret(have.Val())
}

// readSecret reads the site's secret without writing. Data without a secret have no pseudonyms either, so
// any secret will do.
func (s *Store) readSecret(ctx context.Context) error {
	text, err := s.rdb.Redis.Get(ctx, key.Secret).Result()
	if pipeline.IsNil(err) {
		s.secret = record.NewSecret()
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the site's secret: %w", err)
	}
	return s.takeSecret(text)
}

func (s *Store) takeSecret(text string) (err error) {
	s.secret, err = record.ParseSecret(text)
	return err
}

// Pseudonym returns the replacement of an address, a name or the like in keys and logs: see record.Secret.
func (s *Store) Pseudonym(kind, of string) string { return s.secret.Pseudonym(kind, of) }
