package auth

import (
	"strings"
	"testing"

	"agora/internal/forum"
)

func TestCheckPassword(t *testing.T) {
	tests := []struct {
		name     string
		password string
		want     forum.Code
	}{
		{"plain", "correct horse", ""},
		{"shortest", "12345678", ""},
		{"shorter", "1234567", forum.CodeTooShort},
		{"eight code points in NFC", strings.Repeat("e\u0301", 8), ""},
		{"seven code points in NFC", strings.Repeat("e\u0301", 7), forum.CodeTooShort},
		{"longest", strings.Repeat("密", forum.MaxPassword), ""},
		{"longer", strings.Repeat("密", forum.MaxPassword+1), forum.CodeTooLong},
		{"longest, decomposed", strings.Repeat("\u03b1\u0313\u0300\u0345", forum.MaxPassword), ""},
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
			err := CheckPassword(forum.Input("password"), tt.password, "penelope", "penny@example.org")
			if forum.CodeOf(err) != tt.want {
				t.Errorf("CheckPassword(%.40q) = %v; want code %q", tt.password, err, tt.want)
			}
		})
	}
}

func TestWhatIsCheckedCanBeHashed(t *testing.T) {
	h := NewHasher(1, Cheap())
	for _, password := range []string{"correct horse", strings.Repeat("𝔸", forum.MaxPassword), strings.Repeat("e\u0301", forum.MaxPassword)} {
		if err := CheckPassword(nil, password, "", ""); err != nil {
			t.Errorf("CheckPassword(%.20q) = %v; want no error", password, err)
		}
		if _, err := h.Hash(t.Context(), password); err != nil {
			t.Errorf("Hash(%.20q) = %v; want no error", password, err)
		}
	}
}
