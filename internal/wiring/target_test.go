package wiring

import (
	"testing"

	"github.com/assay-qa/assay/config"
)

// A20: what the configuration says of a role's state reaches those who order the cases.
func TestTargetHasRoles(t *testing.T) {
	cfg := config.Config{Environments: map[string]config.Environment{"shop": {BaseURL: "http://shop.test", Roles: map[string]config.Role{"admin": {ChangesState: true}, "guest": {}}}}}
	target, err := Program{Env: "shop"}.target(cfg, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if len(target.Roles) != 2 || !target.Roles["admin"].ChangesState || target.Roles["guest"].ChangesState {
		t.Errorf("%+v", target.Roles)
	}
}
