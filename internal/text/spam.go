package text

import (
	"iter"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"agora/internal/forum"
)

// Content is what rules about spam look at in a text.
type Content struct {
	// Plain is the text without markup.
	Plain string
	// Hosts are those of the links and pictures that lead to other sites, one for each.
	Hosts []string
}

// ContentOf returns what rules about spam look at in a text, as it is shown.
func ContentOf(content string, format forum.ContentFormat) Content {
	z := html.NewTokenizer(strings.NewReader(HTML(content, format, nil)))
	var c Content
	var b strings.Builder
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		t := z.Token()
		if kind == html.TextToken {
			b.WriteString(t.Data)
			continue
		}
		if !inline[t.Data] {
			b.WriteByte(' ')
		}
		if kind == html.EndTagToken {
			continue
		}
		for _, a := range t.Attr {
			if a.Key == "href" || a.Key == "src" {
				if host := Host(a.Val); host != "" {
					c.Hosts = append(c.Hosts, host)
				}
			}
		}
	}
	c.Plain = b.String()
	return c
}

// Host returns the host to which a link leads in browsers, in the form in which blocked domains are compared; "" for a
// link to the same site, and for what leads nowhere.
func Host(address string) string {
	a, ok := parseAddress(address)
	if s := strings.ReplaceAll(trimmed(address), `\`, "/"); !ok && strings.HasPrefix(s, "//") {
		a, _ = parseAddress("https:" + s)
	}
	return strings.TrimRight(a.host, ".")
}

// Domain returns the form in which domains are compared: ASCII, in lower case; "" for what is none.
func Domain(name string) string {
	host, _ := parseHost(strings.Trim(strings.TrimSpace(name), "."))
	if strings.HasPrefix(host, "[") {
		return ""
	}
	return strings.TrimRight(host, ".")
}

// Blocklist is a set of words and domains that nobody may post. The zero value blocks nothing.
type Blocklist struct {
	tokens  map[string]string // words by what they look like
	phrases map[string]string // those of several words, and of scripts without spaces
	domains map[string]bool
}

// NewBlocklist returns the list of these words and domains.
func NewBlocklist(words, domains []string) *Blocklist {
	l := &Blocklist{tokens: map[string]string{}, phrases: map[string]string{}, domains: map[string]bool{}}
	for _, word := range words {
		form := seen(Fold(word))
		if strings.ContainsFunc(form, func(r rune) bool { return !inWord(r) || unspaced(r) }) {
			l.phrases[form] = word
		} else if form != "" {
			l.tokens[form] = word
		}
	}
	for _, domain := range domains {
		if domain != "" {
			l.domains[domain] = true
		}
	}
	return l
}

// Empty reports whether the list blocks nothing.
func (l *Blocklist) Empty() bool { return l == nil || len(l.tokens)+len(l.phrases)+len(l.domains) == 0 }

// Word returns a word of the list that a plain text has, "" for none. Case, width, invisible characters and characters
// that look like others do not matter, nor do digits and signs in the place of letters. Words count only as a whole,
// but in scripts that are written without spaces.
func (l *Blocklist) Word(plain string) string {
	if l == nil || len(l.tokens) == 0 && len(l.phrases) == 0 {
		return ""
	}
	folded := Fold(plain)
	for _, letters := range []map[rune]rune{nil, likeI, likeL} {
		form := seen(instead(folded, letters))
		for token := range strings.FieldsFuncSeq(form, func(r rune) bool { return !inWord(r) }) {
			if word, ok := l.tokens[token]; ok {
				return word
			}
		}
		for phrase, word := range l.phrases {
			if hasPhrase(form, phrase) {
				return word
			}
		}
	}
	return ""
}

// Domain returns the domain of the list that a host is, or is under; "" for none.
func (l *Blocklist) Domain(host string) string {
	if l == nil || len(l.domains) == 0 {
		return ""
	}
	for host != "" {
		if l.domains[host] {
			return host
		}
		_, host, _ = strings.Cut(host, ".")
	}
	return ""
}

// Named returns the domain of the list that a plain text names, or under which one is that it names; "" for none. The
// last parts of paths are no domains.
func (l *Blocklist) Named(plain string) string {
	if l == nil || len(l.domains) == 0 || !strings.ContainsAny(plain, ".%\u3002\uff0e\uff61\u2024\u2025\u2026") {
		return ""
	}
	plain = strings.Map(func(r rune) rune {
		switch {
		case r == '\u3002':
			return '.'
		case invisible(r):
			return -1
		}
		return r
	}, norm.NFKC.String(strings.ToValidUTF8(decoded(plain), " ")))
	for name := range names(plain) {
		if domain := l.Domain(Domain(name)); domain != "" {
			return domain
		}
		// Words may be beside it, in a script without spaces.
		for part := range strings.FieldsFuncSeq(name, unspaced) {
			if domain := l.Domain(Domain(part)); domain != "" && part != name {
				return domain
			}
		}
	}
	return ""
}

// names returns what may be domains in a text: labels with dots between them.
func names(plain string) iter.Seq[string] {
	return func(yield func(string) bool) {
		inName := func(r rune) bool { return inWord(r) || r == '.' || r == '-' || r == '_' }
		for at := 0; at < len(plain); {
			start := strings.IndexFunc(plain[at:], inName)
			if start < 0 {
				return
			}
			start += at
			end := len(plain)
			if n := strings.IndexFunc(plain[start:], func(r rune) bool { return !inName(r) }); n >= 0 {
				end = start + n
			}
			at = end
			if before := plain[:start]; strings.HasSuffix(before, "/") && !strings.HasSuffix(before, "//") {
				continue
			}
			for name := range strings.SplitSeq(plain[start:end], "..") {
				if strings.Contains(strings.Trim(name, "."), ".") && !yield(name) {
					return
				}
			}
		}
	}
}

// hasPhrase reports whether a text has a phrase, with nothing that belongs to its first or last word around it.
func hasPhrase(form, phrase string) bool {
	if phrase == "" {
		return false
	}
	first, last := []rune(phrase)[0], rune(0)
	for _, last = range phrase {
	}
	for from := 0; ; {
		at := strings.Index(form[from:], phrase)
		if at < 0 {
			return false
		}
		at += from
		var before, after rune
		for _, before = range form[:at] {
		}
		for _, r := range form[at+len(phrase):] {
			after = r
			break
		}
		if (!inWord(first) || unspaced(first) || !inWord(before)) && (!inWord(last) || unspaced(last) || !inWord(after)) {
			return true
		}
		from = at + len(string(first))
	}
}

// seen returns what a folded text looks like, with its spaces and signs.
func seen(folded string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(folded) {
		if plain, ok := confusables[r]; ok {
			b.WriteString(plain)
		} else {
			b.WriteRune(r)
		}
	}
	return norm.NFC.String(cases.Fold().String(norm.NFD.String(b.String())))
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) }

// unspaced reports whether a letter is of a script that is written without spaces between words.
func unspaced(r rune) bool {
	return r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo, unicode.Hangul, unicode.Yi,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan, unicode.Javanese, unicode.Balinese,
		unicode.New_Tai_Lue, unicode.Tai_Le, unicode.Tai_Tham, unicode.Tai_Viet)
}

// likeI and likeL are the letters that digits and signs stand for.
var likeI, likeL = likeLetters('i'), likeLetters('l')

func likeLetters(one rune) map[rune]rune {
	return map[rune]rune{'0': 'o', '1': one, '!': one, '|': one, '3': 'e', '4': 'a', '@': 'a', '5': 's', '$': 's',
		'7': 't'}
}

// instead returns a text with letters in the place of what stands for them.
func instead(folded string, letters map[rune]rune) string {
	if letters == nil {
		return folded
	}
	return strings.Map(func(r rune) rune {
		if letter, ok := letters[r]; ok {
			return letter
		}
		return r
	}, folded)
}
