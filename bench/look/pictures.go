package look

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"slices"
	"strconv"
	"strings"
)

// picture returns a flat picture in a colour of three hexadecimal digits.
func picture(rgb string) []byte {
	var channel [3]uint8
	for i, digit := range []byte(rgb + "000")[:3] {
		n, _ := strconv.ParseUint(string(digit), 16, 8) // what is no digit is black
		channel[i] = uint8(n) * 17
	}
	m := image.NewPaletted(image.Rect(0, 0, 64, 64), color.Palette{color.RGBA{channel[0], channel[1], channel[2], 255}})
	var b bytes.Buffer
	_ = png.Encode(&b, m) // to memory
	return b.Bytes()
}

const gallery = `<style>body{margin:0}header{background:#1d3557;color:#fff;padding:16px 24px}.row{display:flex;gap:16px;padding:16px 24px}.card{border:1px solid #ccc;border-radius:6px;padding:12px;width:220px}
.n{font-size:28px;font-weight:700}button{padding:8px 16px;background:#06c;color:#fff;border:0;border-radius:4px}table{margin:0 24px;border-collapse:collapse}td,th{border:1px solid #ddd;padding:4px 14px}</style>
<header><b>Northwind</b> <a href="#" style="color:#cde">Orders</a> <a href="#" style="color:#cde">Customers</a></header>
<div class="row"><div class="card"><h3>Revenue</h3><div class="n">$48,210</div></div><div class="card"><h3>Orders</h3><div class="n">1,204</div></div><div class="card"><h3>Growth</h3><div class="n" style="color:#080">+4.5%</div></div></div>
<div class="row"><button>Save changes</button><button style="background:#888">Cancel</button><label><input type="checkbox"> Send a receipt</label><img src="/x/flat.png?c=396" alt="" width="80" height="40"></div>
<table><tr><th>Region</th><th>Open</th></tr><tr><td>North</td><td>12</td></tr><tr><td>South</td><td>7</td></tr><tr><td>West</td><td>31</td></tr></table>
<p style="padding:0 24px">All figures are of yesterday and include returns.</p>`

// pictureCells captures the gallery, and compares changed galleries with it.
func pictureCells(p *parts) {
	p.page("/pictures/as-it-is", page{body: whole("Gallery", gallery)})
	for i, c := range append(changes(), noises()...) {
		from, to := c.from, c.to
		if strings.Count(gallery, from) < 1 {
			panic("the gallery has no " + from)
		}
		path := p.page(fmt.Sprintf("/pictures/%d", i), page{body: whole("Gallery", strings.Replace(gallery, from, to, 1))})
		p.cell(cell{Class: "pictures", Way: c.name, Tool: "compare_visual_regression", Page: path, About: short(from + " → " + to), Truth: c.is, ask: compares(c.noisy)})
	}
}

// compares captures the baseline once for each worker, which has a store of its
// own, and compares the page with it. A noisy page is its own baseline.
func compares(noisy bool) question {
	return func(w *worker, page string) (outcome, string, error) {
		name, of := "gallery", "/pictures/as-it-is"
		if noisy {
			name, of = strings.ReplaceAll(strings.Trim(page, "/"), "/", "-"), page
		}
		if !w.captured[name] {
			a, err := w.call("capture_visual_baseline", map[string]any{"name": name, "url": w.site + of})
			if err != nil || !a.ok {
				return inconclusive, short(a.Text), err
			}
			w.captured[name] = true
		}
		return w.ask("compare_visual_regression", map[string]any{"name": name, "url": w.site + page}, looks)
	}
}

// looks reads the outcome of a comparison. Nobody approves the pictures of a benchmark, so
// that what is equal is open for that alone: the status of the picture itself counts.
func looks(data json.RawMessage) outcome {
	var got struct{ Pictures []struct{ Status string } }
	if json.Unmarshal(data, &got) == nil && len(got.Pictures) == 1 && slices.Contains([]string{"same", "within"}, got.Pictures[0].Status) {
		return passed
	}
	return status(data)
}

// change describes a change of the gallery.
type change struct {
	name, from, to string
	is             truth
	noisy          bool // the page's baseline is a picture of itself
}

