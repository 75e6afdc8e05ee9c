// What the words of `pharos stamp` name: files, a folder, standard input, digests, or a list.
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { parse, resolve } from 'node:path'
import { type Surroundings, textOption, textOptions, type Values } from '../../../shared/cli/command.ts'
import { Complaint } from '../../../shared/cli/terminal.ts'
import { hexOrUndefined, toHex } from '../../../shared/proof/bytes.ts'
import { HASH_TYPES, isHashType } from '../../../shared/proof/claims.ts'
import { listed } from './lists.ts'
import {
  filesUnder,
  foundAt,
  type GivenDigest,
  type LeftOut,
  namedFiles,
  pathOf,
  requireNoFolder,
  type Source,
} from './sources.ts'

/** More files than that become one item and a manifest, unless each is to have its own. */
export const MOST_ALONE = 256

/** What is to be stamped, before anything of it is read. */
export interface Given {
  readonly sources: AsyncIterable<Source>
  /** Where a manifest of it goes without `-o`. */
  readonly manifest: string
  /** A folder has a manifest however few files are in it. */
  readonly folder?: string
}

/** @throws Complaint unless it is exactly one of them */
export async function givenBy(
  { self }: Surroundings,
  {
    values,
    words,
    leftOut,
  }: { readonly values: Values; readonly words: readonly string[]; readonly leftOut: LeftOut },
): Promise<Given> {
  const hashes = textOptions(values, 'hash')
  const from = textOption(values, 'from')
  if ([words.length > 0, hashes.length > 0, from !== undefined].filter(Boolean).length !== 1)
    throw new Complaint('Name files, or one folder, or digests (--hash), or a list of them (--from).', {
      advice: `${self} stamp --help`,
    })
  if (from !== undefined && from !== '-') requireNoFolder(from)
  if (from !== undefined)
    return { sources: listed(from, leftOut), manifest: `${from === '-' ? 'files' : from}.pharos` }
  if (hashes.length > 0) return { sources: oneByOne(hashes.map(givenDigest)), manifest: 'files.pharos' }
  const [only = '', ...more] = words
  if (more.length === 0 && only === '-')
    return { sources: oneByOne([await digestOfInput()]), manifest: 'files.pharos' }
  if (words.includes('-')) throw new Complaint('Standard input is stamped alone.')
  if (more.length === 0 && foundAt(only).isDirectory())
    return { sources: oneByOne(filesUnder(only, leftOut)), manifest: manifestOf(only), folder: only }
  // Before anything is asked, because a mistyped name is common.
  for (const name of words) requireNoFolder(name)
  const files = words.length > MOST_ALONE ? inOrderOfPaths(words) : words
  return { sources: oneByOne(namedFiles(new Set(files), leftOut)), manifest: 'files.pharos' }
}

/** As a manifest has them. A file that is named in two ways is one. */
function inOrderOfPaths(names: readonly string[]): string[] {
  const ofPaths = new Map(names.map((name) => [pathOf(name), name]))
  return [...ofPaths]
    .map(([path, name]) => ({ bytes: Buffer.from(path), name }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ name }) => name)
}

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

async function digestOfInput(): Promise<GivenDigest> {
  const hash = createHash('sha256')
  for await (const chunk of process.stdin) hash.update(chunk)
  const value = new Uint8Array(hash.digest())
  return { path: toHex(value), digest: { type: 'sha256', value } }
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
