package auth

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/alexedwards/argon2id"

	"agora/internal/forum"
	"agora/internal/test/must"
)

func TestVerify(t *testing.T) {
	h := NewHasher(1, Cheap())
	hash := must.Do(h.Hash(t.Context(), "Café au lait"))(t)
	tests := []struct {
		name     string
		hash     string
		password string
		want     bool
	}{
		{"right", hash, "Café au lait", true},
		{"decomposed", hash, "Cafe\u0301 au lait", true},
		{"different spaces", hash, "Café\u00a0au\u3000lait", true},
		{"wrong", hash, "Cafe au lait", false},
		{"different case", hash, "café au lait", false},
		{"empty", hash, "", false},
		{"ill-formed", hash, "Caf\xe9 au lait", false},
		{"control character", hash, "Café au lait\x00", false},
		{"megabyte", hash, strings.Repeat("x", 1<<20), false},
		{"no user", "", "Café au lait", false},
		{"no user, no password", "", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got, err := h.Verify(t.Context(), tt.hash, tt.password); got != tt.want || err != nil {
				t.Errorf("Verify(%.12q, %.20q) = %t, %v; want %t", tt.hash, tt.password, got, err, tt.want)
			}
		})
	}
}

func TestHashOfTheLongestPassword(t *testing.T) {
	h := NewHasher(1, Cheap())
	// U+1F82 is four code points in NFD, the maximum.
	composed, decomposed := strings.Repeat(
		"\u1f82",
		forum.MaxPassword,
	), strings.Repeat(
		"\u03b1\u0313\u0300\u0345",
		forum.MaxPassword,
	)
	hash := must.Do(h.Hash(t.Context(), composed))(t)
	if ok, err := h.Verify(t.Context(), hash, decomposed); !ok || err != nil {
		t.Errorf("Verify of the longest password, decomposed = %t, %v; want true", ok, err)
	}
}

func TestHashesDiffer(t *testing.T) {
	h := NewHasher(1, Cheap())
	a, _ := h.Hash(t.Context(), "correct horse")
	b, _ := h.Hash(t.Context(), "correct horse")
	if a == b || a == "" {
		t.Errorf("Hash twice = %q, %q; want different salts", a, b)
	}
}

func TestHashRefusesInvalidPasswords(t *testing.T) {
	h := NewHasher(1, Cheap())
	for _, password := range []string{"", "\x00\x00\x00\x00\x00\x00\x00\x00", "\xff\xff\xff\xff\xff\xff\xff\xff"} {
		if _, err := h.Hash(t.Context(), password); forum.CodeOf(err) != forum.CodeInvalid {
			t.Errorf("Hash(%q) = %v; want INVALID", password, err)
		}
	}
}

func TestParameters(t *testing.T) {
	strongHash := must.Do(NewHasher(1).Hash(t.Context(), "correct horse"))(t)
	if !strings.HasPrefix(strongHash, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("Hash = %s; want argon2id of 19 MiB, two passes, one lane", strongHash)
	}
	if ok, err := NewHasher(1, Cheap()).Verify(t.Context(), strongHash, "correct horse"); !ok || err != nil {
		t.Errorf("Verify with a cheap Hasher = %t, %v; want true", ok, err)
	}
}

func TestVerifyTakesAsLongForUnknownUser(t *testing.T) {
	for _, h := range []*Hasher{NewHasher(1), NewHasher(1, Cheap())} {
		p, _, _, err := argon2id.DecodeHash(h.dummy)
		if err != nil || *p != h.params {
			t.Errorf("parameters of the dummy = %+v, %v; want %+v", p, err, h.params)
		}
	}
}

func TestDamagedHash(t *testing.T) {
	h := NewHasher(1, Cheap())
	for _, hash := range []string{
		"secret", "$argon2id$v=19$m=8,t=0,p=1$AAAA$AAAA", "$argon2id$v=19$m=8,t=1,p=0$AAAA$AAAA",
		"$argon2id$v=19$m=8,t=1,p=1$AAAA$", "$argon2i$v=19$m=8,t=1,p=1$AAAA$AAAA",
	} {
		ok, err := h.Verify(t.Context(), hash, "correct horse")
		if ok || err == nil || forum.CodeOf(err) != "" || strings.Contains(err.Error(), hash) {
			t.Errorf("Verify(%s) = %t, %v; want an internal error without the hash", hash, ok, err)
		}
	}
}

func TestEndedContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := NewHasher(1, Cheap()).Hash(ctx, "correct horse"); !errors.Is(err, context.Canceled) {
		t.Errorf("Hash after the context = %v; want context.Canceled", err)
	}
}

func TestQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const workers = 2
		h := NewHasher(workers, Cheap())
		for range workers {
			must.OK(t, h.acquire(t.Context()))
		}
		ctx, cancel := context.WithCancel(t.Context())
		results := make(chan error)
		for range workers * maxWaiting {
			// Ends when it is served or the context ends.
			go func() {
				_, err := h.Verify(ctx, "", "correct horse")
				results <- err
			}()
		}
		synctest.Wait() // all of them are waiting

		if _, err := h.Verify(ctx, "", "correct horse"); forum.CodeOf(err) != forum.CodeUnavailable {
			t.Errorf("Verify with a full queue = %v; want UNAVAILABLE", err)
		}
		h.release()
		for range workers * maxWaiting {
			if err := <-results; err != nil {
				t.Errorf("Verify of a waiting call = %v; want no error", err)
			}
		}

		must.OK(t, h.acquire(ctx))
		go func() {
			_, err := h.Hash(ctx, "correct horse")
			results <- err
		}()
		synctest.Wait()
		cancel()
		if err := <-results; !errors.Is(err, context.Canceled) {
			t.Errorf("Hash when the context ends = %v; want context.Canceled", err)
		}
		h.release()
		h.release()
		if len(h.admitted) != 0 || len(h.running) != 0 {
			t.Errorf("after all %d are admitted and %d run; want none", len(h.admitted), len(h.running))
		}
	})
}

func TestHasherHasAtLeastOneWorker(t *testing.T) {
	if ok, err := NewHasher(0, Cheap()).Verify(t.Context(), "", "correct horse"); ok || err != nil {
		t.Errorf("Verify with no workers = %t, %v; want false", ok, err)
	}
}
