//go:build linux

package floods

import (
	"cmp"
	"fmt"
	"slices"
)

// scenario is one way to flood the site.
type scenario struct {
	name string
	// worst is set for those that make test runs, too.
	worst  bool
	floods func(p *pair, d *drawer) []flood
}

// scenarios are those of make floods, after which some are drawn.
var scenarios = []scenario{
	{name: "fresh documents, 200 connections", worst: true, floods: connections(200, freshDocument())},
	{name: "fresh documents, 20 connections", floods: connections(20, freshDocument())},
	{name: "fresh documents, 1 connection", floods: connections(1, freshDocument())},
	{name: "hunks of 22 texts, 200 connections", floods: func(p *pair, _ *drawer) []flood {
		return []flood{p.posts(200, hunksDocument(p.data.edited[1:]))}
	}},
	{name: "hunks of 22 texts, 2 connections", floods: func(p *pair, _ *drawer) []flood {
		return []flood{p.posts(2, hunksDocument(p.data.edited[1:]))}
	}},
	{name: "hunks of 22 texts, 30 sockets", worst: true, floods: func(p *pair, _ *drawer) []flood {
		return []flood{p.sockets(30, hunksDocument(p.data.edited[1:]))}
	}},
	{name: "contents of revisions, 100 connections", worst: true, floods: func(p *pair, _ *drawer) []flood {
		return []flood{p.posts(100, revisionsDocument(p.data.edited[0]))}
	}},
	{name: "contents of revisions, 60 sockets", floods: func(p *pair, _ *drawer) []flood {
		return []flood{p.sockets(60, revisionsDocument(p.data.edited[0]))}
	}},
	{name: "pages of 100 topics, 30 sockets", floods: func(p *pair, _ *drawer) []flood {
		return []flood{p.sockets(30, pageDocument)}
	}},
	{name: "900 misspelt names, 60 connections", floods: func(p *pair, d *drawer) []flood {
		return []flood{p.posts(60, misspeltDocuments(d)...)}
	}},
	{name: "snapshots of 40 tags, 40 connections", floods: func(p *pair, _ *drawer) []flood {
		return []flood{p.posts(40, snapshotDocuments(p.data)...)}
	}},
	{name: "day boards of 45 days, 40 connections", floods: func(p *pair, _ *drawer) []flood {
		return []flood{p.posts(40, daysDocument(p.data))}
	}},
	{name: "4,000 comments by votes, 200 connections", floods: func(p *pair, _ *drawer) []flood {
		return []flood{p.posts(200, rankedDocument(p.data))}
	}},
	{name: "long texts as HTML, 200 connections", floods: func(p *pair, _ *drawer) []flood {
		return []flood{p.posts(200, htmlDocument(p.data.long[:4]), excerptDocument(p.data.long[:20]))}
	}},
	{name: "introspection, 20 connections", floods: connections(20, introspectionDocument())},
	{name: "answers in parts, 60 connections", floods: func(p *pair, _ *drawer) []flood {
		f := p.posts(60, partsDocument)
		f.Accept = "multipart/mixed, application/json"
		return []flood{f}
	}},
	{name: "previews by 2,000 accounts, 60 connections", floods: func(p *pair, _ *drawer) []flood {
		f := p.posts(60, previewDocument())
		f.Tokens = p.data.tokens
		return []flood{f}
	}},
	{name: "fresh documents by 2,000 accounts, 200 connections", floods: func(p *pair, _ *drawer) []flood {
		f := p.posts(200, freshDocument())
		f.Tokens = p.data.tokens
		return []flood{f}
	}},
	{name: "votes and subscriptions on 30 sockets", floods: func(p *pair, _ *drawer) []flood {
		return followed(p, p.sockets(30, followDocument(p.data)))
	}},
	{name: "votes and 100 streams", floods: func(p *pair, _ *drawer) []flood {
		f := p.posts(100, followDocument(p.data))
		f.Accept = "text/event-stream"
		return followed(p, f)
	}},
	{name: "registrations and sign-ins of 50 addresses", floods: func(p *pair, _ *drawer) []flood {
		f := p.posts(200, registerDocument, loginDocument)
		f.From = p.addresses(50)
		return []flood{f}
	}},
	{name: "refused requests, 200 connections", floods: connections(200, "{ __typename }")},
	{name: "pings on 30 sockets", floods: func(p *pair, _ *drawer) []flood {
		f := p.sockets(30)
		f.How, f.Silent = byPings, true
		return []flood{f}
	}},
	{name: "slow bodies, 200 connections", floods: func(p *pair, _ *drawer) []flood {
		f := p.posts(200)
		f.How, f.Silent = byBodies, true
		return []flood{f}
	}},
}

// mostDrawn is how many scenarios are drawn, besides the last one.
const mostDrawn = 7

// drawn returns the scenarios that the seed draws: each floods with one of the costliest documents. The last one has all
// of them, and those of other scenarios, from 50 addresses.
func drawn(d *drawer, costly []costlyDocument) (all []scenario) {
	slices.SortFunc(costly, func(a, b costlyDocument) int { return cmp.Compare(a.lot, b.lot) })
	for _, c := range costly[:min(mostDrawn, len(costly))] {
		n, sockets := []int{1, 20, 200}[c.lot%3], c.lot%2 == 0
		name := fmt.Sprintf("drawn: %s, connections: %d", c.target, n)
		if sockets {
			n = min(n, 100)
			name = fmt.Sprintf("drawn: %s, sockets: %d", c.target, n)
		}
		all = append(all, scenario{name: name, floods: func(p *pair, _ *drawer) []flood {
			if sockets {
				return []flood{p.sockets(n, c.document)}
			}
			return []flood{p.posts(n, c.document)}
		}})
	}
	everything := func(p *pair, d *drawer) []flood {
		documents := append(misspeltDocuments(d), snapshotDocuments(p.data)...)
		documents = append(documents, freshDocument(), hunksDocument(p.data.edited[1:]), revisionsDocument(p.data.edited[0]),
			rankedDocument(p.data), daysDocument(p.data), htmlDocument(p.data.long[:4]))
		for _, c := range costly {
			documents = append(documents, c.document)
		}
		d.rand.Shuffle(len(documents), func(i, k int) { documents[i], documents[k] = documents[k], documents[i] })
		p1, p2 := p.posts(200, documents...), p.sockets(50, documents...)
		p1.From = p.addresses(50)
		p2.From = p1.From
		return []flood{p1, p2}
	}
	return append(all, scenario{name: "all of them, 50 addresses", floods: everything})
}

// connections is a scenario's flood of documents by requests from one address.
func connections(n int, documents ...string) func(*pair, *drawer) []flood {
	return func(p *pair, _ *drawer) []flood { return []flood{p.posts(n, documents...)} }
}

// posts floods the attacked server with documents from one address.
func (p *pair) posts(connections int, documents ...string) flood {
	return flood{Name: p.name(), Target: p.attacked.addr, How: byPosts, From: p.addresses(1), Connections: connections,
		Documents: documents, Nice: 10}
}

// sockets is posts on sockets.
func (p *pair) sockets(connections int, documents ...string) flood {
	f := p.posts(connections, documents...)
	f.How = bySockets
	return f
}

// followed adds votes of accounts to a flood of subscriptions from the same address. A vote is answered with an event.
func followed(p *pair, f flood) []flood {
	votes := p.posts(4, voteDocuments(p.data)...)
	votes.Tokens, votes.From = p.data.tokens, f.From
	return []flood{f, votes}
}
