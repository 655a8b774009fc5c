package issuer_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"agora/internal/issuer"
	"agora/internal/test/issuertest"
)

// BenchmarkVerify measures a token that was verified before, and signatures of each kind.
func BenchmarkVerify(b *testing.B) {
	of := issuertest.New(b)
	algs := []jose.SignatureAlgorithm{jose.RS256, jose.EdDSA, jose.ES256, jose.ES384, jose.ES512}
	for _, alg := range algs {
		of.Rotate(b, string(alg), alg)
	}
	for _, alg := range algs {
		v := issuer.New([]issuer.Config{of.Config()}, slog.New(slog.DiscardHandler), time.Now)
		token := func(n int) string { return of.TokenBy(b, string(alg), "42", issuertest.Claims{"n": n}) }
		verify := func(token string) {
			if _, err := v.Verify(b.Context(), token, &counts{}); err != nil {
				b.Fatal(err)
			}
		}
		verify(token(0)) // fetches the keys
		b.Run("new/"+string(alg), func(b *testing.B) {
			tokens := make([]string, b.N)
			for i := range tokens {
				tokens[i] = token(i + 1)
			}
			b.ResetTimer()
			for _, t := range tokens {
				verify(t)
			}
		})
	}
	v := issuer.New([]issuer.Config{of.Config()}, slog.New(slog.DiscardHandler), time.Now)
	token := of.Token(b, "42", issuertest.Claims{"preferred_username": "mara", "name": "Mara Lindqvist"})
	b.Run("verified before", func(b *testing.B) {
		for b.Loop() {
			if _, err := v.Verify(b.Context(), token, &counts{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
