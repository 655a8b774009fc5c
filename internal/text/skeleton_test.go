package text

import (
	"slices"
	"testing"

	"agora/internal/forum"
)

func TestLookAlikeLoginsAreRefused(t *testing.T) {
	for _, s := range []string{"ꓮꓓꓟꓲꓠ", "ꓮꓡꓲꓚꓰ", "ɑlice", "ɑdmin", "admın", "ᏚᎽᏚᎢᎬᎷ", "аdmіn", "r00t", "M0D"} {
		if login, _, err := Login(path, s); forum.CodeOf(err) != forum.CodeInvalid {
			t.Errorf("Login(%s) = %q, %v; want code INVALID", s, login, err)
		}
	}
	for _, s := range []string{"alice", "ALICE", "alıce", "aIice", "Борис", "小明", "さくら", "김철수", "Νίκος", "שלום", "سلام١",
		"ประเทศ", "Đặng", "ısmail"} {
		if _, _, err := Login(path, s); err != nil {
			t.Errorf("Login(%s) = %v; want nil", s, err)
		}
	}
}

func TestLooks(t *testing.T) {
	tests := []struct {
		a, b string
		same bool
	}{
		{"alice", "alıce", true},
		{"alice", "aIice", true},
		{"ALICE", "aIice", true},
		{"alice", "ALICE", true},
		{"bob", "b0b", true},
		{"user1", "userl", true},
		{"modem", "modern", true},
		{"scope", "ѕсоре", true},
		{"bill", "bili", false},
		{"anna", "ana", false},
		{"user1", "user2", false},
		{"小明", "小月", false},
	}
	for _, tt := range tests {
		a, b := Looks(tt.a), Looks(tt.b)
		same := slices.ContainsFunc(a, func(l string) bool { return slices.Contains(b, l) })
		if same != tt.same {
			t.Errorf("Looks(%s) = %q, Looks(%s) = %q; want one in common: %t", tt.a, a, tt.b, b, tt.same)
		}
	}
}

func TestNamesThatLookReserved(t *testing.T) {
	for name, want := range map[string]bool{
		"Administrator": true, "Аdministrator": true, "A d m i n": true, "M0derator": true, "[system]": true,
		"ａｄｍｉｎ": true, "ⓜⓞⓓ": true, "ｒoot": true, "root1 (admin)": true, "Bob, Official": true, "Ann – 𝐌𝐨𝐝": true,
		"Ghost Rider": false, "Beet Root": false, "Modern Staffel": false,
		"Alice": false, "Adminah": false, "Bob the moderator's friend": false, "管理员": false,
	} {
		if got := LooksReserved(name); got != want {
			t.Errorf("LooksReserved(%s) = %t; want %t", name, got, want)
		}
	}
}

func TestDomainsFoldToOneForm(t *testing.T) {
	want := "a@münchen.de"
	for _, s := range []string{"a@münchen.de", "A@MÜNCHEN.de", "a@xn--mnchen-3ya.de", "a@XN--MNCHEN-3YA.DE",
		"a@mu\u0308nchen.de"} {
		if got := FoldEmail(s); got != want {
			t.Errorf("FoldEmail(%s) = %s; want %s", s, got, want)
		}
	}
}
