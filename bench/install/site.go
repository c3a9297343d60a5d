package install

import (
	"fmt"
	"net/http"
)

// site serves the two pages that are judged: one is fine, and one throws an error and lacks an
// image.
func site() http.Handler {
	const page = `<!doctype html><html lang="en"><title>%s</title><h1>%s</h1><p>Delivered within two days.</p>%s</html>`
	all := http.NewServeMux()
	all.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, page, "Shop", "Shop", "") })
	all.HandleFunc("/broken", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, page, "Shop", "Shop", `<img src="/gone.png" alt="A parcel"><script>throw new Error("the basket is gone")</script>`)
	})
	all.HandleFunc("/favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	return all
}