func changes() []change {
	var out []change
	for _, c := range [][3]string{
		{"a word", "yesterday", "last week"},
		{"a word of equal length", "Save changes", "Move changes"},
		{"one letter", "North", "Narth"},
		{"a digit of an amount", "$48,210", "$48,710"},
		{"a digit in the table", "<td>7</td>", "<td>1</td>"},
		{"a sign", "+4.5%", "-4.5%"},
		{"a currency", "$48,210", "€48,210"},
		{"a button is gone", `<button style="background:#888">Cancel</button>`, ``},
		{"a button is blank", `>Save changes<`, `><`},
		{"colour of a button", `background:#06c`, `background:#c00`},
		{"colour of a figure", `color:#080`, `color:#c00`},
		{"colour of a link", `style="color:#cde">Customers`, `style="color:#f99">Customers`},
		{"order of two rows", `<tr><td>North</td><td>12</td></tr><tr><td>South</td><td>7</td></tr>`, `<tr><td>South</td><td>7</td></tr><tr><td>North</td><td>12</td></tr>`},
		{"order of two buttons", `<button>Save changes</button><button style="background:#888">Cancel</button>`, `<button style="background:#888">Cancel</button><button>Save changes</button>`},
		{"a row is gone", `<tr><td>West</td><td>31</td></tr>`, ``},
		{"a row more", `<tr><td>West</td><td>31</td></tr>`, `<tr><td>West</td><td>31</td></tr><tr><td>East</td><td>0</td></tr>`},
		{"a card is gone", `<div class="card"><h3>Orders</h3><div class="n">1,204</div></div>`, ``},
		{"a ticked box", `type="checkbox"`, `type="checkbox" checked`},
		{"another picture", `flat.png?c=396`, `flat.png?c=963`},
		{"picture is gone", `<img src="/x/flat.png?c=396" alt="" width="80" height="40">`, ``},
		{"size of a figure", `font-size:28px`, `font-size:24px`},
		{"weight of a figure", `font-weight:700`, `font-weight:400`},
		{"a badge", `>Orders</a>`, `>Orders <sup style="background:#c00;color:#fff;border-radius:8px;padding:0 5px">3</sup></a>`},
		{"a label misspelt", `Send a receipt`, `Send a recept`},
		{"underlined", `<b>Northwind</b>`, `<b><u>Northwind</u></b>`},
		{"greyed out", `<button>Save changes`, `<button disabled style="opacity:.5">Save changes`},
		{"text aligned right", `<h3>Growth</h3>`, `<h3 style="text-align:right">Growth</h3>`},
		{"moved by 12 px", `<button>Save changes`, `<button style="margin-left:12px">Save changes`},
		{"text over text", `<h3>Growth</h3>`, `<h3 style="margin-bottom:-30px">Growth</h3>`},
		{"sheet over the table", `<table>`, `<div style="position:absolute;background:#fff;width:300px;height:140px"></div><table>`},
		{"text cut off", `<div class="n">$48,210</div>`, `<div class="n" style="width:70px;overflow:hidden">$48,210</div>`},
		{"figure transparent", `<div class="n">1,204</div>`, `<div class="n" style="opacity:0">1,204</div>`},
		{"dark page", `body{margin:0}`, `body{margin:0;background:#222;color:#eee}`},
	} {
		out = append(out, change{name: c[0], from: c[1], to: c[2], is: mustFail})
	}
	return out
}

// noises lists differences that are invisible or have no name.
func noises() []change {
	noise := func(name, from, to string, noisy bool) change {
		return change{name: "fine: " + name, from: from, to: to, is: mustPass, noisy: noisy}
	}
	dots := `<canvas id="c" width="60" height="30"></canvas><script>const g=c.getContext('2d');for(let i=0;i<200;i++){g.fillStyle='hsl('+Math.random()*360+' 60% 60%)';g.fillRect(Math.random()*60,Math.random()*30,2,2)}</script>`
	return []change{
		noise("as it is", "yesterday", "yesterday", false),
		noise("an attribute", `class="card"`, `class="card" data-x="1"`, false),
		noise("a comment", `<table>`, `<!-- made at 12:01 --><table>`, false),
		noise("another element, same look", `<b>Northwind</b>`, `<strong>Northwind</strong>`, false),
		noise("hidden text", `<table>`, `<p hidden>new</p><table>`, false),
		noise("colour by one step", `background:#06c`, `background:#0066cd`, false),
		noise("dots on a small canvas", `<table>`, dots+`<table>`, true),
		noise("endless animation", `<table>`, `<div style="width:20px;height:20px;background:#9cf;animation:m 1s infinite alternate"></div><style>@keyframes m{to{transform:translateX(60px)}}</style><table>`, true),
		noise("caret in a field", `<table>`, `<input autofocus value="abc"><table>`, true),
		noise("late picture", `<table>`, `<script>setTimeout(()=>{const i=new Image(80,40);i.src='/x/flat.png?c=9cf';document.querySelector('p').append(i)},300)</script><table>`, true),
	}
}
