package auth

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/alexedwards/argon2id"

	"agora/internal/forum"
	"agora/internal/turns"
)

// strong are the parameters of password hashes: 19 MiB, two passes, one lane, about 40 ms. Source:
// OWASP Password Storage Cheat Sheet, Argon2id.
var strong = argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// cheap are the minimum parameters of argon2: 8 KiB, one pass, one lane.
var cheap = argon2id.Params{Memory: 8, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// maxWaiting is how many calls may wait per worker. At 40 ms each, the last one waits for less than
// three seconds.
const maxWaiting = 64

// Hasher computes and verifies password hashes, as many concurrently as it has workers: each call
// takes one CPU and 19 MiB for about 40 ms.
type Hasher struct {
	params argon2id.Params
	// dummy is a hash that matches no password.
	dummy string
	// admitted holds one entry for each call that runs or waits.
	admitted chan struct{}
	// running holds one entry for each call that runs.
	running chan struct{}
}

// Option configures a Hasher.
type Option func(*Hasher)

// Cheap returns an option for hashes that take microseconds and protect nothing: for tests, and for
// demo data with public passwords. A hash contains its parameters, so every Hasher can verify it.
func Cheap() Option { return func(h *Hasher) { h.params = cheap } }

// NewHasher returns a Hasher with the given number of workers, at least one. One less than the
// number of CPUs leaves a CPU for other work.
func NewHasher(workers int, options ...Option) *Hasher {
	workers = max(workers, 1)
	h := &Hasher{
		params:   strong,
		admitted: make(chan struct{}, workers*(1+maxWaiting)),
		running:  make(chan struct{}, workers),
	}
	for _, o := range options {
		o(h)
	}
	h.dummy = dummyHash(h.params)
	return h
}

// Hash returns the hash of a password that CheckPassword accepts. It returns INVALID for others,
// UNAVAILABLE if too many calls are waiting, and the context's error if that ends first.
func (h *Hasher) Hash(ctx context.Context, password string) (string, error) {
	password, ok := enforce(password)
	if !ok {
		return "", forum.Invalid(nil, "This password cannot be used.")
	}
	if err := h.acquire(ctx); err != nil {
		return "", err
	}
	defer h.release()
	hash, err := argon2id.CreateHash(password, &h.params)
	if err != nil {
		return "", fmt.Errorf("hash a password: %w", err)
	}
	return hash, nil
}

// Verify reports whether hash is a hash of password. If hash is empty, because the user does not
// exist, or password cannot be a password, it takes the same time and returns false. It returns
// UNAVAILABLE if too many calls are waiting, and the context's error if that ends first.
func (h *Hasher) Verify(ctx context.Context, hash, password string) (bool, error) {
	password, ok := enforce(password)
	hopeless := hash == "" || !ok
	if hopeless {
		hash = h.dummy
	}
	// The library panics on some malformed hashes.
	if p, _, key, err := argon2id.DecodeHash(hash); err != nil || p.Iterations < 1 || p.Parallelism < 1 || len(key) < 1 {
		return false, errors.Join(errors.New("a stored password hash is damaged"), err)
	}
	if err := h.acquire(ctx); err != nil {
		return false, err
	}
	defer h.release()
	match, err := argon2id.ComparePasswordAndHash(password, hash)
	if err != nil {
		return false, fmt.Errorf("verify a password: %w", err)
	}
	return match && !hopeless, nil
}

// acquire waits for a worker.
func (h *Hasher) acquire(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("wait to hash a password: %w", err)
	}
	// A longer queue would only delay the refusal.
	select {
	case h.admitted <- struct{}{}:
	default:
		return &forum.Error{Code: forum.CodeUnavailable, Message: "Too many people are signing in. Try again in a moment."}
	}
	if err := turns.Enter(ctx, h.running); err != nil {
		<-h.admitted
		return fmt.Errorf("wait to hash a password: %w", err)
	}
	return nil
}

func (h *Hasher) release() {
	<-h.running
	<-h.admitted
}

// dummyHash returns random bytes in the format of an argon2id hash, without computing one.
func dummyHash(p argon2id.Params) string {
	b := make([]byte, p.SaltLength+p.KeyLength)
	rand.Read(b) // never fails, as the package says
	encode := base64.RawStdEncoding.EncodeToString
	const version = 0x13 // of Argon2, the one of RFC 9106
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s",
		version, p.Memory, p.Iterations, p.Parallelism, encode(b[:p.SaltLength]), encode(b[p.SaltLength:]))
}
