package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// C5, A16: a model's client has a failing test looked at by the tool heal_tests. An
// expectation that does not hold is said and not healed; nothing is written. At length: a
// test that was proved is healed after edits of ids, and its diff is the answer.
func TestHealTestsFromAClient(t *testing.T) {
	t.Parallel()
	firstTest, _, _ := strings.Cut(healSpec, "\ntest('picks")
	rig := newHealRig(t, map[string]string{"tests/shop.spec.ts": firstTest})
	config := filepath.Join(rig.dir, "mcp.toml")
	if err := os.WriteFile(config, fmt.Appendf(nil, "schema_version = 1\n[tools]\nsets = [\"core\", \"author\"]\n[author]\nroot = %q\n[env.shop]\nbase_url = %q\n", rig.dir, rig.site.URL), 0o600); err != nil {
		t.Fatal(err)
	}
	trusted(t, rig.dir)
	if soak() {
		rig.prove("tests")
	}
	temp := t.TempDir()
	cmd := serving(t, temp, "--config", config)
	cmd.Args = append(cmd.Args, "--data-dir", filepath.Join(rig.dir, "data"))
	session, err := mcp.NewClient(&mcp.Implementation{Name: "e2e-go", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	heal := func() map[string]any {
		return authorClient{t, session}.finish("heal_tests", "heal_id", map[string]any{"action": "start", "tests": []string{"tests/shop.spec.ts"}})
	}
	rig.page.Store(variant(`say('kept: '`, `say('lost: '`, `<footer>`, `<footer><p>kept: milk</p>`))
	got := heal()
	unhealed, _ := got["unhealed"].([]any)
	if len(unhealed) != 1 || got["diff"] != nil || got["run_id"] == nil || unhealed[0].(map[string]any)["reason"] != "assertion" {
		t.Errorf("an expectation that does not hold: %v", got)
	}
	if soak() {
		rig.page.Store(movedPage())
		got := heal()
		if healed, _ := got["healed"].([]any); len(healed) != 2 || !strings.Contains(fmt.Sprint(got["diff"]), "-  await page.locator('#note').fill('milk');\n") {
			t.Errorf("moved: %v", got)
		}
	}
	if rig.read("tests/shop.spec.ts") != firstTest {
		t.Error("the tool has written a test")
	}
	if err := session.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	emptied(t, temp)
}
