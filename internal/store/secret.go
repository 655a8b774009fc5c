package store

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

// openSecret reads the site's secret. Data that have none get one, whoever comes first.
func (s *Store) openSecret(ctx context.Context) error {
	pipe := s.rdb.Pipeline()
	pipe.SetNX(ctx, key.Secret, hex.EncodeToString(record.NewSecret()), 0)
	have := pipe.Get(ctx, key.Secret)
	if _, err := pipe.Exec(ctx); err != nil {
		return fmt.Errorf("read the site's secret: %w", err)
	}
	return s.takeSecret(have.Val())
}

// readSecret reads the site's secret without writing. Data that have none have no
// pseudonyms either: any secret will do.
func (s *Store) readSecret(ctx context.Context) error {
	text, err := s.rdb.Get(ctx, key.Secret).Result()
	if pipeline.IsNil(err) {
		s.secret = record.NewSecret()
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the site's secret: %w", err)
	}
	return s.takeSecret(text)
}

// takeSecret does not repeat a secret that is damaged: the error is logged.
func (s *Store) takeSecret(text string) error {
	secret, err := hex.DecodeString(text)
	if err != nil || len(secret) != record.SecretSize {
		return errors.New("the site's secret is damaged; a new one is made after DEL " + key.Secret)
	}
	s.secret = secret
	return nil
}

// Pseudonym returns 32 hexadecimal digits that stand for an address, a name or the like,
// in keys and logs: the first half of the HMAC-SHA-256 with the site's secret. kind keeps
// things of different kinds apart. Without the secret nobody can try out what a pseudonym
// stands for.
func (s *Store) Pseudonym(kind, of string) string {
	mac := hmac.New(sha256.New, s.secret)
	mac.Write([]byte(kind + "\x00" + of))
	var sum [sha256.Size]byte
	return hex.EncodeToString(mac.Sum(sum[:0])[:16])
}
