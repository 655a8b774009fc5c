package text

import (
	"iter"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// person has a name and perhaps a number.
type person struct{ Name, SourceID string }

func (p person) Logins() iter.Seq[string] { return Logins(p.Name, p.SourceID) }

// first returns the first n logins of a sequence.
func first(n int, logins iter.Seq[string]) []string {
	var list []string
	for login := range logins {
		if list = append(list, login); len(list) == n {
			break
		}
	}
	return list
}

func TestLoginsInOrder(t *testing.T) {
	long := strings.Repeat("a", 40)
	tests := []struct {
		name string
		p    person
		want string // the first three
	}{
		{"plain", person{Name: "Bob"}, "Bob Bob-cd9fb1e1 Bob-cd9fb1e148cc"},
		{"with a number", person{Name: "Bob", SourceID: "42"}, "Bob Bob-42 Bob-cd9fb1e1"},
		{"reserved", person{Name: "System", SourceID: "42"}, "System-42 System-6725e7bb System-6725e7bbcd28"},
		{"joiners at the ends", person{Name: "__k-1_", SourceID: "7"}, "k-1 k-1-7 k-1-9534545e"},
		{"joiners at the ends, one letter left", person{Name: "k__", SourceID: "7"}, "k-7 k-8cbb26b2 k-8cbb26b29279"},
		{
			"spaces and signs",
			person{Name: "Ann O'Hara (she)", SourceID: "7"},
			"AnnOHarashe AnnOHarashe-7 AnnOHarashe-8dda44cc",
		},
		{"reserved without its signs", person{Name: "*admin*", SourceID: "7"}, "user-7 user-3bc6b999 user-3bc6b9999f60"},
		{"letters of two scripts", person{Name: "bob明жd", SourceID: "7"}, "bobd bobd-7 bobd-578654a0"},
		{"Chinese", person{Name: "小明", SourceID: "7"}, "小明 小明-7 小明-3745423962"},
		{"Hebrew", person{Name: "שלום"}, "שלום שלום-3081503640 שלום-201949422612340"},
		{"Arabic with its digits", person{Name: "سلام١", SourceID: "7"}, "سلام١ user-18f9b9ba user-18f9b9ba2096"},
		{"full width", person{Name: "Ｂｏｂ！", SourceID: "7"}, "Bob Bob-7 Bob-d8214c28"},
		{"emoji", person{Name: "😀", SourceID: "7"}, "user-7 user-f0443a34 user-f0443a342c5e"},
		{"empty", person{}, "user-e3b0c442 user-e3b0c44298fc user-e3b0c44298fc1c14"},
		{
			"long",
			person{Name: long, SourceID: "1234567"},
			long[:31] + " " + long[:24] + "-1234567 " + long[:23] + "-e33cdf9c",
		},
		{
			"long, cut after a joiner",
			person{Name: "a" + strings.Repeat("_", 25) + "bcdefg", SourceID: "1234567"},
			"a" + strings.Repeat("_", 25) + "bcdefg a-1234567 a-a9e528b2",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(first(3, tt.p.Logins()), " "); got != tt.want {
				t.Errorf("Logins of %+v begin %q; want %q", tt.p, got, tt.want)
			}
		})
	}
}

func anyPerson() *rapid.Generator[person] {
	name := rapid.OneOf(
		rapid.String(),
		rapid.StringOf(rapid.SampledFrom([]rune("\r\n\x00\u0085\u202e\u200b\u200de\u0301\ufb2cﬁＡﾊﾞ😀ש١中ー_-.0aж< "))),
		rapid.StringMatching(`[\pL\pM\pN_.-]{0,40}`),
		rapid.StringMatching(`[a-zA-Z0-9_.-]{1,40}`),
	)
	return rapid.Custom(func(t *rapid.T) person {
		return person{
			Name:     name.Draw(t, "name"),
			SourceID: rapid.OneOf(rapid.Just(""), rapid.StringMatching(`[1-9][0-9]{0,35}`)).Draw(t, "source id"),
		}
	})
}

// many is enough for all lengths of the hash, twice.
const many = 2 + 2*(maxHash-minHash+4)/4

func TestLoginsAreValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPerson().Draw(t, "person")
		logins := first(many, p.Logins())
		if again := first(many, p.Logins()); !slices.Equal(logins, again) {
			t.Fatalf("Logins of %+q = %q, then %q; want the same", p.Name, logins, again)
		}
		seen := map[string]bool{}
		for _, login := range logins {
			got, fold, err := Login(nil, login)
			if err != nil || got != login {
				t.Fatalf("Logins of %+q have %+q, which Login makes %q, %v", p.Name, login, got, err)
			}
			if seen[fold] {
				t.Fatalf("Logins of %+q have %q twice: %q", p.Name, login, logins)
			}
			seen[fold] = true
		}
		if login, _, err := Login(nil, p.Name); err == nil && logins[0] != login {
			t.Fatalf("Logins of %+q begin with %q; want the name", p.Name, logins[0])
		}
	})
}

func TestLoginsOfDifferentNamesDiffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := anyPerson().Draw(t, "a")
		b := person{Name: strings.ToUpper(a.Name)} // folds like a, if it is a valid login
		if b.Name == a.Name {
			b.Name += "."
		}
		a.SourceID = ""
		of := map[string]bool{}
		for _, login := range first(many, a.Logins())[1:] {
			fold, _ := FoldLogin(login)
			of[fold] = true
		}
		for _, login := range first(many, b.Logins())[1:] {
			if fold, _ := FoldLogin(login); of[fold] {
				t.Fatalf("%+q and %+q both get %q", a.Name, b.Name, login)
			}
		}
	})
}
