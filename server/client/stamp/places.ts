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
import { freshBeside, written } from '../files.ts'
import type { Source } from './sources.ts'

/** Standard output, where nothing is looked for and nothing is left. */
export const STDOUT = '-'

export type Places = ReturnType<typeof placesOf>

/**
 * @param out of `-o`
 * @throws Complaint when a file is named as a folder
 */
export function placesOf(out: string | undefined) {
  const found = out === undefined || out === STDOUT ? undefined : foundThere(out)
  const isFolder = out !== undefined && (/[/\\]$/.test(out) || found?.isDirectory() === true)
  const requireNoFile = (): void => {
    if (found?.isDirectory() === false)
      throw new Complaint(`${plain(out ?? '')} is a file, and what would be written needs a folder.`, {
        advice: 'Name a folder: -o <folder>/',
      })
  }
  if (isFolder) requireNoFile()
  /** Of one among several. @throws Complaint when there is one place for all of them */
  const each = (source: Source): string => {
    if (out === STDOUT) return STDOUT
    requireNoFile()
    if (out !== undefined) return join(out, `${source.path}.pharos`)
    return `${'at' in source ? source.at : source.path}.pharos`
  }
  return {
    isStdout: out === STDOUT,
    each,
    /** Of a file that is stamped alone. */
    alone: (source: Source): string => (out === undefined || isFolder ? each(source) : out),
    /** @param usual the manifest’s place without `-o` */
    manifest: (usual: string): string => {
      if (out === undefined) return usual
      return isFolder ? join(out, basename(usual)) : out
    },
    /** Of a file that a manifest is about, beside the file unless `-o` names a folder. @param at where the file lies */
    ofEntry: (at: string, path: string): string =>
      `${out !== undefined && isFolder ? join(out, path) : at}.pharos`,
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
 * @param pieces of it; one may change with the next
 * @param isSpare it can be made again, and need not be on the disk
 * @throws Complaint when there is something already, or it cannot be written
 */
export const putFile = (
  path: string,
  pieces: AsyncIterable<Uint8Array> | readonly string[],
  { isSpare = false } = {},
): Promise<void> =>
  written(path, async () => {
    mkdirSync(dirname(path), { recursive: true })
    const fresh = freshBeside(path)
    try {
      const file = openSync(fresh, 'wx')
      try {
        for await (const piece of pieces) writeFileSync(file, piece)
        if (!isSpare) fsyncSync(file)
      } finally {
        closeSync(file)
      }
      giveName(fresh, path)
    } finally {
      rmSync(fresh, { force: true })
    }
  })

/** Unlike renaming, linking fails when there is something. */
function giveName(fresh: string, path: string): void {
  try {
    linkSync(fresh, path)
  } catch (error) {
    if (codeOf(error) === 'EEXIST' || existsSync(path))
      throw new Complaint(`${path} is there already, and is not overwritten.`, {
        advice: 'Choose another place: -o <place>',
      })
    // Not every file system has links. There another program could put a file between the look and the renaming.
    renameSync(fresh, path)
  }
}
