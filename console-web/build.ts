// Builds the console into dist/, unless dist/ already holds exactly this source. Safe beside a running server.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

const here = import.meta.dirname
const root = join(here, '..')
const dist = join(here, 'dist')
const assets = join(dist, 'assets')
const built = join(dist, '.built')

/** Every byte the result depends on, by content: a fresh checkout or a touched file alone is no reason to build. */
const sourceHash = (): string => {
  const hash = createHash('sha256')
  const paths = [
    ...filesUnder(here),
    ...filesUnder(join(root, 'shared')),
    ...filesUnder(join(root, 'server', 'client', 'dist')),
    join(root, 'package-lock.json'),
  ]
  for (const path of paths.sort()) {
    const content = readFileSync(path)
    hash.update(`${relative(root, path)}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

const filesUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => path !== dist && !path.startsWith(dist + sep))

const build = async (hash: string): Promise<void> => {
  const startedAt = Date.now()
  const temp = join(dist, `.building-${process.pid}`)
  // Set before vite is loaded: a NODE_ENV of the shell would otherwise put React's development build into the page.
  process.env.NODE_ENV = 'production'
  const vite = await import('vite')
  let bytes = 0
  try {
    await vite.build({
      configFile: join(here, 'vite.config.ts'),
      logLevel: 'warn',
      mode: 'production',
      build: { outDir: temp, emptyOutDir: true },
    })
    await compress(join(temp, 'assets'))
    const published = publish(temp).filter((name) => !COMPRESSED.test(name))
    bytes = published.reduce((sum, name) => sum + statSync(join(assets, name)).size, 0)
    writeFileSync(`${built}.new`, hash)
    renameSync(`${built}.new`, built)
  } finally {
    rmSync(temp, { recursive: true, force: true })
  }
  console.log(
    `console: built in ${((Date.now() - startedAt) / 1000).toFixed(1)} s (${Math.round(bytes / 1024)} kB)`,
  )
}

const COMPRESSED = /\.(br|gz)$/
const TEXTS = new Set(['.js', '.css', '.svg', '.json'])
/** Of what is smaller, the head of a compressed answer grows by about what its body loses. */
const LEAST_BYTES = 512

/** Writes the compressed forms of each text beside it, at the best quality, because they are made once. */
const compress = async (folder: string): Promise<void> => {
  const forms = [
    ['br', promisify(brotliCompress)],
    ['gz', (text: Buffer) => promisify(gzip)(text, { level: 9 })],
  ] as const
  const texts = readdirSync(folder).filter((name) => TEXTS.has(extname(name)))
  await Promise.all(
    texts.map(async (name) => {
      const text = readFileSync(join(folder, name))
      if (text.length < LEAST_BYTES) return
      for (const [ending, make] of forms) writeFileSync(join(folder, `${name}.${ending}`), await make(text))
    }),
  )
}

/**
 * Assets first (their names carry their hash, so nothing is ever overwritten by something else), then index.html by
 * rename: that is the commit point. Whoever loaded the page before it still finds the assets of the build it names.
 */
const publish = (temp: string): string[] => {
  mkdirSync(assets, { recursive: true })
  const before = assetsNamedBy(join(dist, 'index.html'))
  const now = readdirSync(join(temp, 'assets'))
  for (const name of now) renameSync(join(temp, 'assets', name), join(assets, name))
  renameSync(join(temp, 'index.html'), join(dist, 'index.html'))
  const keep = new Set([...before, ...now])
  for (const name of readdirSync(assets))
    if (!keep.has(name.replace(COMPRESSED, ''))) rmSync(join(assets, name), { force: true })
  return now
}

/** What a page needs, now or when one of its links is opened: names in the page, and names in the scripts it names. */
const assetsNamedBy = (page: string): string[] => {
  try {
    const present = readdirSync(assets)
    const named = new Set<string>()
    const texts = [readFileSync(page, 'utf8')]
    for (const text of texts)
      for (const name of present) {
        if (named.has(name) || !text.includes(name)) continue
        named.add(name)
        if (name.endsWith('.js')) texts.push(readFileSync(join(assets, name), 'utf8'))
      }
    return [...named]
  } catch {
    return []
  }
}

const isBuilt = (hash: string): boolean => {
  try {
    return readFileSync(built, 'utf8') === hash && statSync(join(dist, 'index.html')).isFile()
  } catch {
    return false
  }
}

const hash = sourceHash()
if (!isBuilt(hash)) await build(hash)
