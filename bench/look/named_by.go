package look

import (
	"fmt"
	"strings"
)

// namedBy describes what an element is known by: «faint|plain» is what hides that, and what doesn't; § is its name.
type namedBy struct{ name, body, selector string }

func namedBys() []namedBy {
	const drawn = `src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='60' height='30'><rect width='60' height='30'/></svg>"`
	return []namedBy{
		{"label", `<label for="f1" style="color:«#fff|#222»">§</label> <input id="f1">`, `label=§`},
		{"label around", `<label style="«opacity:0|opacity:1»">§ <input style="opacity:1"></label>`, `textbox "§"`},
		{"label by id", `<b id="l1" style="«font-size:0|font-size:16px»">§</b> <input aria-labelledby="l1">`, `textbox "§"`},
		{"label of a list", `<label for="f1" style="«-webkit-text-fill-color:#fff|color:#222»">§</label> <select id="f1"><option>1<option>2</select>`, `combobox "§"`},
		{"label of a box", `<input type="checkbox" id="f1"><label for="f1" style="color:«rgba(0,0,0,0)|#333»">§</label>`, `checkbox "§"`},
		{"label of a text area", `<label for="f1" style="«clip-path:inset(0 100% 0 0)|padding:0»">§</label><textarea id="f1"></textarea>`, `textbox "§"`},
		{"placeholder", `<style>#f1::placeholder{color:«#fff|#777»}</style><input id="f1" placeholder="§">`, `textbox "§"`},
		{"picture by its alt", `<img alt="§" width="60" height="30" «src="data:image/png;base64,AAAA"|` + drawn + `»>`, `img "§"`},
		{"picture by its alt, seen through", `<img alt="§" width="60" height="30" style="opacity:«0|1»" ` + drawn + `>`, `img "§"`},
		{"icon of a button", `<button aria-label="§"><svg width="18" height="18" style="visibility:«hidden|visible»"><circle cx="9" cy="9" r="8"/></svg></button>`, `button "§"`},
		{"icon of a link", `<a href="#" aria-label="§" style="background:#fff;border:1px solid #999"><svg width="18" height="18" fill="«#fff|#111»"><circle cx="9" cy="9" r="8"/></svg></a>`, `link "§"`},
		{"sign of a button", `<button aria-label="§" style="background:#ddd;color:«#ddd|#111»">✚</button>`, `button "§"`},
		{"sign of CSS", `<style>#i1::before{content:"☰";opacity:«0|1»}</style><button aria-label="§"><i id="i1"></i></button>`, `button "§"`},
		{"caption of a picture", `<figure><img alt="" width="60" height="30" ` + drawn + `><figcaption style="color:«#fff|#222»">§</figcaption></figure>`, `figure "§"`},
		{"words beside an icon", `<h2 style="color:«#fff|#222»"><svg width="18" height="18" fill="#06c"><circle cx="9" cy="9" r="8"/></svg> §</h2>`, `heading "§"`},
		{"entry of a list", `<select aria-label="List"><option>—<option «|selected»>§</select>`, `option "§"`},
	}
}

// namedCells makes elements that are known by something beside their own words.
func namedCells(p *parts) {
	words := wordsOf("Surname | Straße | Département | Cantidad")
	for i, by := range namedBys() {
		for j, word := range words {
			for _, healthy := range []bool{false, true} {
				is, not := mustFail, mustPass
				if healthy {
					is, not = mustPass, mustFail
				}
				body := strings.ReplaceAll(variant(by.body, healthy), "§", word)
				path := p.page(fmt.Sprintf("/named/%d-%d-%v", i, j, healthy), listing("en", "Form", "<h1>Form</h1><p>Fill in all of it.</p>"+body))
				for _, c := range []cell{
					{Tool: "visible", Truth: is, ask: proves(strings.ReplaceAll(by.selector, "§", word), assertion{"type": "visible"})},
					{Tool: "hidden", Truth: not, ask: proves(strings.ReplaceAll(by.selector, "§", word), assertion{"type": "hidden"})},
				} {
					c.Class, c.Page, c.Way, c.About = "ink", path, fmt.Sprintf("known by: %s, %s, healthy %v", by.name, word, healthy), short(variant(by.body, healthy))
					p.cell(c)
				}
			}
		}
	}
}
