// Writes a file that a command made, with the folders in front of it, and names it in command lines.
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { Complaint, wordsOf } from './complaint.ts'

/** @throws Complaint */
export async function writeMade(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
  } catch (error) {
    throw new Complaint(`${basename(path)} could not be written: ${wordsOf(error)}`)
  }
}

/** For a shell. */
export const quoted = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
