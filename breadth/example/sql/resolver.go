package main

import (
	"context"

	"agora/breadth/example/sql/graph"
)

//go:generate go run agora/breadth/generate

// Query implements graph.ResolverRoot.
func (s *store) Query() graph.QueryResolver { return query{s} }

// Order implements graph.ResolverRoot.
func (s *store) Order() graph.OrderResolver { return order{s} }

// Line implements graph.ResolverRoot.
func (s *store) Line() graph.LineResolver { return line{s} }

// Product implements graph.ResolverRoot.
func (s *store) Product() graph.ProductResolver { return product{s} }

type (
	query   struct{ *store }
	order   struct{ *store }
	line    struct{ *store }
	product struct{ *store }
)

func (r query) Orders(ctx context.Context, first int) ([]*graph.Order, error) {
	found, err := rows(ctx, r.store,
		"SELECT 0, id, customer FROM orders ORDER BY id DESC LIMIT (SELECT value FROM json_each(?))",
		[]int{first}, func(o *graph.Order) []any { return []any{&o.ID, &o.CustomerID} })
	return found[0], err
}

func (r order) Customer(ctx context.Context, of []*graph.Order) ([]*graph.Customer, error) {
	ids := keys(of, func(o *graph.Order) int { return o.CustomerID })
	found, err := rows(ctx, r.store, "SELECT id, name FROM customers WHERE id IN (SELECT value FROM json_each(?))",
		ids, func(c *graph.Customer) []any { return []any{&c.Name} })
	return one(ids, found), err
}

func (r order) Lines(ctx context.Context, of []*graph.Order) ([][]*graph.Line, error) {
	ids := keys(of, func(o *graph.Order) int { return o.ID })
	found, err := rows(ctx, r.store,
		"SELECT of, quantity, product FROM lines WHERE of IN (SELECT value FROM json_each(?)) ORDER BY id",
		ids, func(l *graph.Line) []any { return []any{&l.Quantity, &l.ProductID} })
	return many(ids, found), err
}

func (r line) Product(ctx context.Context, of []*graph.Line) ([]*graph.Product, error) {
	ids := keys(of, func(l *graph.Line) int { return l.ProductID })
	found, err := rows(ctx, r.store,
		"SELECT id, name, supplier FROM products WHERE id IN (SELECT value FROM json_each(?))",
		ids, func(p *graph.Product) []any { return []any{&p.Name, &p.SupplierID} })
	return one(ids, found), err
}

func (r product) Supplier(ctx context.Context, of []*graph.Product) ([]*graph.Supplier, error) {
	ids := keys(of, func(p *graph.Product) int { return p.SupplierID })
	found, err := rows(ctx, r.store, "SELECT id, name FROM suppliers WHERE id IN (SELECT value FROM json_each(?))",
		ids, func(s *graph.Supplier) []any { return []any{&s.Name} })
	return one(ids, found), err
}
