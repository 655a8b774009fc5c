package auth

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"agora/internal/forum"
	"agora/internal/test/must"
)

// zeros is the secret part of a token whose secret is 32 zero bytes.
var zeros = strings.Repeat("A", 43)

func TestToken(t *testing.T) {
	for _, user := range []forum.UserID{1, 257, forum.MaxID} {
		made := must.Do(NewToken(user))(t)
		s := made.String()
		if read, ok := ParseToken(s); read != made || !ok {
			t.Errorf("ParseToken(NewToken(%d).String()) = %v, %t; want the same token", user, read, ok)
		}
		made.API = true
		if read, ok := ParseToken(made.String()); read != made || !ok {
			t.Errorf("ParseToken of an API token of %d = %v, %t; want the same token", user, read, ok)
		}
		if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
			t.Errorf("NewToken(%d).String() = %s; want URL-safe characters only", user, s)
		}
	}
}

func TestTokensDiffer(t *testing.T) {
	a, _ := NewToken(1)
	b, _ := NewToken(1)
	if a == b || a.Digest() == b.Digest() {
		t.Errorf("NewToken twice = %v, %v; want different secrets", a, b)
	}
}

func TestTokenForm(t *testing.T) {
	token := Token{User: 257}
	if got, want := token.String(), "agora_257_"+zeros; got != want {
		t.Errorf("String() = %s; want %s", got, want)
	}
	if got, want := (Token{User: 257, API: true}).String(), "agora_pat_257_"+zeros; got != want {
		t.Errorf("String() of an API token = %s; want %s", got, want)
	}
	// The SHA-256 of 32 zero bytes.
	const digest = "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
	if got := token.Digest(); got != digest {
		t.Errorf("Digest() = %s; want %s", got, digest)
	}
	if got, want := SessionName(digest), "66687aadf862bd776c8fc18b"; got != want {
		t.Errorf("SessionName = %s; want %s", got, want)
	}
	if got := SessionName("66"); got != "66" {
		t.Errorf("SessionName of two digits = %s; want them", got)
	}
}

func TestParseTokenAcceptsOnlyTheCanonicalForm(t *testing.T) {
	tests := []struct{ name, s string }{
		{"empty", ""},
		{"prefix only", "agora_"},
		{"no secret", "agora_257"},
		{"empty secret", "agora_257_"},
		{"no prefix", "257_" + zeros},
		{"an API token without a user", "agora_pat_" + zeros},
		{"an API token of the ghost", "agora_pat_0_" + zeros},
		{"prefix in capitals", "AGORA_257_" + zeros},
		{"no user", "agora__" + zeros},
		{"the ghost", "agora_0_" + zeros},
		{"leading zero", "agora_0257_" + zeros},
		{"sign", "agora_+257_" + zeros},
		{"too large user", "agora_2147483648_" + zeros},
		{"too short secret", "agora_257_" + zeros[:42]},
		{"secret of 31 bytes", "agora_257_" + strings.Repeat("A", 42)},
		{"secret of 33 bytes", "agora_257_" + strings.Repeat("A", 44)},
		{"padding", "agora_257_" + zeros + "="},
		{"trailing bits", "agora_257_" + zeros[:42] + "B"},
		{"different alphabet", "agora_257_" + zeros[:42] + "+"},
		{"line break inside", "agora_257_" + zeros[:20] + "\n" + zeros[20:]},
		{"line break at the end", "agora_257_" + zeros + "\r\n"},
		{"space in front", " agora_257_" + zeros},
		{"space at the end", "agora_257_" + zeros + " "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, ok := ParseToken(tt.s); ok {
				t.Errorf("ParseToken(%q) = true; want false", tt.s)
			}
		})
	}
}

func TestTokenIsNotLogged(t *testing.T) {
	token := Token{User: 257}
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("in", "token", token)
	if strings.Contains(log.String(), zeros) || !strings.Contains(log.String(), SessionName(token.Digest())) {
		t.Errorf("log = %s; want the session's name, not the secret", log.String())
	}
}

func FuzzParseToken(f *testing.F) {
	for _, seed := range []string{"", "agora_257_" + zeros, "agora_257_" + zeros + "\n", "agora_1_" + zeros[:42] + "B",
		"agora_pat_257_" + zeros} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if token, ok := ParseToken(s); ok && token.String() != s {
			t.Errorf("ParseToken(%q).String() = %q; want one form only", s, token.String())
		}
	})
}
