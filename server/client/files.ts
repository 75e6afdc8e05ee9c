// Files of a command: reads one, or standard input for `-`, up to a ceiling; writes what a command made, or remembers.
import { createHash, randomBytes } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { Complaint, codeOf, printable, wordsOf } from '../../shared/cli/terminal.ts'
import { readOrUndefined } from '../../shared/proof/bytes.ts'
import type { JsonValue } from '../../shared/proof/json_value.ts'
import { readStrictJson } from '../../shared/proof/strict_json.ts'

/** @throws Complaint when it cannot be read or is larger than `most` bytes */
export async function readNamed(name: string, most: number): Promise<Uint8Array> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of piecesOf(name)) {
    size += piece.length
    if (size > most) throw new Complaint(`${shownName(name)} is larger than ${most / 1024} KiB.`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** @throws Complaint when it cannot be read */
export async function* piecesOf(name: string): AsyncGenerator<Buffer> {
  try {
    const stream =
      name === '-' ? process.stdin : (await open(name)).createReadStream({ highWaterMark: PIECE })
    for await (const piece of stream) yield Buffer.from(piece)
  } catch (error) {
    throw unreadable(name, error)
  }
}

/** Bytes. What is made of the lines of one piece is in memory together. */
const PIECE = 65_536

export const unreadable = (name: string, error: unknown): Complaint => {
  if (error instanceof Complaint) return error
  const shown = shownName(name)
  switch (codeOf(error)) {
    case 'ENOENT':
      return new Complaint(`There is no file ${shown}.`)
    case 'EISDIR':
      return new Complaint(`${shown} is a folder, not a file.`)
    case 'EACCES':
      return new Complaint(`${shown} may not be read by this account.`)
    default:
      return new Complaint(`${shown} could not be read: ${wordsOf(error)}`)
  }
}

const shownName = (name: string): string => (name === '-' ? 'Standard input' : name)

/** @throws Complaint when the file at this path cannot be written */
export async function written<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Complaint) throw error
    throw new Complaint(`${path} could not be written: ${wordsOf(error)}`)
  }
}

/** @throws Complaint */
export const writeMade = (path: string, bytes: Uint8Array): Promise<void> =>
  written(basename(path), async () => {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
  })

/** @throws Complaint unless it is a regular file: a pipe may never end, and nothing else can be replaced */
export async function statRegular(name: string): Promise<BigIntStats> {
  const found = await stat(name, { bigint: true }).catch((error: unknown) => {
    throw unreadable(name, error)
  })
  if (found.isFile()) return found
  throw new Complaint(`${name} is not a regular file.`)
}

/** Whether the file was neither replaced nor written between the two looks. */
export const isUntouched = (before: BigIntStats, now: BigIntStats): boolean =>
  (['dev', 'ino', 'size', 'mtimeNs'] as const).every((one) => before[one] === now[one])

/** What is remembered from one command to the next. */
export const configFolder = (env: NodeJS.ProcessEnv): string =>
  env.PHAROS_CONFIG_DIR || join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'pharos')

/** What a program that was killed has left of it is in nobody's way. */
export const freshBeside = (path: string): string =>
  unfinishedAt(path, `.${randomBytes(6).toString('hex')}.new`)

/** Where something lies until it is whole: always the same for the same ending, and no name that is too long. */
export function unfinishedAt(path: string, ending: string): string {
  const name = basename(path)
  if (Buffer.byteLength(name) + ending.length <= LONGEST_NAME_BYTES) return `${path}${ending}`
  const short = createHash('sha256').update(name).digest('hex').slice(0, 24)
  return join(dirname(path), `${short}.pharos${ending}`)
}

/** What every file system takes: most take 255, and some that encrypt names take this. */
const LONGEST_NAME_BYTES = 143

/**
 * The file is there in whole: as it was, or as it is to be.
 * @param mode by default it is for its owner alone
 * @param check is asked last, and throws when the file is to stay as it is
 */
export async function replaceFile(
  path: string,
  content: string | AsyncIterable<Uint8Array>,
  { mode = 0o600, check }: { readonly mode?: number; readonly check?: () => Promise<void> } = {},
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const fresh = freshBeside(path)
  const file = await open(fresh, 'wx', 0o600)
  try {
    try {
      await writeFile(file, content)
      // Exactly: the umask applies only when a file is made.
      await file.chmod(mode)
      await file.sync()
    } finally {
      await file.close()
    }
    await check?.()
    await rename(fresh, path)
  } catch (error) {
    await rm(fresh, { force: true })
    throw error
  }
}

/**
 * What `read` makes of the JSON in a file that this program keeps. Undefined where there is no file.
 * @throws Complaint when it cannot be read, and `strange` when `read` makes nothing of it
 */
export async function readKept<T>(
  path: string,
  read: (document: JsonValue) => T | undefined,
  strange: Complaint,
): Promise<T | undefined> {
  const bytes = await readFile(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw new Complaint(`${path} cannot be read: ${wordsOf(error)}.`)
  })
  if (bytes === undefined) return undefined
  const document = readOrUndefined(() => readStrictJson(bytes))
  const found = document === undefined ? undefined : read(document)
  if (found === undefined) throw strange
  return found
}

/** @throws Complaint */
export async function writeKept(path: string, text: string): Promise<void> {
  try {
    await replaceFile(path, text)
  } catch (error) {
    throw new Complaint(`${path} cannot be written: ${wordsOf(error)}.`)
  }
}

/** What a look at a file or a folder gives where there is none. */
export const noneThere = (error: unknown): undefined => {
  if (codeOf(error) === 'ENOENT') return undefined
  throw error
}

/**
 * For a shell. What begins with a dash would be read as an option. What steers a terminal has escapes, as bash and zsh
 * read them.
 */
export const quoted = (text: string): string => {
  const word = text.startsWith('-') ? `./${text}` : text
  if (/^[\w./-]+$/.test(word)) return word
  if (printable(word) === word) return `'${word.replaceAll("'", `'\\''`)}'`
  return `$'${[...Buffer.from(word)].map(escaped).join('')}'`
}

const escaped = (byte: number): string => {
  const letter = String.fromCharCode(byte)
  return /^[ -&(-[\]-~]$/.test(letter) ? letter : `\\x${byte.toString(16).padStart(2, '0')}`
}
