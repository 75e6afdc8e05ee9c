// Where evidence goes, beside each file or where -o says; and puts it there: in whole or not at all, and never in the place of another file.
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Complaint, codeOf, wordsOf } from '../../../shared/cli/terminal.ts'
import { freshBeside } from '../files.ts'
import type { Source } from './sources.ts'

/** Standard output, where nothing is looked for and nothing is left. */
export const STDOUT = '-'

export class Places {
  readonly #out: string | undefined
  readonly #isFolder: boolean
  /** It is there, and is no folder. */
  readonly #isFile: boolean

  /**
   * @param out of `-o`
   * @throws Complaint when a file is named as a folder
   */
  constructor(out: string | undefined) {
    const found = out === undefined || out === STDOUT ? undefined : foundThere(out)
    this.#out = out
    this.#isFolder = out !== undefined && (/[/\\]$/.test(out) || found?.isDirectory() === true)
    this.#isFile = found?.isDirectory() === false
    if (this.#isFolder) this.#requireNoFile()
  }

  get isStdout(): boolean {
    return this.#out === STDOUT
  }

  /** Of a file that is stamped alone. */
  readonly alone = (source: Source): string =>
    this.#out === undefined || this.#isFolder ? this.each(source) : this.#out

  /** Of one among several. @throws Complaint when there is one place for all of them */
  readonly each = (source: Source): string => {
    if (this.#out === STDOUT) return STDOUT
    this.#requireNoFile()
    if (this.#out !== undefined) return join(this.#out, `${source.path}.pharos`)
    return `${'at' in source ? source.at : source.path}.pharos`
  }

  /** @param usual the manifest’s place without `-o` */
  manifest(usual: string): string {
    if (this.#out === undefined) return usual
    return this.#isFolder ? join(this.#out, basename(usual)) : this.#out
  }

  /** Of a file that a manifest is about, beside the file unless `-o` names a folder. @param at where the file lies */
  ofEntry(at: string, path: string): string {
    return `${this.#out !== undefined && this.#isFolder ? join(this.#out, path) : at}.pharos`
  }

  #requireNoFile(): void {
    if (this.#isFile)
      throw new Complaint(`${plain(this.#out ?? '')} is a file, and what would be written needs a folder.`, {
        advice: 'Name a folder: -o <folder>/',
      })
  }
}

/** Without what says that it is a folder. */
const plain = (out: string): string => out.replace(/(?<=.)[/\\]+$/, '')

/** Undefined where there is nothing, and where nothing can be. */
function foundThere(out: string): Stats | undefined {
  try {
    return statSync(plain(out), { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** A link that leads nowhere is something too. @throws Complaint where nothing can be: the name is too long, for one */
export function isOccupied(place: string): boolean {
  if (place === STDOUT) return false
  try {
    return lstatSync(place, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    throw noRoom(place, error)
  }
}

/** Before anything is asked for, because what is accepted without an account exists only once. @throws Complaint */
export async function requireRoomAt(place: string): Promise<void> {
  if (place === STDOUT) return
  const folder = dirname(place)
  try {
    mkdirSync(folder, { recursive: true })
    await access(folder, constants.W_OK)
  } catch (error) {
    throw noRoom(place, error)
  }
}

const noRoom = (place: string, error: unknown): Complaint =>
  new Complaint(`${basename(place)} cannot be written in ${dirname(place)}: ${wordsOf(error)}.`, {
    advice: 'Choose another place: -o <place>',
  })

/**
 * It is on the disk when this returns.
 * @param isSpare it can be made again, and need not be on the disk
 * @throws Complaint when there is something already, or it cannot be written
 */
export function placeText(path: string, text: string, { isSpare = false } = {}): void {
  try {
    mkdirSync(dirname(path), { recursive: true })
    const fresh = freshBeside(path)
    try {
      writeFileSync(fresh, text, { flag: 'wx', flush: !isSpare })
      giveName(fresh, path)
    } finally {
      rmSync(fresh, { force: true })
    }
  } catch (error) {
    throw unwritable(path, error)
  }
}

/** The same of what is too large to be held. A chunk may change with the next. */
export async function placeChunks(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    mkdirSync(dirname(path), { recursive: true })
    const fresh = freshBeside(path)
    try {
      const file = openSync(fresh, 'wx')
      try {
        for await (const chunk of chunks) writeFileSync(file, chunk)
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
      giveName(fresh, path)
    } finally {
      rmSync(fresh, { force: true })
    }
  } catch (error) {
    throw unwritable(path, error)
  }
}

/** Unlike renaming, linking fails when there is something. */
function giveName(fresh: string, path: string): void {
  try {
    linkSync(fresh, path)
  } catch (error) {
    if (codeOf(error) === 'EEXIST' || existsSync(path)) throw taken(path)
    // Not every file system has links. There another program could put a file between the look and the renaming.
    renameSync(fresh, path)
  }
}

const taken = (path: string): Complaint =>
  new Complaint(`${path} is there already, and is not overwritten.`, {
    advice: 'Choose another place: -o <place>',
  })

const unwritable = (path: string, error: unknown): Complaint =>
  error instanceof Complaint ? error : new Complaint(`${path} could not be written: ${wordsOf(error)}`)
