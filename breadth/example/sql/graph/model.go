// Package graph has the types of the schema, and the code generated from it.
package graph

// Order is what a customer ordered.
type Order struct {
	ID, CustomerID int
}

// Customer gives orders.
type Customer struct {
	Name string
}

// Line is one line of an order.
type Line struct {
	Quantity, ProductID int
}

// Product is what is sold.
type Product struct {
	Name       string
	SupplierID int
}

// Supplier delivers products.
type Supplier struct {
	Name string
}
