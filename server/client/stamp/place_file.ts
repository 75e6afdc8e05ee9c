// Puts a file that is new where none is: in whole or not at all, and never in the place of another.
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { Complaint, codeOf, wordsOf } from '../../../shared/cli/terminal.ts'
import { freshBeside } from '../files.ts'

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
