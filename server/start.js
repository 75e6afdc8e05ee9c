// Runs a TypeScript entry of this project, or says in one line why this Node cannot.
// Plain JavaScript on purpose: an older Node would fail on the first `.ts` with a riddle.
import module from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Pharos needs Node 22.18 or later and was started with ${process.versions.node}. ` +
      'Run it through npm (npm ci && npm start): the project brings its own Node 24.',
  )
  process.exit(1)
}
const [entry, ...args] = process.argv.slice(2)
// Compiled code is kept for commands, because compiling takes half of a start. A server and a bench do without it: code that
// V8 has read back stays slower for as long as the process lives (test/bench/README.md). Where the folder cannot be
// written, nothing is kept.
if (!/^(server\/(main|worker)\.ts|test\/bench\/)/.test(entry))
  module.enableCompileCache(
    process.env.NODE_COMPILE_CACHE ??
      resolve(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled'),
  )
const path = resolve(import.meta.dirname, '..', entry)
process.argv = [process.argv[0], path, ...args]
await import(pathToFileURL(path).href)
