package demo

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The KPIs of the dashboard, as its cards and /api/kpi spell them.
const (
	KPIRevenue    = "Revenue"
	KPIOrders     = "Orders"
	KPIConversion = "Conversion rate"
	KPIOrderValue = "Average order value"
	KPIRefunds    = "Refunds"
	KPIUsers      = "Active users"
)

// The ranges and categories that [KPIs], /api/kpi and the page's two selects
// accept.
const (
	RangeToday  = "today"
	Range7Days  = "7d"
	Range30Days = "30d"

	CategoryAll      = "All"
	CategoryHardware = "Hardware"
	CategorySoftware = "Software"
	CategoryServices = "Services"
)

// KPIs returns the right values for a range and a category: money in US
// dollars, the conversion rate in percent, the rest counts. It is the oracle of
// the demo: pure, and the same for the healthy and the broken variant. It
// returns nil for a range or category that the demo does not have.
func KPIs(rangeName, category string) map[string]float64 {
	r, known := findRange(rangeName)
	lines := categoriesOf(category)
	if !known || lines == nil {
		return nil
	}
	var sum sale
	for _, line := range lines {
		for day := range r.days {
			sum = sum.plus(line.day(day))
		}
	}
	// A visitor who returns is one user: the longer the range, the fewer per visit.
	users := float64(sum.visits) * r.usersPerVisit
	return map[string]float64{
		KPIRevenue:    dollars(sum.revenue),
		KPIOrders:     float64(sum.orders),
		KPIConversion: math.Round(float64(sum.orders)/float64(sum.visits)*1e4) / 100,
		KPIOrderValue: dollars(int64(math.Round(float64(sum.revenue) / float64(sum.orders)))),
		KPIRefunds:    dollars(sum.refunds),
		KPIUsers:      math.Round(users),
	}
}

// units tells a reader of /api/kpi how to write each value.
func units() map[string]string {
	return map[string]string{
		KPIRevenue: "USD", KPIOrders: "count", KPIConversion: "percent",
		KPIOrderValue: "USD", KPIRefunds: "USD", KPIUsers: "count",
	}
}

// rangeOption describes a span of days that ends today.
type rangeOption struct {
	Name, Label   string
	days          int
	usersPerVisit float64
}

func ranges() []rangeOption {
	return []rangeOption{
		{RangeToday, "Today", 1, 0.82},
		{Range7Days, "Last 7 days", 7, 0.58},
		{Range30Days, "Last 30 days", 30, 0.37},
	}
}

func findRange(name string) (rangeOption, bool) {
	all := ranges()
	i := slices.IndexFunc(all, func(r rangeOption) bool { return r.Name == name })
	if i < 0 {
		return rangeOption{}, false
	}
	return all[i], true
}

// goodsLine describes one category of goods.
type goodsLine struct {
	name  string
	seed  uint64
	rate  int64 // orders in a quiet slot, in tenths
	price int64 // of an average order, in cents
}

func lines() []goodsLine {
	return []goodsLine{
		{CategoryHardware, 1, 15, 18_900},
		{CategorySoftware, 2, 28, 5_900},
		{CategoryServices, 3, 7, 24_000},
	}
}

// categoriesOf returns the lines that a category stands for, nil if none.
func categoriesOf(category string) []goodsLine {
	if category == CategoryAll {
		return lines()
	}
	for _, l := range lines() {
		if l.name == category {
			return []goodsLine{l}
		}
	}
	return nil
}

func categoryNames() []string {
	var names []string
	for _, l := range lines() {
		names = append(names, l.name)
	}
	return names
}

// sale holds what was sold in some time. Money is in cents, so that sums are exact.
type sale struct {
	orders, visits   int64
	revenue, refunds int64
}

func (a sale) plus(b sale) sale {
	return sale{a.orders + b.orders, a.visits + b.visits, a.revenue + b.revenue, a.refunds + b.refunds}
}

