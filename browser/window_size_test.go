package browser

import "testing"

// A2: to take a whole page Chromium gives it a window of one pixel now and then.
// The page, which could fold its menu for good, does not hear of that; of a
// small window it does.
func TestNoWindowOfOnePixel(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<script>let heard = []; addEventListener('resize', () => heard.push(innerWidth), true)</script><h1>Menu</h1>`)
	session, err := pageOf(s).Context().NewCDPSession(pageOf(s))
	if err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{1, 400, 1, 1280} {
		if _, err := session.Send("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": min(width, 720), "deviceScaleFactor": 1, "mobile": false}); err != nil {
			t.Fatal(err)
		}
		js(t, s, "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
	}
	if heard := js(t, s, "heard.join()"); heard != `"400,1280"` {
		t.Errorf("the page heard of windows of %s pixels, want 400,1280", heard)
	}
}
