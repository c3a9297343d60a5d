#!/usr/bin/env node
// Starts the program of this platform, which a package of its own carries, once it has the
// SHA-256 that this package was published with. It writes and fetches nothing.
'use strict'

const { spawn } = require('node:child_process')
const { createHash } = require('node:crypto')
const { constants } = require('node:os')
const { readFileSync } = require('node:fs')
const path = require('node:path')

const { version } = require('./package.json')
const programs = require('./programs.json') // by platform: package, path in it, SHA-256

class Refusal extends Error {}

// word returns a path as one word of a command line.
function word(text) {
  if (/^[\w@%+=:,./\\-]+$/.test(text)) return text
  return process.platform === 'win32' ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`
}

// reinstall returns the command that installs the packages again where they lie. npm keeps what
// npx fetched below a folder _npx, and looks at no file in it again.
function reinstall() {
  const root = path.resolve(__dirname, '..', '..')
  if (path.basename(path.dirname(root)) !== '_npx') {
    return `npm uninstall assay-qa && npm install --include=optional assay-qa@${version} (both with -g where it is global)`
  }
  const remove = process.platform === 'win32' ? 'rmdir /s /q' : 'rm -r'
  return `${remove} ${word(root)} && npx -y --include=optional assay-qa version`
}

// program returns the path of the program of this platform.
function program() {
  const platform = `${process.platform}-${process.arch}`
  const wanted = programs[platform]
  if (!wanted) {
    throw new Refusal(`there is no program for ${platform}, only for ${Object.keys(programs).join(', ')}; build it: go install github.com/assay-qa/assay/cmd/assay@latest`)
  }
  let manifest
  try {
    manifest = require.resolve(`${wanted.package}/package.json`)
  } catch {
    throw new Refusal(`the package ${wanted.package} with the program is missing, as --omit=optional or a lock file of another system leaves it out; run: ${reinstall()}`)
  }
  let found
  try {
    found = JSON.parse(readFileSync(manifest, 'utf8')).version
  } catch (err) {
    throw new Refusal(`${manifest} can't be read (${err.message}); run: ${reinstall()}`)
  }
  if (found !== version) {
    throw new Refusal(`${wanted.package} is version ${found}, and assay-qa is ${version}; run: ${reinstall()}`)
  }
  const file = path.join(path.dirname(manifest), wanted.path)
  let sha256
  try {
    sha256 = createHash('sha256').update(readFileSync(file)).digest('hex')
  } catch (err) {
    throw new Refusal(`the program can't be read (${err.message}); run: ${reinstall()}`)
  }
  if (sha256 !== wanted.sha256) {
    throw new Refusal(`${file} is not the program that assay-qa ${version} was published with (its SHA-256 is ${sha256}, ${wanted.sha256} is wanted); run: ${reinstall()}`)
  }
  return file
}

function start(file) {
  const child = spawn(file, process.argv.slice(2), { stdio: 'inherit', windowsHide: true })
  const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => {
    // On Windows kill ends a process at once, and a console tells both itself. A terminal of other systems
    // sends it to both, too: the program counts it once.
    const forward = () => process.platform === 'win32' || child.kill(signal)
    process.on(signal, forward)
    return [signal, forward]
  })
  child.on('error', (err) => {
    const noRight = err.code === 'EACCES' && process.platform !== 'win32' ? `; run: chmod +x ${word(file)}, or install it on a file system that is not mounted noexec` : ''
    end(`${file} can't be started (${err.message})${noRight}`)
  })
  child.on('exit', (code, signal) => {
    for (const [name, forward] of forwarded) process.off(name, forward)
    if (!signal) process.exit(code)
    process.kill(process.pid, signal)
    process.exitCode = 128 + (constants.signals[signal] ?? 0)
  })
}

// end says why nothing runs: exit code 2, as for every wrong set-up.
function end(sentence) {
  process.stderr.write(`assay-qa: ${sentence}\n`)
  process.exitCode = 2
}

try {
  start(program())
} catch (err) {
  if (!(err instanceof Refusal)) throw err
  end(err.message)
}
