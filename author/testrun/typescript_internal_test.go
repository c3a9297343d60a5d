package testrun

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/browsertest"
)

const typedFile = `import { type Page, test, expect, type Locator } from '@playwright/test';
import type { Foo } from './foo';
export type Bar = { a: string; b?: number } | null
interface Baz<T> extends Foo { x: T }
enum Colour { Red = 'red' }
declare const g: string;
abstract class Base<T extends object = {}> implements Foo, Bar {
  readonly submit: Locator;
  private static readonly x?: number = 3;
  protected abstract y: string;
  #p!: string;
  constructor(private readonly page: Page, public n = 1, o?: string) { this.submit = page.getByRole('button') as Locator; }
  get a(): string { return this.page!.url() }
  abstract foo(): void;
  bar(this: Base<any>, x: number): x is number;
  bar(this: Base<any>, x: number) { return true }
  private async baz<T>(a?: T, { b }: { b: number } = {} as any): Promise<
    void
  > { await this.submit.click(); }
  [key: string]: any;
}
const f = async <T,>(x: T): Promise<T> => (x);
let v!: number;
const s = { a: 1 } satisfies object, k = '𝒳é' as const, m = new Map<string, number>();
test('ü', async ({ page }: { page: Page }) => {
  await page.locator<any>('x').click();
  for (const r of [1, 2] as number[]) { expect(r < 3 && r > 0).toBe(true); }
});
export { type Foo as F, f };
export default interface Q {}
`

const untypedFile = `import { test, expect } from '@playwright/test';
;
;
;
;
;
class Base {
submit ;
static x = 3;
;
#p ;
constructor( page , n = 1, o ) { this.submit = page.getByRole('button') ; }
get a() { return this.page .url() }
;
;
bar( x ) { return true }
async baz (a , { b } = {} ) { await this.submit.click(); }
;
}
const f = async (x ) => (x);
let v ;
const s = { a: 1 } , k = '𝒳é' , m = new Map ();
test('ü', async ({ page } ) => {
await page.locator ('x').click();
for (const r of [1, 2] ) { expect(r < 3 && r > 0).toBe(true); }
});
export { f };
;
`

// C5: types are taken out of a test by the runner's own parser, each byte of the rest
// stays where it is, and what does not parse is said for its file alone.
func TestTypesAreTakenOut(t *testing.T) {
	runner := browsertest.TestRunner(t)
	s := &Setup{Project: Project{Modules: runner.Modules(), Node: runner.Node}, temp: t.TempDir(), base: Request{Environ: os.Environ()}}
	plain, err := s.WithoutTypes(t.Context(), []string{"a.ts", "b.ts"}, [][]byte{[]byte(typedFile), []byte("const a: = 1")})
	if err != nil {
		t.Fatal(err)
	}
	got := plain[0].Text
	if plain[0].Err != nil || len(got) != len(typedFile) {
		t.Fatalf("%v, %d bytes in place of %d", plain[0].Err, len(got), len(typedFile))
	}
	for i, c := range got {
		if c != ' ' && c != ';' && c != typedFile[i] {
			t.Fatalf("byte %d: %q in place of %q", i, c, typedFile[i])
		}
	}
	if squeezed(string(got)) != squeezed(untypedFile) {
		t.Errorf("got\n%s", squeezed(string(got)))
	}
	if plain[1].Err == nil || !strings.Contains(plain[1].Err.Error(), "b.ts") {
		t.Errorf("what does not parse: %v", plain[1].Err)
	}
	s.Project.Modules = t.TempDir()
	if plain, err = s.WithoutTypes(t.Context(), []string{"a.ts"}, [][]byte{[]byte(typedFile)}); err != nil || plain[0].Err == nil {
		t.Errorf("without a runner: %v, %v", err, plain)
	}
}

// A file that is too large is refused alone, and the others are read.
func TestTypesOfALargeFile(t *testing.T) {
	runner := browsertest.TestRunner(t)
	s := &Setup{Project: Project{Modules: runner.Modules(), Node: runner.Node}, temp: t.TempDir(), base: Request{Environ: os.Environ()}}
	large := []byte("const a: number = 1; //" + strings.Repeat("(", maxTyped))
	plain, err := s.WithoutTypes(t.Context(), []string{"large.ts", "a.ts"}, [][]byte{large, []byte("let a: string")})
	if err != nil {
		t.Fatal(err)
	}
	if plain[0].Err == nil || !strings.Contains(plain[0].Err.Error(), "split it") {
		t.Errorf("the large file: %v", plain[0].Err)
	}
	if plain[1].Err != nil || squeezed(string(plain[1].Text)) != "let a" {
		t.Errorf("the file beside it: %v, %q", plain[1].Err, plain[1].Text)
	}
}

// A parser that hangs, and leaves another process behind, is ended with it.
func TestTypesFromAParserThatHangs(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program is a script of a shell")
	}
	hung := filepath.Join(t.TempDir(), "node")
	if err := os.WriteFile(hung, []byte("#!/bin/sh\nsleep 1000 &\nsleep 1000\n"), 0o700); err != nil { //nolint:gosec // it is run
		t.Fatal(err)
	}
	s := &Setup{Project: Project{Modules: t.TempDir(), Node: hung}, temp: t.TempDir(), base: Request{Environ: os.Environ()}, typesLimit: time.Millisecond}
	if plain, err := s.WithoutTypes(t.Context(), []string{"a.ts"}, [][]byte{[]byte("let a: string")}); err == nil || !strings.Contains(err.Error(), "no answer within 1ms") {
		t.Errorf("%v, %v", plain, err)
	}
}

// squeezed returns the lines of a text with single spaces, and none at their ends.
func squeezed(text string) string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		line = strings.Join(strings.Fields(line), " ")
		line = strings.NewReplacer("( ", "(", " )", ")", " ,", ",", " ;", ";", "expect, }", "expect }").Replace(line)
		if line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}
