package demo

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// writer composes comments.
type writer struct {
	b *builder
	// used counts the texts so far.
	used map[string]int
	// decks are the texts of a language, by the address of the list.
	decks map[*string]*deck
}

func newWriter(b *builder) *writer {
	return &writer{b: b, used: map[string]int{}, decks: map[*string]*deck{}}
}

// from deals from a list shared by all topics of a language or subject.
func (w *writer) from(list []string) string {
	if len(list) == 0 {
		return ""
	}
	d := w.decks[&list[0]]
	if d == nil {
		d = w.b.deck(list)
		w.decks[&list[0]] = d
	}
	return w.b.deal(d)
}

// text returns the comment's text, a new one if possible.
func (w *writer) text(th *thread, c Comment) string {
	names := w.names(th, c)
	var text string
	for range tries {
		if c.Parent < 0 {
			text = w.reply(th)
		} else {
			text = w.answer(th)
		}
		text = w.b.fill(text, names)
		if w.used[text] == 0 {
			break
		}
	}
	w.used[text]++
	return text
}

// names returns the placeholders that depend on the comment's position.
func (w *writer) names(th *thread, c Comment) map[string]string {
	data := &w.b.data
	author := "@" + data.Users[data.Topics[th.topic].Author].Login
	names := map[string]string{"about": th.about, "author": author, "parent": author}
	if c.Parent >= 0 {
		parent := "@" + data.Users[data.Comments[c.Parent].Author].Login
		names["parent"] = parent
		if c.Author == data.Topics[th.topic].Author {
			names["author"] = parent // users do not address themselves
		}
	}
	for user := c.Author; user == c.Author; {
		user = w.b.speaker(th.talk.tongue.code)
		names["user"] = "@" + data.Users[user].Login
	}
	return names
}

// reply returns a reply to the topic.
func (w *writer) reply(th *thread) string {
	b, k := w.b, th.talk
	if th.ownLeft > 0 && (th.size > 0 || b.chance(0.85)) {
		th.ownLeft--
		p := 0.15
		if th.size > 0 {
			p = 0 // these are complete
		}
		return w.end(k, b.deal(th.own), p)
	}
	switch f := b.rng.Float64(); {
	case f < 0.12:
		return w.from(k.tongue.shorts)
	case f < 0.22:
		return k.join(w.from(k.tongue.asks), unaddressed(b.deal(th.questions)))
	case f < 0.32:
		return b.deal(th.points) + "\n\n" + b.deal(th.questions)
	case f < 0.41 && len(k.snippets) > 0:
		return w.from(k.tongue.shows) + "\n\n" + w.from(k.snippets)
	case f < 0.49 && len(k.points) > 12:
		return k.join(w.from(k.tongue.openers), "\n\n- "+b.deal(th.points)+"\n- "+b.deal(th.points))
	case f < 0.60:
		return w.end(k, b.deal(th.points), 0.6)
	default:
		return w.end(k, k.join(w.from(k.tongue.openers), b.deal(th.points)), 0.3)
	}
}

// answer returns a reply to a comment.
func (w *writer) answer(th *thread) string {
	b, k := w.b, th.talk
	switch f := b.rng.Float64(); {
	case f < 0.42:
		return w.end(k, w.from(k.tongue.answers), 0)
	case f < 0.60:
		return k.join(w.from(k.tongue.asks), unaddressed(b.deal(th.questions)))
	case f < 0.68 && len(k.snippets) > 0:
		return w.from(k.tongue.shows) + "\n\n" + w.from(k.snippets)
	default:
		return w.end(k, k.join(w.from(k.tongue.reactions), b.deal(th.points)), 0.2)
	}
}

// unaddressed removes the addressee from a question, because the text that introduces it usually
// names one.
func unaddressed(question string) string {
	question = strings.ReplaceAll(question, ", {parent}", "")
	question = strings.TrimPrefix(question, "{parent} ")
	first, size := utf8.DecodeRuneInString(question)
	return string(unicode.ToUpper(first)) + question[size:]
}

// end adds a closer with probability p, and sometimes an emoji.
func (w *writer) end(k *talk, text string, p float64) string {
	if w.b.chance(p) {
		text = k.join(text, w.from(k.tongue.closers))
	}
	if w.b.chance(0.09) && !inBlock(text) {
		text += " " + w.from(w.b.texts.emoji)
	}
	return text
}

// join joins two sentences.
func (k *talk) join(first, second string) string {
	switch {
	case first == "" || second == "":
		return first + second
	case strings.HasPrefix(second, "\n") || strings.HasSuffix(first, "\n"):
		return first + second
	case inBlock(first):
		return first + "\n\n" + second
	}
	return first + k.tongue.gap + second
}

// inBlock reports whether the text ends in a block that a sentence cannot continue: code, a table
// or a list.
func inBlock(text string) bool {
	line := text[strings.LastIndexByte(text, '\n')+1:]
	return strings.HasSuffix(text, "~~~") || strings.HasSuffix(text, "```") ||
		strings.HasPrefix(line, "|") || strings.HasPrefix(line, "- ")
}
