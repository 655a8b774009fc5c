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
		{"bill", "bili", true},
		{"Bill", "b1|l", true},
		{"modone", "modonė", true},
		{"modone", "moɗone", true},
		{"modone", "modone\u0331", true},
		{"modone", "mod.one", true},
		{"root1", "r\u0334oot1", true},
		{"root1", "root1\u20dd", true},
		{"root1", "ʀᴏᴏᴛ1", true},
		{"root1", "🅡🅞🅞🆃1", true},
		{"root1", "гооТ1", true},
		{"root1", "root2", false},
		{"wanda", "vvanda", true},
		{"josé", "jose", true},
		{"борис", "БОРИС", true},
		{"Νίκη", "Nikn", true},
		{"राम", "रिम", false},
		{"バナナ", "ハナナ", false},
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
		"ADMlN": true, "adm1n": true, "admin1": true, "ádmin": true, "admîn": true, "adm|n": true, "MODERAT0R": true,
		"moderator-1": true, "admin-1": true, "agora-staff": true, "mod.one": true, "admin-6b0823": true, "2mods": true,
		"Bob2Moderator": true, "adm1n1": true, "ᴀᴅᴍɪɴ": true, "🅰🅳🅼🅸🅽": true, "🇦🇩🇲🇮🇳": true, "a.d.m.i.n.7": true,
		"аdмin": true, "модератоr": false, "s\u0336t\u0336a\u0336f\u0336f\u0336": true, "Bob (sтаff)": true, "Адмін": false,
		"StaffBob": true, "BobAdmin": true, "rnoderator": true, "M\u200bod": true, "admin\u200e": true, "ADMIN\u20e3": true,
		"ɑdmin": true, "Ꭺdmin": true, "aԁmın": true, "5upport": false, "Ali": false, "Lisa": false, "a11": true, "Mall": false,
		"modone": false, "Modesty": false, "Commodore": false, "Comod Bay": false, "Bill": false, "Adm Inness": false,
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

// A login that passes for an office is refused, and none is made up.
func TestLoginsWithOffices(t *testing.T) {
	for _, s := range []string{"moderator-1", "admin-1", "agora-staff", "mod.one", "adm1n", "ADMlN", "admin2", "x_mods", "admîn",
		"5taff.staff", "support24"} {
		if login, _, err := Login(path, s); forum.CodeOf(err) != forum.CodeInvalid {
			t.Errorf("Login(%s) = %q, %v; want code INVALID", s, login, err)
		}
		for n, login := range first(many, Logins(s, "6b0823")) {
			if LooksReserved(login) {
				t.Errorf("login %d made of %s is %s, which passes for an office", n, s, login)
			}
		}
	}
	for _, s := range []string{"Ali", "Lisa", "mall", "modone", "commodore", "staffan", "root1"} {
		if _, _, err := Login(path, s); err != nil {
			t.Errorf("Login(%s) = %v; want nil", s, err)
		}
	}
}

// Parts of a name between joiners and digits may be the login of staff, but the words of an ordinary name are not.
func TestPartsOfNames(t *testing.T) {
	for _, tt := range []struct {
		name, login string
		want        bool
	}{
		{"modone", "modone", true}, {"modone-x", "modone", true}, {"x_m0done", "modone", true}, {"modone2", "modone", true},
		{"modone-6ed6a1", "modone", true}, {"root1-0498cb", "root1", true}, {"the.root1", "root1", true}, {"R.O-OT-1-x", "root1", true}, {"mod one", "modone", true},
		{"Bob Smith", "bob", false}, {"bobby", "bob", false}, {"modonex", "modone", false}, {"Anne Lee", "lee", false},
		{"Bob (m.odone)", "modone", true},
	} {
		of := Looks(tt.login)
		got := slices.ContainsFunc(PartLooks(tt.name), func(l string) bool { return slices.Contains(of, l) })
		if got != tt.want {
			t.Errorf("PartLooks(%s) = %q, with one of %s: %t; want %t", tt.name, PartLooks(tt.name), tt.login, got, tt.want)
		}
	}
}
