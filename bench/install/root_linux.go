package install

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/assay-qa/assay/bench/measure"
)

const (
	release      = "bookworm"
	person       = "/person" // the home of whoever installs, in a root
	proxyAt      = "127.0.0.1:3128"
	npmAt        = "127.0.0.1:4873"
	siteAt       = "127.0.0.1:3000"
	certificates = "/etc/ssl/certs/ca-certificates.crt" // whom this machine trusts
	trusted      = "/etc/ssl/this-machine.crt"          // the same in a root, where no package writes over it
)

// canMeasure says what this machine lacks.
func canMeasure(uid int) error {
	if uid != 0 {
		return fmt.Errorf("%w: empty roots are mounted, which needs root; run: sudo -E go run ./bench install", measure.ErrSetUp)
	}
	for _, tool := range []string{"debootstrap", "unshare", "pivot_root", "setpriv"} {
		if _, err := exec.LookPath(tool); err != nil {
			return fmt.Errorf("%w: %s is missing, which makes empty roots; run: apt-get install debootstrap util-linux", measure.ErrSetUp, tool)
		}
	}
	return nil
}

// roots makes empty roots in a folder, and keeps what they have in common.
type roots struct {
	folder string
	goRoot string // of this machine's Go
}

// source is a place of Debian's packages that this machine's apt knows.
type source struct{ uri, suite, component string }

// sources asks apt where this machine has Debian's packages from.
func sources(ctx context.Context) (out []source, err error) {
	apt := exec.CommandContext(ctx, "apt-get", "indextargets", "--format", "$(ORIGIN) $(REPO_URI) $(RELEASE) $(COMPONENT)", "Created-By: Packages")
	apt.Env = os.Environ()
	said, err := apt.Output()
	if err != nil {
		return nil, fmt.Errorf("apt-get indextargets: %w", err)
	}
	for line := range strings.Lines(string(said)) {
		f := strings.Fields(line)
		if len(f) == 4 && f[0] == "Debian" && strings.HasPrefix(f[2], release) {
			out = append(out, source{f[1], f[2], f[3]})
		}
	}
	if !slices.ContainsFunc(out, func(s source) bool { return s.suite == release && s.component == "main" }) {
		return nil, fmt.Errorf("%w: apt on this machine knows no packages of Debian %s, which the empty roots are made of; run: apt-get update, and see its sources", measure.ErrSetUp, release)
	}
	return out, nil
}

// waitDelay is how long the output of a killed process may stay open.
const waitDelay = 10 * time.Second

// alone is what a command line begins with whose process has mounts and processes of its own: they
// end with it, and it ends with ours.
func alone() []string {
	return []string{"setpriv", "--pdeathsig", "KILL", "unshare", "--mount", "--pid", "--fork", "--kill-child"}
}

// base returns the root that all others lie over, and makes it first where there is none.
func (r roots) base(ctx context.Context) (string, error) {
	made := filepath.Join(r.folder, "base")
	if _, err := os.Stat(made); err == nil {
		return made, nil
	}
	from, err := sources(ctx)
	if err != nil {
		return "", err
	}
	half := made + ".half"
	if err := errors.Join(os.RemoveAll(half), os.MkdirAll(half, 0o755)); err != nil {
		return "", err
	}
	i := slices.IndexFunc(from, func(s source) bool { return s.suite == release && s.component == "main" })
	argv := append(alone(), "debootstrap", "--variant=minbase", release, half, from[i].uri)
	bootstrap := exec.CommandContext(ctx, argv[0], argv[1:]...)
	bootstrap.Env, bootstrap.WaitDelay = os.Environ(), waitDelay
	if said, err := bootstrap.CombinedOutput(); err != nil {
		return "", fmt.Errorf("debootstrap: %w: %s", err, lastLines(string(said)))
	}
	var list strings.Builder
	for _, s := range from {
		fmt.Fprintf(&list, "deb %s %s %s\n", s.uri, s.suite, s.component)
	}
	whom, err := os.ReadFile(certificates)
	if err != nil {
		return "", err
	}
	for name, content := range map[string]string{"etc/apt/sources.list": list.String(), "etc/hosts": "127.0.0.1 localhost\n", trusted: string(whom)} {
		path := filepath.Join(half, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			return "", err
		}
	}
	for _, folder := range []string{person, "/project", "/.old", "/usr/local/go"} {
		if err := os.MkdirAll(filepath.Join(half, folder), 0o755); err != nil {
			return "", err
		}
	}
	return made, os.Rename(half, made)
}

// layer returns what a root with the given things lies over, the topmost folder first. What isn't
// there yet is made, a layer for each package: the lowest has apt's lists, as they are on a machine
// that somebody works on.
func (r roots) layer(ctx context.Context, given []string) (string, error) {
	packages := slices.DeleteFunc(slices.Clone(given), func(name string) bool { return name == goTool })
	lower, err := r.base(ctx)
	line := "apt-get update -q"
	if last := len(packages) - 1; last >= 0 {
		lower, err = r.layer(ctx, packages[:last])
		line = "apt-get install -y -q --no-install-recommends -o Dpkg::Options::=--force-unsafe-io " + packages[last]
	}
	if err != nil {
		return "", err
	}
	made := filepath.Join(r.folder, strings.Join(append([]string{"with"}, packages...), "+"))
	if _, err := os.Stat(made); err == nil {
		return made + ":" + lower, nil
	}
	return made + ":" + lower, r.add(ctx, made, lower, line)
}

