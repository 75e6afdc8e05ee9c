// Hashes files: regular ones that nobody writes to meanwhile, and by what to see that one was not touched since; or any one,
// or standard input, with its progress.
import { createHash, getHashes } from 'node:crypto'
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  read,
  readSync,
} from 'node:fs'
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { Complaint, codeOf, paced, printable, type Terminal } from '../../../shared/cli/terminal.ts'
import { toHex } from '../../../shared/proof/bytes.ts'
import { type HashType, opensslName } from '../../../shared/proof/claims.ts'
import { type Digest, startDigest } from '../../../shared/verifier/digest.ts'
import { piecesOf, unreadable } from '../files.ts'

export interface FilePlace {
  /** Of a manifest, and for words. */
  readonly path: string
  /** Where it lies: bytes where its name may be no text. */
  readonly at: string | Buffer
}

export type HashedFile = Readonly<Awaited<ReturnType<typeof hashFile>>>

/** @throws Complaint when it is no regular file, cannot be read, or changes meanwhile */
export async function hashFile(
  { path, at }: FilePlace,
  { type = 'sha256', hear = () => undefined }: { type?: HashType; hear?: (bytes: number) => void } = {},
) {
  const digest = fastDigest(type)
  try {
    const file = openSync(at, READ_NO_LINK)
    try {
      const found = fstatSync(file, { bigint: true })
      if (!found.isFile()) throw new Complaint(`${path} is not a regular file.`)
      const bytes = found.size > CHUNK ? await hashAlong(file, digest, hear) : hashAtOnce(file, digest)
      // By its name: another file may have taken its place.
      if (BigInt(bytes) !== found.size || markAt(at) !== markOf(found)) throw changed(path)
      /** What `markAt` says of the file for as long as it is not touched. Empty when that cannot be told. */
      const mark = isSettled(found) ? markOf(found) : ''
      return { value: digest.digest(), mark }
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if (codeOf(error) === 'ELOOP') throw new Complaint(`${path} is a link, and links are not followed.`)
    throw unreadable(path, error)
  }
}

/** A pipe that took the place of a file would keep the program waiting for who writes to it. */
const READ_NO_LINK = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

const changed = (path: string): Complaint =>
  new Complaint(`${path} changed while it was hashed.`, { advice: 'Try again once nobody writes to it.' })

/** Differs when the file was written or replaced. Undefined when there is none. */
export function markAt(at: string | Buffer): string | undefined {
  const found = lstatSync(at, { bigint: true, throwIfNoEntry: false })
  return found?.isFile() === true ? markOf(found) : undefined
}

const markOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  [dev, ino, size, mtimeNs, ctimeNs].map((number) => number.toString(36)).join('.')

/** A file that was written just now may be written again within the same tick of its clock. */
const isSettled = ({ ctimeNs }: BigIntStats): boolean =>
  BigInt(Date.now()) * 1_000_000n - ctimeNs > SETTLED_NS

const SETTLED_NS = 100_000_000n

/** Files up to here are read in one go, because waiting for a read takes longer than the read. */
const CHUNK = 1_048_576

const ONE_FILE = Buffer.alloc(CHUNK)

function hashAtOnce(file: number, digest: Digest): number {
  const bytes = readSync(file, ONE_FILE, 0, CHUNK, null)
  digest.update(ONE_FILE.subarray(0, bytes))
  return bytes
}

/** One piece is read while the one before it is hashed. */
async function hashAlong(file: number, digest: Digest, hear: (bytes: number) => void): Promise<number> {
  let [filling, full] = [Buffer.allocUnsafe(CHUNK), Buffer.allocUnsafe(CHUNK)]
  let size = 0
  let reading = readInto(file, filling, 0, CHUNK, null)
  for (;;) {
    const { bytesRead } = await reading
    if (bytesRead === 0) return size
    ;[filling, full] = [full, filling]
    reading = readInto(file, filling, 0, CHUNK, null)
    digest.update(full.subarray(0, bytesRead))
    size += bytesRead
    hear(bytesRead)
  }
}

const readInto = promisify(read)

/** Lowercase hex. @param name of a file, or - for standard input. @throws Complaint when it cannot be read */
export async function hashData({ progress }: Terminal, name: string, type: HashType): Promise<string> {
  const digest = fastDigest(type)
  const isInput = name === '-'
  const total = isInput ? 0 : ((await stat(name).catch(() => undefined))?.size ?? 0)
  const shown = isInput ? 'standard input' : printable(name)
  const tell = paced(progress, { firstMs: 1_000, everyMs: 200 })
  let done = 0
  try {
    for await (const piece of piecesOf(name)) {
      digest.update(piece)
      done += piece.length
      tell(() => `${type} of ${shown}: ${share(done, total)}`)
    }
  } finally {
    progress?.('')
  }
  return toHex(digest.digest())
}

const share = (done: number, total: number): string =>
  total > 0 ? `${Math.floor((100 * Math.min(done, total)) / total)} %` : `${Math.floor(done / 1_048_576)} MiB`

/**
 * Uses OpenSSL when this Node has the function, because it is several times faster. The set of functions
 * differs by build and by policy.
 */
const fastDigest = (type: HashType): Digest => {
  const name = opensslName(type)
  return getHashes().includes(name) ? createHash(name) : startDigest(type)
}
