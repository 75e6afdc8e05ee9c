// A manifest under way, `NAME.pharos.part`: what was hashed so far, with the salts that make its tree what it is. A later run
// of the same command goes on from there, makes the same tree, and so gets the same item.
import { createHash, randomBytes } from 'node:crypto'
import { constants, mkdirSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Complaint } from '../../../shared/cli/terminal.ts'
import { SALT_BYTES } from '../../../shared/evidence/digest_tree.ts'
import { EvidenceRejected } from '../../../shared/evidence/evidence.ts'
import { readEntryLine, writeEntry } from '../../../shared/evidence/manifest.ts'
import { LONGEST_LINE_BYTES, type ManifestEntry } from '../../../shared/evidence/manifest_tree.ts'
import { fromHex, readOrError, toHex } from '../../../shared/proof/bytes.ts'
import { written } from '../files.ts'

export interface DraftEntry extends ManifestEntry {
  /** What `markAt` said of the file when it was hashed. */
  readonly mark: string
}

/** The first line says what it is, with the salt of the names. Every other one is a mark, a tab, and a line of the manifest. */
export class Draft {
  readonly namesSalt: Uint8Array
  readonly #path: string
  readonly #file: FileHandle
  /** What an earlier run has left. Undefined once something else is to come. */
  #earlier: AsyncGenerator<Line> | undefined
  /** Bytes that count: of the lines that were kept, and of those that were written. */
  #size: number
  /** Added, and not written yet. */
  #waiting: string
  /** Whether nothing lies behind what counts. */
  #isTrimmed: boolean
  /** Over all that counts. */
  readonly #sum = createHash('sha256')

  private constructor(path: string, file: FileHandle, { namesSalt, earlier }: Begun) {
    this.namesSalt = namesSalt
    this.#path = path
    this.#file = file
    this.#earlier = earlier
    this.#isTrimmed = earlier === undefined
    this.#size = this.#isTrimmed ? 0 : FIRST_LINE_BYTES
    this.#waiting = this.#isTrimmed ? firstLine(namesSalt) : ''
    if (!this.#isTrimmed) this.#sum.update(firstLine(namesSalt))
  }

  /** Goes on with what is at this place, or begins anew. @throws Complaint when there is something else */
  static open(path: string): Promise<Draft> {
    return written(path, async () => {
      mkdirSync(dirname(path), { recursive: true })
      // Salts are nobody else's.
      const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600)
      try {
        return new Draft(path, file, await begunIn(file, path))
      } catch (error) {
        await file.close()
        throw error
      }
    })
  }

  /**
   * The next entry, when an earlier run has left it. When it has left another one, that and all behind it do not count
   * any more, and `add` is to follow.
   */
  async resume(isIt: (entry: DraftEntry) => boolean): Promise<ManifestEntry | undefined> {
    const next = await this.#earlier?.next()
    const line = next === undefined || next.done === true ? undefined : next.value
    const entry = line && entryIn(line)
    if (line === undefined || entry === undefined || !isIt(entry)) {
      this.#earlier = undefined
      return undefined
    }
    this.#size = line.end
    this.#sum.update(line.text).update(LINE_END)
    return entry
  }