// add makes a layer of what a line of a shell changes in a root.
func (r roots) add(ctx context.Context, made, lower, line string) (err error) {
	stage, err := os.MkdirTemp(r.folder, "layer-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(stage)) }()
	n, err := newNetwork()
	if err != nil {
		return err
	}
	at := root{lower: lower, stage: stage, network: n}
	err = errors.Join(n.serve(ctx, proxyAt, (&meter{}).forwardProxy()), at.prepare(), at.mount())
	if err == nil {
		said, code, _, failed := at.run(ctx, line)
		if err = failed; err == nil && code != 0 {
			err = fmt.Errorf("%s ended with %d: %s", line, code, lastLines(said))
		}
	}
	if err := errors.Join(err, n.close()); err != nil {
		return err
	}
	return os.Rename(at.upper(), made)
}

// root is a root that a person works in: an empty layer over what must be there.
type root struct {
	lower, stage string
	goRoot       string // where it has Go
	goProxy      string // of other people's modules
	network      *network
}

func (r root) upper() string { return filepath.Join(r.stage, "upper") }

// prepare makes the folders of the empty layer.
func (r root) prepare() error {
	for _, name := range []string{"upper", "work", "root"} {
		if err := os.MkdirAll(filepath.Join(r.stage, name), 0o755); err != nil {
			return err
		}
	}
	return nil
}

// mount lays the empty layer over the others, where whoever works in the root sees it.
func (r root) mount() error {
	return r.network.in(func() error {
		options := "lowerdir=" + r.lower + ",upperdir=" + r.upper() + ",workdir=" + filepath.Join(r.stage, "work")
		if err := unix.Mount("overlay", r.path(), "overlay", 0, options); err != nil {
			return fmt.Errorf("mount an empty layer over %s: %w", r.lower, err)
		}
		return nil
	})
}

// path is the root's own, in its network.
func (r root) path() string { return filepath.Join(r.stage, "root") }

// mounted is what the first process of a command does before that. It turns its root, as engines
// do, instead of calling chroot alone: browsers may make namespaces then. It has few devices, whose
// modes it can't change, and none of the machine's own: terminals and /dev/shm are its own too.
const mounted = `set -e
mount --bind "$ROOT" "$ROOT"
mount -t proc proc "$ROOT/proc"
mount -t tmpfs -o mode=755,nosuid tmpfs "$ROOT/dev"
for device in null zero full random urandom tty; do
	: >"$ROOT/dev/$device"
	mount --bind -o ro "/dev/$device" "$ROOT/dev/$device"
done
mkdir "$ROOT/dev/pts" "$ROOT/dev/shm"
mount -t devpts -o newinstance,ptmxmode=666,mode=620,gid=5 devpts "$ROOT/dev/pts"
mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs "$ROOT/dev/shm"
ln -s pts/ptmx "$ROOT/dev/ptmx"
ln -s /proc/self/fd "$ROOT/dev/fd"
ln -s /proc/self/fd/0 "$ROOT/dev/stdin"
ln -s /proc/self/fd/1 "$ROOT/dev/stdout"
ln -s /proc/self/fd/2 "$ROOT/dev/stderr"
if [ -n "$GO_ROOT" ]; then mount --bind -o ro "$GO_ROOT" "$ROOT/usr/local/go"; fi
cd "$ROOT"
pivot_root . .old
exec chroot . /usr/bin/env -i "$@"`

// argv returns the command line of a process that does a line of a shell in the root, in the
// person's folder.
func (r root) argv(line string) []string {
	inside := []string{"HOME=" + person, "PATH=/usr/local/go/bin:" + person + "/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive", "LANG=C.UTF-8", "TZ=UTC",
		"SSL_CERT_FILE=" + trusted, "NODE_EXTRA_CA_CERTS=" + trusted, "npm_config_registry=http://" + npmAt + "/",
		"GOPROXY=http://" + npmAt + "/go," + r.goProxy, "GONOSUMDB=" + modulePath, "GOTOOLCHAIN=local"}
	for _, name := range []string{"http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"} {
		inside = append(inside, name+"=http://"+proxyAt)
	}
	inside = append(inside, "no_proxy=127.0.0.1,localhost", "NO_PROXY=127.0.0.1,localhost")
	argv := append([]string{"env", "ROOT=" + r.path(), "GO_ROOT=" + r.goRoot}, alone()...)
	argv = append(append(argv, "sh", "-c", mounted, "sh"), inside...)
	return append(argv, "sh", "-ec", "umount -l /.old; cd "+person+"; "+line)
}

// run does a line of a shell in the root, and returns what it said, its exit code, and
// what it cost.
func (r root) run(ctx context.Context, line string) (said string, code int, c cost, err error) {
	argv := r.argv(line)
	var out bytes.Buffer
	err = r.network.in(func() error {
		cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
		cmd.Env, cmd.Dir = os.Environ(), r.stage
		cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &out, waitDelay
		began := time.Now()
		err := cmd.Run()
		c.took = time.Since(began)
		if cmd.ProcessState != nil {
			c.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		}
		return err
	})
	var exit *exec.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil {
		err = nil
		code = exit.ExitCode()
	}
	return out.String(), code, c, err
}

// lastLines returns the end of what a program said.
func lastLines(said string) string {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	return strings.Join(lines[max(0, len(lines)-25):], "\n")
}
