package demo

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// talk is the texts on a subject in one language.
type talk struct {
	tongue *tongue
	// most is the number of comments after which a topic would repeat itself.
	most int
	// points are independent statements; questions are addressed to the author of the parent.
	points, questions []string
	// snippets are blocks of code, lists and tables.
	snippets []string
}

// tongue is the texts in one language that fit any subject. In all texts {about}, {parent},
// {author}, {user} and the names of words are filled in.
type tongue struct {
	// code is "" for English.
	code string
	// gap separates sentences.
	gap string
	// openers introduce a point on the topic; closers end a comment.
	openers, closers []string
	// shorts are whole replies to a topic, answers to a comment.
	shorts, answers []string
	// asks introduce a question, shows a snippet.
	asks, shows []string
	// reactions introduce a point in reply to a comment.
	reactions []string
}

// deck deals texts in random order, and reshuffles when all are dealt.
type deck struct {
	texts []string
	next  int
}

func (b *builder) deck(texts []string) *deck {
	d := &deck{texts: append([]string(nil), texts...)}
	b.shuffle(d)
	return d
}

func (b *builder) shuffle(d *deck) {
	d.next = 0
	b.rng.Shuffle(len(d.texts), func(i, j int) { d.texts[i], d.texts[j] = d.texts[j], d.texts[i] })
}

// deal returns the next text, "" from an empty deck.
func (b *builder) deal(d *deck) string {
	if len(d.texts) == 0 {
		return ""
	}
	if d.next == len(d.texts) {
		b.shuffle(d)
	}
	d.next++
	return d.texts[d.next-1]
}

// fill replaces each {name} in names or words of the file. Other braces, such as those of code, remain.
func (b *builder) fill(text string, names map[string]string) string {
	var out strings.Builder
	var taken []string
	for {
		open := strings.IndexByte(text, '{')
		if open < 0 {
			break
		}
		out.WriteString(text[:open])
		text = text[open:]
		end := strings.IndexByte(text, '}')
		if end < 0 {
			break
		}
		name := text[1:end]
		if value, ok := names[name]; ok {
			out.WriteString(begin(out.String(), value))
		} else if choice, ok := b.texts.words[name]; ok {
			out.WriteString(begin(out.String(), b.fill(b.other(choice, &taken), names)))
		} else {
			out.WriteByte('{')
			end = 0
		}
		text = text[end+1:]
	}
	out.WriteString(text)
	return out.String()
}

// other returns a choice that is not taken yet, and takes it, so that a text does not name the same
// city twice.
func (b *builder) other(choices []string, taken *[]string) string {
	choice := pick(b, choices)
	for range tries {
		if !slices.Contains(*taken, choice) {
			break
		}
		choice = pick(b, choices)
	}
	*taken = append(*taken, choice)
	return choice
}

// begin capitalizes the word if it begins a sentence.
func begin(before, word string) string {
	before = strings.TrimRight(before, "*")
	starts := before == "" || strings.HasSuffix(before, "\n") || strings.HasSuffix(before, "\n- ")
	for _, stop := range []string{". ", "! ", "? "} {
		starts = starts || strings.HasSuffix(before, stop)
	}
	if !starts || word == "" {
		return word
	}
	first, size := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(first)) + word[size:]
}