  /** @throws RangeError when its line is longer than a line may be, Complaint when it cannot be written */
  async add({ mark, ...entry }: DraftEntry): Promise<void> {
    this.#waiting += `${mark}\t${writeEntry(entry)}`
    if (this.#waiting.length > WRITTEN_AT_ONCE) await this.save()
  }

  /** What was added is there for a later run. @throws Complaint */
  async save(): Promise<void> {
    const bytes = WRITING.subarray(0, WRITING.write(this.#waiting))
    this.#waiting = ''
    this.#sum.update(bytes)
    await written(this.#path, async () => {
      if (!this.#isTrimmed) await this.#file.truncate(this.#size)
      this.#isTrimmed = true
      const { bytesWritten } = await this.#file.write(bytes, 0, bytes.length, this.#size)
      if (bytesWritten < bytes.length) throw new Error('there is no room for all of it')
    })
    this.#size += bytes.length
  }

  /** Nothing is added any more. It is on the disk when this returns. @throws Complaint */
  async complete(): Promise<void> {
    await this.save()
    await written(this.#path, () => this.#file.sync())
  }

  /**
   * The lines of the manifest below its first one, to be asked for once, when it is complete. What was yielded changes
   * with the next.
   * @throws Complaint at the end when another program has written to it too
   */
  async *lines(): AsyncGenerator<Uint8Array> {
    const sum = createHash('sha256').update(firstLine(this.namesSalt))
    let end = 0
    for await (const { text } of linesFrom(this.#file, FIRST_LINE_BYTES)) {
      sum.update(text).update(LINE_END)
      const line = text.subarray(text.indexOf(TAB) + 1)
      if (end + line.length >= WRITING.length) {
        yield WRITING.subarray(0, end)
        end = 0
      }
      WRITING.set(line, end)
      WRITING[end + line.length] = LINE_FEED
      end += line.length + 1
    }
    yield WRITING.subarray(0, end)
    if (!sum.digest().equals(this.#sum.digest()))
      throw new Complaint(`${this.#path} is written by another command too.`, {
        advice: 'Wait until that one has ended, and try again.',
      })
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  /** To be called once nobody needs it any more. */
  remove(): Promise<void> {
    return rm(this.#path, { force: true })
  }
}

const WRITTEN_AT_ONCE = 65_536

/** Filled again for each piece, because those of a million entries would fill the memory. More than a piece may have. */
const WRITING = Buffer.alloc(3 * (WRITTEN_AT_ONCE + 2 * LONGEST_LINE_BYTES))

const firstLine = (namesSalt: Uint8Array): string => `pharos stamp 1 ${toHex(namesSalt)}\n`
const FIRST_LINE = /^pharos stamp 1 ([0-9a-f]{32})$/
const FIRST_LINE_BYTES = firstLine(new Uint8Array(SALT_BYTES)).length

type Begun = Awaited<ReturnType<typeof begunIn>>

async function begunIn(file: FileHandle, path: string) {
  if ((await file.stat()).size === 0) return { namesSalt: randomBytes(SALT_BYTES), earlier: undefined }
  const earlier = linesFrom(file, 0)
  const { value } = await earlier.next()
  const [, salt] = FIRST_LINE.exec(value?.text.toString('latin1') ?? '') ?? []
  if (salt === undefined)
    throw new Complaint(`${path} is there, and is no manifest under way. It is not overwritten.`, {
      advice: 'Move it away, or choose another place: -o <place>',
    })
  return { namesSalt: fromHex(salt), earlier }
}

interface Line {
  /** Without its line feed. */
  readonly text: Buffer
  /** Where the next one begins. */
  readonly end: number
}

/** What is half written has no line feed, and is no line. */
async function* linesFrom(file: FileHandle, from: number): AsyncGenerator<Line> {
  let held = Buffer.alloc(0)
  for (let at = from; held.length <= 2 * LONGEST_LINE_BYTES; ) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(WRITTEN_AT_ONCE), 0, WRITTEN_AT_ONCE, at)
    if (bytesRead === 0) return
    at += bytesRead
    const read = Buffer.concat([held, buffer.subarray(0, bytesRead)])
    let start = 0
    for (let end = read.indexOf(LINE_FEED); end >= 0; end = read.indexOf(LINE_FEED, start)) {
      yield { text: read.subarray(start, end), end: at - read.length + end + 1 }
      start = end + 1
    }
    held = read.subarray(start)
  }
}

const LINE_FEED = 0x0a
const LINE_END = Uint8Array.of(LINE_FEED)
const TAB = 0x09

/** Undefined for a line that no run has written so. */
function entryIn({ text }: Line): DraftEntry | undefined {
  const tab = text.indexOf(TAB)
  if (tab < 0) return undefined
  const read = readOrError(() => readEntryLine(text.subarray(tab + 1)), EvidenceRejected)
  return read instanceof EvidenceRejected ? undefined : { mark: text.toString('latin1', 0, tab), ...read }
}
