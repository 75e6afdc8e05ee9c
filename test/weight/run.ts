// Prints what the house weighs. With `--since <commit>` also what it weighed then. Ends with 1 where a folder or a file
// is too large to be read in one go.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { exportedTwice, folders, rawLines, type Sources, type Weight, weigh } from './weigh.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')
const TOPS = ['server', 'shared', 'console-web']
/** Where one name has one meaning. In the console each room has its own `stateOf`. */
const NAMED_ONCE = /^(server|shared)\//
const CEILINGS = { folder: 25, file: 300 } as const

const AS_STORED = 'an attribute is written with the kind of it, and stored in the column of it'

/** Names that more than one file may export, with the reason. */
const MAY_BE_TWICE: Readonly<Record<string, string>> = {
  info: 'a command has the name that is typed, and a finding that of its level',
  instant: AS_STORED,
  jsonObject: AS_STORED,
  text: AS_STORED,
  verifySignature: 'one contract, met by Node and by a library that browsers run too',
}

/** Migrations are written once and never read again in one go. */
const KEPT = 'server/store/migrations'

const git = (...words: readonly string[]): string =>
  execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', maxBuffer: 256 * 1_024 * 1_024 })

const isSource = (path: string): boolean => /\.(tsx?|css)$/.test(path)
const isStyle = (path: string): boolean => path.endsWith('.css')

function sourcesNow(): Sources {
  const paths = git('ls-files', '-co', '--exclude-standard', ...TOPS).split('\n')
  const gone = new Set(git('ls-files', '-d', ...TOPS).split('\n'))
  return new Map(
    paths
      .filter((path) => isSource(path) && !gone.has(path))
      .map((path) => [path, readFileSync(resolve(ROOT, path), 'utf8')]),
  )
}

const sourcesAt = (commit: string): Sources =>
  new Map(
    git('ls-tree', '-r', '--name-only', commit, ...TOPS)
      .split('\n')
      .filter(isSource)
      .map((path) => [path, git('show', `${commit}:${path}`)]),
  )

const HEAD = ['files', 'lines', 'median', 'near', 'exported'] as const

const cells = (weight: Weight | undefined): string =>
  HEAD.map((name) => String(weight?.[name] ?? '').padStart(9)).join('')

function print(now: Sources, then: Sources | undefined): void {
  const only = (sources: Sources, wanted: (path: string) => boolean): Sources =>
    new Map([...sources].filter(([path]) => wanted(path)))
  const at = folders(now)
  const before = then === undefined ? undefined : folders(then)
  const row = (name: string, of: Sources | undefined, old: Sources | undefined): void =>
    console.log(
      name.padEnd(36) +
        (before === undefined ? '' : `${cells(old && weigh(old))}  |`) +
        cells(of && weigh(of)),
    )
  const top = (sources: Sources | undefined, name: string): Sources | undefined =>
    sources && only(sources, (path) => path.startsWith(`${name}/`) && !isStyle(path))
  const head = HEAD.map((name) => name.padStart(9)).join('')
  console.log(' '.repeat(36) + (before === undefined ? '' : `${head}  |`) + head)
  for (const name of [...new Set([...at.keys(), ...(before?.keys() ?? [])])].sort())
    row(name, at.get(name), before?.get(name))
  for (const name of TOPS) row(`all of ${name}`, top(now, name), top(then, name))
  row(
    'all',
    only(now, (path) => !isStyle(path)),
    then && only(then, (path) => !isStyle(path)),
  )
  const styles = (path: string): boolean => path.startsWith('console-web/') && isStyle(path)
  row('style sheets of console-web', only(now, styles), then && only(then, styles))
  for (const [name, paths] of exportedTwice(only(now, (path) => NAMED_ONCE.test(path))))
    console.log(`exported twice: ${name} (${paths.join(', ')}): ${MAY_BE_TWICE[name] ?? 'no reason known'}`)
}

function tooLarge(sources: Sources): string[] {
  const ofFolders = [...folders(sources)]
    .filter(([folder, files]) => folder !== KEPT && files.size > CEILINGS.folder)
    .map(
      ([folder, files]) =>
        `${folder} has ${files.size} files, and at most ${CEILINGS.folder} are read in one go`,
    )
  const ofFiles = [...sources]
    .filter(([, text]) => rawLines(text) > CEILINGS.file)
    .map(
      ([path, text]) =>
        `${path} has ${rawLines(text)} lines, and at most ${CEILINGS.file} are read in one go`,
    )
  return [...ofFolders, ...ofFiles]
}

const { values } = parseArgs({ options: { since: { type: 'string' } } })
const now = sourcesNow()
print(now, values.since === undefined ? undefined : sourcesAt(values.since))
const offenders = tooLarge(now)
for (const line of offenders) console.error(line)
process.exitCode = offenders.length === 0 ? 0 : 1
