package demo

import (
	"fmt"
	"slices"
	"time"
)

// order holds one row of the Recent orders table and what its View button
// shows.
type order struct {
	ID       string    `json:"id"`
	PlacedAt time.Time `json:"placedAt"`
	Customer string    `json:"customer"`
	Category string    `json:"category"`
	Status   string    `json:"status"`
	Items    []item    `json:"items"`
	Total    float64   `json:"total"`

	cents int64
}

// item holds one position of an order. Price is for one piece.
type item struct {
	Name     string  `json:"name"`
	Quantity int64   `json:"quantity"`
	Price    float64 `json:"price"`
}

// rowsIn returns how many orders the table shows: more for a longer range. All of
// them are of today, since a day has more orders than the table has rows.
func rowsIn(r rangeOption) int {
	return map[string]int{RangeToday: 5, Range7Days: 8, Range30Days: 12}[r.Name]
}

// recentOrders returns the newest orders of some categories, newest first, and
// their sum. Every selection looks at the same stream of orders, so an order
// reads the same under every filter.
func recentOrders(count int, lines []goodsLine, now time.Time) ([]order, float64) {
	const enough = 500 // orders in the stream; a third of them is of each category
	var orders []order
	var cents int64
	placed := now.Truncate(time.Minute)
	for n := range enough {
		if len(orders) == count {
			break
		}
		roll := dice(0xdead<<32 | uint64(n))
		placed = placed.Add(-time.Duration(roll.between(3, 11)) * time.Minute)
		o := newOrder(n, placed, &roll)
		wanted := slices.ContainsFunc(lines, func(l goodsLine) bool { return l.name == o.Category })
		if wanted {
			orders = append(orders, o)
			cents += o.cents
		}
	}
	return orders, dollars(cents)
}

func newOrder(n int, placed time.Time, roll *dice) order {
	o := order{
		ID:       fmt.Sprintf("A-%d", 10_482-n),
		PlacedAt: placed,
		Customer: pick(roll, customers()),
		Category: pick(roll, categoryNames()),
		Status:   pick(roll, []string{"Paid", "Paid", "Shipped", "Shipped", "Pending", "Refunded"}),
	}
	goods := goods(o.Category)
	first := roll.between(0, int64(len(goods)-1))
	for i := range roll.between(1, 2) {
		g := goods[(first+i)%int64(len(goods))]
		quantity := roll.between(1, g.most)
		o.Items = append(o.Items, item{g.name, quantity, dollars(g.cents)})
		o.cents += quantity * g.cents
	}
	o.Total = dollars(o.cents)
	return o
}

func pick(roll *dice, choices []string) string {
	return choices[roll.between(0, int64(len(choices)-1))]
}

func customers() []string {
	return []string{
		"Amara Okafor", "Jonas Lindqvist", "Priya Raman", "Mateo Álvarez", "Hana Kobayashi", "Chloé Martin",
		"Liam O’Connor", "Sofia Rossi", "Noah Becker", "Leila Haddad", "Tomasz Nowak", "Grace Kim",
	}
}

// product holds something on sale; most bounds how many a customer takes at
// once.
type product struct {
	name  string
	cents int64
	most  int64
}

func goods(category string) []product {
	switch category {
	case CategoryHardware:
		return []product{
			{"Barcode scanner", 12_900, 2}, {"Label printer", 18_450, 1}, {"USB-C dock", 8_990, 2}, {"Thermal paper, box", 2_475, 3},
		}
	case CategorySoftware:
		return []product{
			{"Inventory, monthly seat", 1_900, 4}, {"Reports add-on", 3_450, 1}, {"API access", 4_900, 1},
		}
	case CategoryServices:
		return []product{
			{"On-site set-up", 22_000, 1}, {"Training hour", 9_500, 3}, {"Data import", 14_750, 1},
		}
	default:
		panic("demo: category " + category + " has no goods; add them here")
	}
}
