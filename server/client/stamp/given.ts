// What the words of `pharos stamp` name: files, a folder, standard input, digests, or a list.
import { Buffer } from 'node:buffer'
import { realpathSync } from 'node:fs'
import { parse, resolve } from 'node:path'
import { type Surroundings, textOption, textOptions } from '../../../shared/cli/command.ts'
import { Complaint, type Terminal } from '../../../shared/cli/terminal.ts'
import { fromHex, hexOrUndefined } from '../../../shared/proof/bytes.ts'
import { HASH_TYPES, isHashType } from '../../../shared/proof/claims.ts'
import { hashData } from './hash_file.ts'
import { listed } from './lists.ts'
import { STDOUT } from './places.ts'
import {
  filesUnder,
  foundAt,
  type GivenDigest,
  type LeftOut,
  namedFiles,
  requireNoFolder,
  type Source,
} from './sources.ts'

/** More files than that become one item and a manifest, unless each is to have its own. */
export const MOST_ALONE = 256

/** What is to be stamped, before anything of it is read. */
export interface GivenFiles {
  readonly sources: AsyncIterable<Source>
  /** Where a manifest of it goes without `-o`. */
  readonly manifest: string
  /** A folder has a manifest however few files are in it. */
  readonly folder?: string
}

/** @throws Complaint unless it is exactly one of them */
export async function givenBy(
  { terminal, values }: Surroundings,
  words: readonly string[],
  leftOut: LeftOut,
): Promise<GivenFiles> {
  const hashes = textOptions(values, 'hash')
  const from = textOption(values, 'from')
  if ([words.length > 0, hashes.length > 0, from !== undefined].filter(Boolean).length !== 1)
    throw new Complaint('Name files, or one folder, or digests (--hash), or a list of them (--from).')
  if (from !== undefined && from !== '-') requireNoFolder(from)
  if (from !== undefined)
    return { sources: listed(from, leftOut), manifest: `${from === '-' ? 'files' : from}.pharos` }
  const out = textOption(values, 'out')
  if (hashes.length > 0) {
    const digests = new Map(hashes.map(givenDigest).map((one) => [`${one.path}:${one.digest.type}`, one]))
    return { sources: oneByOne(withOwnPaths([...digests.values()])), manifest: 'files.pharos' }
  }
  const [only = '', ...more] = words
  if (more.length === 0 && only === '-')
    return { sources: oneByOne([await digestOfInput(terminal)]), manifest: 'files.pharos' }
  if (words.includes('-')) throw new Complaint('Standard input is stamped alone.')
  if (more.length === 0 && foundAt(only).isDirectory())
    return { sources: oneByOne(filesUnder(only, leftOut)), manifest: manifestOf(only), folder: only }
  // Before anything is asked, because a mistyped name is common.
  const files = [...namedFiles(eachOnce(words), leftOut)]
  const isTree = values.each !== true && files.length > MOST_ALONE
  // Beside the files there is a place for each of them.
  const isPlaced = isTree || (out !== undefined && out !== STDOUT)
  const sources = isPlaced ? withOwnPaths(files) : files
  return { sources: oneByOne(isTree ? inOrderOfPaths(sources) : sources), manifest: 'files.pharos' }
}

/** A file that is named in two ways is one. @throws Complaint for a folder, and where there is nothing */
function eachOnce(names: readonly string[]): Iterable<string> {
  const byRealPaths = new Map<string, string>()
  for (const name of names) {
    const path = requireNoFolder(name).isSymbolicLink() ? resolve(name) : realpathSync.native(name)
    if (!byRealPaths.has(path)) byRealPaths.set(path, name)
  }
  return byRealPaths.values()
}

/** @throws Complaint when two of them would have their evidence at one place, or one path in a manifest */
function withOwnPaths<T extends Source>(sources: readonly T[]): readonly T[] {
  const byPath = new Map<string, T>()
  for (const source of sources) {
    const other = byPath.get(source.path)
    if (other !== undefined)
      throw new Complaint(
        `Two of them would be called ${source.path}: ${nameOf(other)} and ${nameOf(source)}.`,
        {
          advice: 'Stamp them by two commands, each with a place of its own: -o <folder>/',
        },
      )
    byPath.set(source.path, source)
  }
  return sources
}

const nameOf = (source: Source): string =>
  'at' in source ? String(source.at) : `the digest by ${source.digest.type}`

/** As a manifest has them. */
const inOrderOfPaths = <T extends Source>(sources: readonly T[]): T[] =>
  sources
    .map((source) => ({ bytes: Buffer.from(source.path), source }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ source }) => source)

/** Beside the folder. @throws Complaint for the root, which is beside nothing */
function manifestOf(folder: string): string {
  const path = /(^|[/\\])\.{1,2}[/\\]*$/.test(folder) ? resolve(folder) : folder.replace(/[/\\]+$/, '')
  if (path === '' || path === parse(path).root)
    throw new Complaint(`There is no place beside ${folder} for its manifest.`, {
      advice: 'Name one: -o <place>',
    })
  return `${path}.pharos`
}

async function* oneByOne<T>(all: Iterable<T>): AsyncGenerator<T> {
  yield* all
}

/** `HEX` or `HEX:TYPE`. @throws Complaint */
function givenDigest(text: string): GivenDigest {
  const [hex = '', type = 'sha256', ...more] = text.toLowerCase().split(':')
  const value = hexOrUndefined(hex)
  if (!isHashType(type) || more.length > 0)
    throw new Complaint(
      `--hash is HEX or HEX:TYPE, and a type is one of ${Object.keys(HASH_TYPES).join(', ')}.`,
    )
  if (value === undefined || hex.length !== HASH_TYPES[type])
    throw new Complaint(`${text} is no digest by ${type}: that is ${HASH_TYPES[type]} hex characters.`)
  return { path: hex, digest: { type, value } }
}

async function digestOfInput(terminal: Terminal): Promise<GivenDigest> {
  const hex = await hashData(terminal, '-', 'sha256')
  return { path: hex, digest: { type: 'sha256', value: fromHex(hex) } }
}

/** The first few, and all of them with those. */
export async function begun<T>(
  sources: AsyncIterable<T>,
  most: number,
): Promise<{ readonly first: readonly T[]; readonly all: AsyncIterable<T> }> {
  const first: T[] = []
  const coming = sources[Symbol.asyncIterator]()
  while (first.length < most) {
    const { value, done } = await coming.next()
    if (done === true) break
    first.push(value)
  }
  async function* all(): AsyncGenerator<T> {
    yield* first
    for (let next = await coming.next(); next.done !== true; next = await coming.next()) yield next.value
  }
  return { first, all: all() }
}
