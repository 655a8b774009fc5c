package auth

import (
	"errors"
	"strings"
	"testing"

	"agora/internal/forum"
)

// varied returns n code points in NFC, all s except the first.
func varied(s string, n int) string { return "n" + strings.Repeat(s, n-1) }

func TestGuessablePasswords(t *testing.T) {
	for _, password := range []string{
		"password", "PASSWORD", "Password1", "p@ssw0rd", "P@$$w0rd!", "passw0rd2024", "password 123", "ｐａｓｓｗｏｒｄ", "12345678",
		"87654321", "1234567890",
		"78901234", "11111111", "        ", "abababab", "12341234", "abcdefgh", "hgfedcba", "qwertyuiop", "QWERTYUI",
		"asdfghjk", "1qaz2wsx", "iloveyou", "monkey12",
		"!!dragon!!", "Liverpool1", "Trustno1", "letmein!", "woaini1314", "the agora", "TheAgora2026", "Th3 4gora!",
		"aaaaaaaaaaaaaaaaaaaaaaaa", "йцукенгш",
	} {
		err := CheckPassword(forum.Path("password"), password, "penelope", "penny@example.org", "The Agora")
		var f *forum.Error
		if !errors.As(err, &f) || f.Code != forum.CodeInvalid || len(f.Path) != 1 ||
			password != "password" && strings.Contains(f.Message, password) {
			t.Errorf("CheckPassword(%q) = %v; want INVALID at the field, without the password", password, err)
		}
	}
	for _, password := range []string{
		"a good password", "another password", "correct horse", "dragons eat cheese", "agora of athens", "passwords are hard",
		"12345679", "20190817", "abcdefgi", "tr0ub4dor&3",
	} {
		if err := CheckPassword(nil, password, "penelope", "penny@example.org", "The Agora"); err != nil {
			t.Errorf("CheckPassword(%q) = %v; want nil", password, err)
		}
	}
}

func TestCheckPassword(t *testing.T) {
	tests := []struct {
		name     string
		password string
		want     forum.Code
	}{
		{"plain", "correct horse", ""},
		{"shortest", "12345679", ""},
		{"shorter", "1234567", forum.CodeTooShort},
		{"eight code points in NFC", "n" + strings.Repeat("e\u0301", 7), ""},
		{"seven code points in NFC", strings.Repeat("e\u0301", 7), forum.CodeTooShort},
		{"longest", varied("密", forum.MaxPassword), ""},
		{"longer", strings.Repeat("密", forum.MaxPassword+1), forum.CodeTooLong},
		{"longest, decomposed", varied("\u03b1\u0313\u0300\u0345", forum.MaxPassword), ""},
		{"megabyte", strings.Repeat("x", 1<<20), forum.CodeTooLong},
		{"empty", "", forum.CodeTooShort},
		{"Chinese", "正确的马电池订书钉", ""},
		{"emoji", "🐴🔋🔋🔋🔋🔋🔋📎", ""},
		{"spaces", "a b c d e", ""},
		{"tab", "correct\thorse", forum.CodeInvalid},
		{"line feed", "correct horse\n", forum.CodeInvalid},
		{"NUL", "correct\x00horse", forum.CodeInvalid},
		{"zero width", "correct\u200bhorse", forum.CodeInvalid},
		{"ill-formed", "correct\xffhorse", forum.CodeInvalid},
		{"login", "penelope", forum.CodeInvalid},
		{"login in capitals", "PENELOPE", forum.CodeInvalid},
		{"login in full width", "ｐｅｎｅｌｏｐｅ", forum.CodeInvalid},
		{"more than the login", "penelope!", ""},
		{"e-mail address", "penny@example.org", forum.CodeInvalid},
		{"e-mail address in capitals", "Penny@Example.ORG", forum.CodeInvalid},
		{"another e-mail address", "penny@example.com", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := CheckPassword(forum.Path("password"), tt.password, "penelope", "penny@example.org", "The Agora")
			if forum.CodeOf(err) != tt.want {
				t.Errorf("CheckPassword(%.40q) = %v; want code %q", tt.password, err, tt.want)
			}
		})
	}
}

func TestAcceptedPasswordsCanBeHashed(t *testing.T) {
	h := NewHasher(1, Cheap())
	for _, password := range []string{"correct horse", varied("𝔸", forum.MaxPassword),
		varied("e\u0301", forum.MaxPassword)} {
		if err := CheckPassword(nil, password, "", "", ""); err != nil {
			t.Errorf("CheckPassword(%.20q) = %v; want no error", password, err)
		}
		if _, err := h.Hash(t.Context(), password); err != nil {
			t.Errorf("Hash(%.20q) = %v; want no error", password, err)
		}
	}
}
