package main

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
)

// openPage shows a file in the person's browser: $BROWSER, or the desktop's own.
func openPage(ctx context.Context, a *app, path string) error {
	program := a.getenv("BROWSER")
	args := []string{path}
	switch {
	case program != "":
	case runtime.GOOS == "darwin":
		program = "open"
	case runtime.GOOS == "windows":
		program, args = "rundll32", []string{"url.dll,FileProtocolHandler", path}
	case !hasDisplay(a):
		return usage("--open: this machine has no display (DISPLAY is not set): open %s where you have one, or set BROWSER", path)
	default:
		program = "xdg-open"
	}
	desktop := exec.CommandContext(context.WithoutCancel(ctx), program, args...)
	desktop.Env = a.environ
	if err := desktop.Run(); err != nil {
		return fmt.Errorf("--open: %s %s: %w; open the file yourself, or set BROWSER to your browser", program, path, err)
	}
	return nil
}
