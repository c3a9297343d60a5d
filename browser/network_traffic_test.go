package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// harFaults says where a document lacks what HAR 1.2 requires
// (http://www.softwareishard.com/blog/har-12-spec/).
func harFaults(doc []byte) (faults []string) {
	var root map[string]any
	if err := json.Unmarshal(doc, &root); err != nil {
		return []string{err.Error()}
	}
	need := func(where string, of any, kinds map[string]string) map[string]any {
		m, ok := of.(map[string]any)
		if !ok {
			faults = append(faults, where+" is no object")
			return map[string]any{}
		}
		for name, kind := range kinds {
			if got := fmt.Sprintf("%T", m[name]); got != kind {
				faults = append(faults, fmt.Sprintf("%s.%s is %s, want %s", where, name, got, kind))
			}
		}
		return m
	}
	const text, number, list, object = "string", "float64", "[]interface {}", "map[string]interface {}"
	log := need("log", root["log"], map[string]string{"version": text, "creator": object, "entries": list})
	need("creator", log["creator"], map[string]string{"name": text, "version": text})
	entries, _ := log["entries"].([]any)
	pairs := func(where string, of any) {
		items, _ := of.([]any)
		for _, item := range items {
			need(where, item, map[string]string{"name": text, "value": text})
		}
	}
	for _, e := range entries {
		entry := need("entry", e, map[string]string{"startedDateTime": text, "time": number, "request": object, "response": object, "cache": object, "timings": object})
		if _, err := time.Parse(time.RFC3339, fmt.Sprint(entry["startedDateTime"])); err != nil {
			faults = append(faults, err.Error())
		}
		request := need("request", entry["request"], map[string]string{"method": text, "url": text, "httpVersion": text, "cookies": list, "headers": list, "queryString": list, "headersSize": number, "bodySize": number})
		pairs("request.headers", request["headers"])
		pairs("request.queryString", request["queryString"])
		response := need("response", entry["response"], map[string]string{"status": number, "statusText": text, "httpVersion": text, "cookies": list, "headers": list, "content": object, "redirectURL": text, "headersSize": number, "bodySize": number})
		pairs("response.headers", response["headers"])
		need("content", response["content"], map[string]string{"size": number, "mimeType": text})
		timings := need("timings", entry["timings"], map[string]string{"send": number, "wait": number, "receive": number})
		sum := 0.0
		for _, name := range []string{"send", "wait", "receive"} {
			ms, _ := timings[name].(float64)
			if ms < 0 {
				faults = append(faults, fmt.Sprintf("timings.%s is %v, and may not be negative", name, ms))
			}
			sum += ms
		}
		if entry["time"] != sum { // the specification: time is the sum of the timings
			faults = append(faults, fmt.Sprintf("time is %v, its parts are %v", entry["time"], sum))
		}
	}
	return faults
}

// Design §8: what a session sent, as HAR 1.2, without credentials, and with
// the count of what is no longer kept.
func TestHAR(t *testing.T) {
	t.Parallel()
	c := newShop(t)
	c.mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/next?token=hush", http.StatusFound)
	})
	s := opened(t, poolOf(t), c.URL)
	intercept(t, s, Block, nil, "**/blocked")
	for _, call := range []string{"'/a?x=1&y=%20z&access_token=hush', {headers: {authorization: 'Bearer hush', 'x-plain': 'said'}}", "'/moved'", "'/blocked'", "'http://127.0.0.1:9/'", "'/p', {method: 'POST', body: 'password=hush'}"} {
		fetched(t, s, call)
	}
	traffic := s.Traffic(time.Time{})
	traffic.Dropped = 7
	doc, err := HAR([]Traffic{traffic}, "1.0")
	if err != nil {
		t.Fatal(err)
	}
	if faults := harFaults(doc); len(faults) > 0 {
		t.Errorf("no HAR 1.2: %s", strings.Join(faults, "\n"))
	}
	for _, want := range []string{`"x-plain"`, `"said"`, `"name": "y",`, `"value": " z"`, `"status": 302`, "7 older requests", "blocked by network_intercept: **/blocked", "failed net::ERR_", `"redirectURL": "/next?token=(not shown)"`} {
		if !strings.Contains(string(doc), want) {
			t.Errorf("the archive lacks %s", want)
		}
	}
	if strings.Contains(string(doc), "hush") {
		t.Errorf("the archive tells a credential: %s", doc)
	}
	if n := len(s.Traffic(time.Now().Add(time.Hour)).Requests); n != 0 {
		t.Errorf("%d requests since the future", n)
	}
	for _, broken := range []string{"{}", strings.Replace(string(doc), `"timings"`, `"x"`, 1), strings.Replace(string(doc), `"queryString"`, `"x"`, 1), strings.Replace(string(doc), `"version": "1.2"`, `"version": 1.2`, 1)} {
		if len(harFaults([]byte(broken))) == 0 {
			t.Errorf("the check takes a broken archive: %.80s", broken)
		}
	}
}