const (
	slotsPerDay = 8
	slotLength  = 24 * time.Hour / slotsPerDay
)

// day sums a day, counted back from today, which is 0.
func (l goodsLine) day(day int) sale {
	var sum sale
	for slot := range slotsPerDay {
		sum = sum.plus(l.slot(day, slot))
	}
	return sum
}

// slot computes the sale of one slot of a day: everything on the page is a sum of
// these, so card, chart and category totals agree by construction.
func (l goodsLine) slot(day, slot int) sale {
	bustle := [slotsPerDay]int64{1, 1, 3, 6, 8, 9, 7, 4}[slot]
	if weekday := day % 7; weekday == 5 || weekday == 6 {
		bustle = (bustle + 1) / 2 // a quiet weekend, as seen from stillClock's Friday
	}
	roll := dice(l.seed<<32 | uint64(day)<<8 | uint64(slot))
	orders := bustle * l.rate * roll.between(70, 130) / 1000
	revenue := orders*l.price*roll.between(85, 115)/100 + orders*roll.between(0, 99)
	return sale{
		orders:  orders,
		visits:  orders*roll.between(22, 36) + roll.between(20, 60),
		revenue: revenue,
		refunds: revenue * roll.between(1, 4) / 100,
	}
}

// point holds one bar of the chart: its total and what each category adds to
// it.
type point struct {
	Label string  `json:"label"`
	Value float64 `json:"value"`
	Parts []part  `json:"parts"`
}

// part holds a category's share of a sum, in US dollars.
type part struct {
	Category string  `json:"category"`
	Value    float64 `json:"value"`
}

// series cuts a range's revenue into bars, oldest first: slots for one day,
// days for more.
func series(r rangeOption, lines []goodsLine, now time.Time) []point {
	var points []point
	if r.days == 1 {
		for slot := range slotsPerDay {
			label := fmt.Sprintf("%02d:00", slot*int(slotLength.Hours()))
			points = append(points, newPoint(label, lines, func(l goodsLine) sale { return l.slot(0, slot) }))
		}
		return points
	}
	for day := r.days - 1; day >= 0; day-- {
		label := now.AddDate(0, 0, -day).Format("Jan 2")
		points = append(points, newPoint(label, lines, func(l goodsLine) sale { return l.day(day) }))
	}
	return points
}

func newPoint(label string, lines []goodsLine, sold func(goodsLine) sale) point {
	p := point{Label: label}
	var total int64
	for _, l := range lines {
		revenue := sold(l).revenue
		total += revenue
		p.Parts = append(p.Parts, part{l.name, dollars(revenue)})
	}
	p.Value = dollars(total)
	return p
}

// breakdown returns a range's revenue by category: the values in the chart's legend.
func breakdown(r rangeOption, lines []goodsLine) []part {
	var parts []part
	for _, l := range lines {
		var sum sale
		for day := range r.days {
			sum = sum.plus(l.day(day))
		}
		parts = append(parts, part{l.name, dollars(sum.revenue)})
	}
	return parts
}

func dollars(cents int64) float64 { return float64(cents) / 100 }

// dice rolls numbers that look random and are the same on every machine and
// with every Go version (splitmix64): checks and pictures depend on them.
type dice uint64

func (d *dice) between(low, high int64) int64 {
	*d += 0x9e3779b97f4a7c15
	x := uint64(*d)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	x ^= x >> 31
	return low + int64(x%uint64(high-low+1))
}

// Display writes a KPI's value as the dashboard does.
func Display(label string, value float64) string {
	switch units()[label] {
	case "USD":
		return "$" + grouped(value, 2)
	case "percent":
		return grouped(value, 2) + "%"
	default:
		return grouped(value, 0)
	}
}

// grouped writes a number in American English: 12,345.60.
func grouped(value float64, decimals int) string {
	text := strconv.FormatFloat(value, 'f', decimals, 64)
	whole, fraction, _ := strings.Cut(text, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}
