package e2e_test

import "testing"

// beforeItIsLost is done while all that was kept is in order.
func (k keeping) beforeItIsLost(t *testing.T) {
	t.Run("by many servers", k.byManyServers)
	t.Run("read-only", k.readOnly)
}

// afterwards is what leaves runs behind that are not in order.
func (k keeping) afterwards(t *testing.T) {
	t.Run("killed", k.killed)
	t.Run("killed in finish", k.killedInFinish)
	t.Run("sabotaged", k.sabotaged)
}
