package demo

import "agora/internal/forum"

// tutorialAuthor is the author of the tutorials' topic. The login hashes to the partition of
// TutorialNumber, 131,853 modulo 256: 13.
const tutorialAuthor = "lettertree"

// member is a user without times.
type member struct {
	login, name string
	// mail is the local part of the address, for non-ASCII logins.
	mail string
	// tongue is the user's language in addition to English: zh, ja, ru, ar or he.
	tongue string
	role   forum.Role
}

var members = []member{
	{login: "demo", name: "Demo"},
	{login: "mara.lindqvist", name: "Mara Lindqvist", role: forum.RoleModerator},
	{login: "otto-k", name: "Otto Kramer", role: forum.RoleAdmin},
	{login: tutorialAuthor, name: "Hanna Lettertree"},
	{login: "chenxi", name: "Chen Xi", tongue: "zh"},
	{login: "晨光", name: "晨光", mail: "chenguang", tongue: "zh"},
	{login: "山里的猫", name: "山里的猫", mail: "shanlidemao", tongue: "zh"},
	{login: "豆浆油条", name: "豆浆油条", mail: "doujiang", tongue: "zh"},
	{login: "xiaolu_88", name: "小鹿", tongue: "zh"},
	{login: "wang-yi", name: "王一", tongue: "zh"},
	{login: "夜航船", name: "夜航船", mail: "yehangchuan", tongue: "zh"},
	{login: "linmu", name: "林木", tongue: "zh"},
	{login: "さくら", name: "さくら", mail: "sakura", tongue: "ja"},
	{login: "kenji_t", name: "高橋ケンジ", tongue: "ja"},
	{login: "みどり", name: "みどり", mail: "midori", tongue: "ja"},
	{login: "yuki.dev", name: "ユキ", tongue: "ja"},
	{login: "наташа", name: "Наташа", mail: "natasha", tongue: "ru"},
	{login: "северный_ветер", name: "Северный ветер", mail: "severny", tongue: "ru"},
	{login: "dmitri.v", name: "Дмитрий В.", tongue: "ru"},
	{login: "gleb", name: "Глеб", tongue: "ru"},
	{login: "layla_h", name: "ليلى", tongue: "ar"},
	{login: "samir", name: "سمير", tongue: "ar"},
	{login: "نور", name: "نور", mail: "nour", tongue: "ar"},
	{login: "noa.b", name: "נועה", tongue: "he"},
	{login: "eitan", name: "איתן", tongue: "he"},
	{login: "tomasz.w", name: "Tomasz Wilk"},
	{login: "ines_r", name: "Inês Ramos"},
	{login: "bjorn77", name: "Björn Åkesson"},
	{login: "priya-n", name: "Priya Nair"},
	{login: "kofi.a", name: "Kofi Asante"},
	{login: "quietstack", name: "Quiet Stack"},
	{login: "marguerite", name: "Marguerite Blanc"},
	{login: "halfduplex", name: "Half Duplex"},
	{login: "joonas", name: "Joonas Mäki"},
	{login: "teapot418", name: "Teapot"},
	{login: "rosalind.p", name: "Rosalind Park"},
	{login: "zigzag", name: "Zig Zag"},
	{login: "owl_at_night", name: "Owl at Night 🦉"},
	{login: "pavel.h", name: "Pavel Horák"},
	{login: "saltandyeast", name: "Salt & Yeast"},
	{login: "fernanda", name: "Fernanda Ruiz"},
	{login: "nullisland", name: "Null Island"},
	{login: "emre-d", name: "Emre Demir"},
	{login: "cassia", name: "Cassia Moreau"},
	{login: "tidewater", name: "Tidewater"},
	{login: "brick_by_brick", name: "Brick by Brick"},
	{login: "oskar", name: "Oskar Lund"},
	{login: "violetta", name: "Violetta Conti"},
	{login: "greenkettle", name: "Green Kettle"},
	{login: "sunita", name: "Sunita Rao"},
}

func (b *builder) addUsers() {
	for i, m := range members {
		mail := m.mail
		if mail == "" {
			mail = m.login
		}
		role := m.role
		if role == "" {
			role = forum.RoleUser
		}
		// All joined before the first topic, in the order of the list but for some days.
		joined := 700 - 12*float64(i) + 6*b.rng.Float64()
		b.data.Users = append(b.data.Users, User{
			Login: m.login, Name: m.name, Email: mail + "@example.com",
			CreatedAt: b.ago(joined), Role: role,
		})
	}
}

// speaker returns a user who writes the tongue; anybody writes English, "".
// The tutorials' author is left out: that user's first topic has to be the
// tutorials' one.
func (b *builder) speaker(tongue string) int {
	for {
		i := b.rng.IntN(len(members))
		if r := b.rng.IntN(len(members)); r < i && b.chance(0.6) {
			i = r // some write more than others
		}
		m := members[i]
		if m.login != tutorialAuthor && (tongue == "" || m.tongue == tongue) {
			return i
		}
	}
}
