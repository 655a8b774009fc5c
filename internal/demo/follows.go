package demo

import "slices"

// demoUser is the index of the member as whom visitors sign in.
const demoUser = 0

// addFollows adds follows of members, categories and tags: for the demo user some of each kind, so
// that the home shows all of them.
func (b *builder) addFollows() {
	followed := slices.DeleteFunc(slices.Clone(b.texts.tags), func(t tag) bool { return !t.followed })
	for user := range b.data.Users {
		people, categories, tags := 1+b.rng.IntN(4), b.rng.IntN(5)/3, b.rng.IntN(6)/5
		if user == demoUser {
			people, categories, tags = 8, 3, 3
		}
		for _, whom := range b.company(user, people) {
			b.data.Follows = append(b.data.Follows, Follow{User: user, Whom: whom, Category: none})
		}
		for _, c := range b.rng.Perm(len(b.data.Categories))[:categories] {
			b.data.Follows = append(b.data.Follows, Follow{User: user, Whom: none, Category: c})
		}
		for _, t := range b.rng.Perm(len(followed))[:tags] {
			b.data.Follows = append(b.data.Follows, Follow{User: user, Whom: none, Category: none, Tag: followed[t].name})
		}
	}
}

// company returns n distinct members other than the user.
func (b *builder) company(user, n int) []int {
	var chosen []int
	for len(chosen) < n {
		if i := b.speaker(""); i != user && !slices.Contains(chosen, i) {
			chosen = append(chosen, i)
		}
	}
	return chosen
}

// listEvery is the number of members per list: every seventh member owns one.
const listEvery = 7

// addLists adds lists of some members.
func (b *builder) addLists() {
	for i, name := range b.texts.lists {
		owner := i * listEvery
		b.data.Lists = append(b.data.Lists, List{Owner: owner, Name: name, Members: b.company(owner, 3+b.rng.IntN(4))})
	}
}
