// Bundles the command line into dist/, which is also a package that `npm pack` takes: one file without dependencies that
// runs on Node 20 and later, and beside it the same sources bundled readably. The files are committed, so that a checkout
// has them at once and anyone can rebuild and compare them: node server/start.js server/client/build.ts
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { build, type Plugin } from 'vite'
import manifest from '../../package.json' with { type: 'json' }

const ROOT = resolve(import.meta.dirname, '..', '..')

/** What `npm pack` makes a package of. */
export const BUILT_FOLDER = join(import.meta.dirname, 'dist')

export const BUILT_FILE = join(BUILT_FOLDER, 'pharos.mjs')

/** For people who want to read the code that decides what is valid. */
export const READABLE_FILE = join(BUILT_FOLDER, 'pharos.readable.mjs')

/** The texts of the folder by the names of its files. The same sources and packages always give the same texts. */
export async function builtFiles(): Promise<Readonly<Record<string, string>>> {
  const license = readFileSync(join(ROOT, 'LICENSE'), 'utf8')
  const [small, readable] = await Promise.all([bundle({ minify: true }), bundle({ minify: false })])
  const notices = noticesOf(small.packages)
  const fileOf = (code: string): string => `${BANNER}\n${code.trim()}\n${notices}`
  return {
    'pharos.mjs': fileOf(small.code),
    'pharos.readable.mjs': fileOf(readable.code),
    'package.json': `${JSON.stringify(PACKAGE, null, 2)}\n`,
    LICENSE: license,
  }
}

const BANNER = [
  '#!/usr/bin/env node',
  '// Pharos: makes, fetches and verifies proofs. Runs alone on Node 20 or later: node pharos.mjs --help',
  '// Made from server/client/ and shared/ by server/client/build.ts. MIT licence; those of what is bundled stand below.',
].join('\n')

/** Private, so that nobody publishes it by mistake under a name that belongs to somebody else. */
const PACKAGE = {
  name: manifest.name,
  version: manifest.version,
  description: 'The command line of Pharos: makes, fetches and verifies proofs',
  license: manifest.license,
  private: true,
  type: 'module',
  bin: { pharos: 'pharos.mjs' },
  files: ['pharos.mjs', 'pharos.readable.mjs'],
  engines: { node: '>=20' },
}

/** Otherwise scripts and dependencies of the whole project would be bundled. */
const VERSION_ALONE: Plugin = {
  name: 'version-alone',
  load: (id) => (id === join(ROOT, 'package.json') ? JSON.stringify({ version: manifest.version }) : null),
}

async function bundle({ minify }: { readonly minify: boolean }) {
  const result = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    plugins: [VERSION_ALONE],
    ssr: { noExternal: true },
    build: {
      ssr: join(import.meta.dirname, 'main.ts'),
      target: 'node20',
      write: false,
      minify,
      rolldownOptions: {
        output: { format: 'es', entryFileNames: 'pharos.mjs', codeSplitting: false },
        // What few commands need would otherwise be compiled at every start.
        optimization: { pifeForModuleWrappers: false },
      },
    },
  })
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((one) =>
    'output' in one ? one.output : [],
  )
  const [chunk, ...more] = outputs
  if (chunk?.type !== 'chunk' || more.length > 0) throw new Error('The bundle is not one file.')
  const folders = chunk.moduleIds.flatMap(
    (id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll('\\', '/'))?.[0] ?? [],
  )
  /** The folders of the packages in it. */
  const packages = [...new Set(folders)].sort()
  return { code: chunk.code, packages }
}

/** The licences of the packages as a comment: they ask to be kept with every copy. */
function noticesOf(packages: readonly string[]): string {
  const notices = packages.map((folder) => {
    const { name, version }: Pick<typeof manifest, 'name' | 'version'> = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    )
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
    if (file === undefined) throw new Error(`${name} has no licence to keep.`)
    return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}`
  })
  const text = notices.join('\n\n---\n\n').replaceAll('*/', '* /')
  return `/*!\nBundled:\n\n${text}\n*/\n`
}

if (process.argv[1] === import.meta.filename) {
  mkdirSync(BUILT_FOLDER, { recursive: true })
  const files = await builtFiles()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(BUILT_FOLDER, name), text)
  for (const file of [BUILT_FILE, READABLE_FILE]) chmodSync(file, 0o755)
  const sizes = Object.entries(files).map(([name, text]) => `${name} ${Math.round(text.length / 1024)} kB`)
  console.log(`command line: built ${sizes.join(', ')}`)
}
