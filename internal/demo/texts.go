package demo

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"agora/internal/forum"
)

// file has the texts, one record in a line.
//
//go:embed texts.jsonl
var file string

// texts are what the demo data are made of, in the order of the file.
type texts struct {
	members    []member
	categories []Category
	topics     []seed
	tabs       []Tab
	tags       []tag
	statuses   []status
	// lists are the names of members' lists.
	lists []string
	// words are the alternatives for a {name} in a text.
	words map[string][]string
	// emoji sometimes end a comment. Some are sequences of several code points.
	emoji []string

	tongues map[string]*tongue
	talks   map[string]*talk
}

// readTexts returns the texts of the file, which it reads once. It panics if the file is not valid, because the file is
// part of the program.
var readTexts = sync.OnceValue(func() *texts {
	x, err := parse(file)
	if err != nil {
		panic(fmt.Sprintf("texts.jsonl: %v", err))
	}
	return x
})

// record is a line of the file. Kind says what it is, and which of the other fields it has.
type record struct {
	Kind string
	// Name is the name of all but members and topics; others refer to it.
	Name string
	// Text is the content of a topic or status, the description of a category, or the only text.
	Text string
	// Tongue and Talk name earlier records; the talk of a topic is that of its category by default. Language is a code:
	// zh, ja, ru, ar or he.
	Tongue, Talk, Language string
	// Gap separates sentences of a tongue; Most is the most comments of a talk.
	Gap  string
	Most int

	Login, Mail string
	Role        forum.Role

	Title, About, Link string
	Category           string
	Format             forum.ContentFormat
	Size               int
	Number             int64
	// Says are replies that only fit the topic.
	Says []string

	// Categories are those of a tab, Tags those of a status, Choices the alternatives for a word or the words that
	// imply a tag.
	Categories, Tags, Choices []string
	// Followed marks a tag that members follow.
	Followed bool
}

// parse reads the texts from a file. A tongue and a talk consist of the texts in the lines after theirs.
func parse(file string) (*texts, error) {
	x := &texts{words: map[string][]string{}, tongues: map[string]*tongue{}, talks: map[string]*talk{}}
	lists := map[string]*[]string{"emoji": &x.emoji}
	d := json.NewDecoder(strings.NewReader(file))
	d.DisallowUnknownFields()
	for n := 1; d.More(); n++ {
		var r record
		if err := d.Decode(&r); err != nil {
			return nil, fmt.Errorf("record %d: %w", n, err)
		}
		if list := lists[r.Kind]; list != nil {
			*list = append(*list, r.Text)
		} else if err := x.add(r, lists); err != nil {
			return nil, fmt.Errorf("record %d: %w", n, err)
		}
	}
	return x, nil
}

// add adds a record. A tongue or a talk makes its lists those to which the next texts are added.
func (x *texts) add(r record, lists map[string]*[]string) error {
	switch r.Kind {
	case "member":
		x.members = append(x.members, member{r.Login, r.Name, r.Mail, r.Language, cmp.Or(r.Role, forum.RoleUser)})
	case "tongue":
		t := &tongue{code: r.Language, gap: r.Gap}
		x.tongues[r.Name] = t
		lists["opener"], lists["closer"], lists["short"], lists["answer"] = &t.openers, &t.closers, &t.shorts, &t.answers
		lists["ask"], lists["show"], lists["reaction"] = &t.asks, &t.shows, &t.reactions
	case "talk":
		k := &talk{tongue: x.tongues[r.Tongue], most: r.Most}
		if k.tongue == nil {
			return fmt.Errorf("no tongue %q", r.Tongue)
		}
		x.talks[r.Name] = k
		lists["point"], lists["question"], lists["snippet"] = &k.points, &k.questions, &k.snippets
	case "category":
		x.categories = append(x.categories, Category{r.Name, r.Text})
	case "topic":
		return x.addTopic(r)
	case "tab":
		return x.addTab(r)
	case "word":
		x.words[r.Name] = r.Choices
	case "tag":
		x.tags = append(x.tags, tag{r.Name, r.Choices, r.Followed})
	case "status":
		x.statuses = append(x.statuses, status{r.Language, r.Text, r.Tags})
	case "list":
		x.lists = append(x.lists, r.Name)
	default:
		return fmt.Errorf("no kind %q here", r.Kind)
	}
	return nil
}

func (x *texts) addTopic(r record) error {
	s := seed{title: r.Title, about: r.About, body: r.Text, says: r.Says, talk: x.talks[cmp.Or(r.Talk, r.Category)], category: none,
		size: r.Size, format: cmp.Or(r.Format, forum.Markdown), link: r.Link, number: r.Number}
	if s.talk == nil {
		return fmt.Errorf("no talk %q", cmp.Or(r.Talk, r.Category))
	}
	if r.Category != "" {
		var err error
		if s.category, err = x.category(r.Category); err != nil {
			return err
		}
	}
	x.topics = append(x.topics, s)
	return nil
}

func (x *texts) addTab(r record) error {
	t := Tab{Name: r.Name}
	for _, name := range r.Categories {
		c, err := x.category(name)
		if err != nil {
			return err
		}
		t.Categories = append(t.Categories, c)
	}
	x.tabs = append(x.tabs, t)
	return nil
}

// category returns the index of a category.
func (x *texts) category(name string) (int, error) {
	i := slices.IndexFunc(x.categories, func(c Category) bool { return c.Name == name })
	if i < 0 {
		return 0, fmt.Errorf("no category %q", name)
	}
	return i, nil
}
