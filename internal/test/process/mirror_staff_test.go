package process

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
)

func (w *mirrorRun) createCategory(mirrorMember) {
	p := w.try("createCategory", w.admin, "category { id }", input{"name": w.name("Category "), "position": rand.IntN(5)})
	if p.Category != nil {
		w.note(&w.sections, p.Category.ID)
	}
}

func (w *mirrorRun) createTab(mirrorMember) {
	p := w.try("createTab", w.admin, "tab { id }", input{"name": w.name("Tab "), "categories": []any{w.place()}})
	if p.Tab != nil {
		w.note(&w.tabs, p.Tab.ID)
	}
}

// changeSection changes or deletes a category or a tab.
func (w *mirrorRun) changeSection(by mirrorMember) {
	tab, ok := anyOf(w, &w.tabs)
	if !ok {
		w.createTab(by)
		return
	}
	switch rand.IntN(5) {
	case 0:
		w.try("updateCategory", w.admin, "", input{"category": w.place(), oneOf("name", "description"): w.name("Changed ")})
	case 1:
		w.try("deleteCategory", w.admin, "", input{"category": w.place()})
	case 2:
		w.try("deleteTab", w.admin, "", input{"tabId": tab})
	case 3:
		w.try("updateTab", w.admin, "", input{"tabId": tab, "name": w.name("Changed "), "position": rand.IntN(5)})
	default:
		w.try("updateTab", w.admin, "", input{"tabId": tab, oneOf("addCategories", "removeCategories"): []any{w.place()}})
	}
}

func (w *mirrorRun) setModerators(mirrorMember) {
	p := w.try("setCategoryModerators", w.admin, "acts { id }", input{"category": w.place(),
		oneOf("add", "remove"): []string{w.user()}})
	for _, act := range p.Acts {
		w.note(&w.acted, act.ID)
	}
}

func (w *mirrorRun) setRole(mirrorMember) {
	w.try("setUserRole", w.admin, "", input{"userId": w.user(), "role": oneOf("USER", "USER", "MODERATOR")})
}

func (w *mirrorRun) updateRules(mirrorMember) {
	in := input{"heldPosts": oneOf(0, 0, 2), "newMemberSeconds": oneOf(0, 100_000)}
	if rand.IntN(2) == 0 {
		in = input{"registration": oneOf("OPEN", "APPROVAL")}
	}
	w.try("updateRules", w.admin, "", in)
}

func (w *mirrorRun) updateBlocklist(mirrorMember) {
	w.try("updateBlocklist", w.chief, "", input{"kind": "WORD", oneOf("add", "remove"): []string{fmt.Sprint("word", rand.IntN(9))}})
}

func (w *mirrorRun) register(mirrorMember) {
	in := newcomer(w.name("newcomer"))
	in["application"] = "Please."
	p := w.try("register", mirrorMember{}, "token viewer { user { id } }", in)
	if p.Token != "" {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.members = append(w.members, mirrorMember{in["login"].(string), p.Viewer.User.ID, p.Token})
	}
}

// resolveApplication approves or rejects one of those who have applied.
func (w *mirrorRun) resolveApplication(mirrorMember) {
	a, err := w.ask(patience(), w.admin.token, `{ r: applications(first: 5) { nodes { userId } } }`, nil)
	var page struct{ Nodes []struct{ UserID string } }
	if err != nil || json.Unmarshal(a.Data.R, &page) != nil || len(page.Nodes) == 0 {
		return
	}
	id := page.Nodes[rand.IntN(len(page.Nodes))].UserID
	w.note(&w.all, id)
	w.acts("resolveApplication", w.staff(), input{"userId": id, "approve": rand.IntN(3) > 0})
}

// deleteMember deletes an account, now and then with all that was posted, and enrols another.
func (w *mirrorRun) deleteMember(by mirrorMember) {
	switch rand.IntN(3) {
	case 0:
		w.try("deleteAccount", by, "", input{"password": "a good password"})
	default:
		w.try("deleteUser", w.admin, "", input{"userId": w.user(), "content": oneOf("ERASE", "ERASE", "KEEP")})
	}
	w.register(by)
}

// account returns an account at the issuer.
func account() input {
	return input{"issuer": mirrorIssuer, "subject": fmt.Sprint("subject", rand.IntN(30))}
}

func (w *mirrorRun) upsertUser(mirrorMember) {
	in := input{"external": account(), "name": w.name("Prepared ")}
	if rand.IntN(2) == 0 {
		in["login"] = w.name("prepared")
	}
	p := w.try("upsertUser", w.admin, "user { id }", in)
	if p.User != nil {
		w.note(&w.all, p.User.ID)
	}
}

// linkAccount changes what accounts at the issuer belong to, and whether users may sign in.
func (w *mirrorRun) linkAccount(mirrorMember) {
	id := w.user()
	switch rand.IntN(4) {
	case 0:
		w.try("linkAccount", w.admin, "", input{"userId": id, "external": account(), "take": true})
	case 1:
		w.try("unlinkAccount", w.admin, "", input{"userId": id, "external": account()})
	case 2:
		w.try("releaseValues", w.admin, "", input{"userId": id, "values": []string{"NAME", "LOGIN"}})
	default:
		w.try("deactivateUser", w.admin, "", input{"userId": id, "deactivated": rand.IntN(3) == 0})
	}
}

// relate changes what only the member sees, and what notifies others.
func (w *mirrorRun) relate(by mirrorMember) {
	topic, _ := anyOf(w, &w.posts)
	switch rand.IntN(7) {
	case 0:
		w.try("follow", by, "", input{"targetId": oneOf(w.user(), w.place()["id"].(string)), "following": rand.IntN(3) > 0})
	case 1:
		w.try("block", by, "", input{"userId": w.user(), "blocked": rand.IntN(2) == 0})
	case 2:
		w.try("bookmark", by, "", input{"topicId": topic.id, "bookmarked": rand.IntN(3) > 0})
	case 3:
		w.try("watch", by, "", input{"topicId": topic.id, "watching": rand.IntN(3) > 0})
	case 4:
		w.try("markRead", by, "", oneOf(input{"allNotifications": true}, input{"topicId": topic.id}))
	case 5:
		if p := w.try("createList", by, "list { id }", input{"name": w.name("List ")}); p.List != nil {
			w.note(&w.lists, p.List.ID)
		}
	default:
		if id, ok := anyOf(w, &w.lists); ok {
			w.try("updateListMembers", by, "", input{"listId": id, oneOf("add", "remove"): []string{w.user()}})
		}
	}
}
