package explore

import (
	"testing"

	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/internal/pattern/patterntest"
)

// Whatever signs out is left alone, in each language as it is written on a button.
func TestLogOut(t *testing.T) {
	lists := pattern.NewLists("log_out.txt", logOutFile)
	patterntest.Check(t, lists)
	for _, name := range []string{"Выйти", "Çıkış", "Вийти из аккаунта", "Sign out", "Log-off now", "Déconnexion", "退出登录", "x ログアウト y"} {
		if !logOut.MatchString(name + "  ") {
			t.Errorf("%q is taken for no sign-out", name)
		}
	}
	for _, name := range []string{"Blog out of date", "Weblogoff", "Sairam", "Presci", "Catalog output", "привыйти"} {
		if logOut.MatchString(name) {
			t.Errorf("%q is taken for a sign-out", name)
		}
	}
}
