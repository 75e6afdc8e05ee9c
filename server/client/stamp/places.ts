// Where evidence goes: beside each file, or where -o says.
import { lstatSync, mkdirSync, statSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Complaint, wordsOf } from '../../../shared/cli/terminal.ts'
import type { Source } from './sources.ts'

/** Standard output, where nothing is looked for and nothing is left. */
export const STDOUT = '-'

export class Places {
  readonly #out: string | undefined
  readonly #isFolder: boolean

  /** @param out of `-o` */
  constructor(out: string | undefined) {
    this.#out = out
    this.#isFolder =
      out !== undefined &&
      (/[/\\]$/.test(out) || statSync(out, { throwIfNoEntry: false })?.isDirectory() === true)
  }

  get isStdout(): boolean {
    return this.#out === STDOUT
  }

  /** Of a file that is stamped alone. */
  readonly alone = (source: Source): string =>
    this.#out === undefined || this.#isFolder ? this.each(source) : this.#out

  /** Of one among several. */
  readonly each = (source: Source): string => {
    if (this.#out === STDOUT) return STDOUT
    if (this.#out !== undefined) return join(this.#out, `${source.path}.pharos`)
    return `${'at' in source ? source.at : source.path}.pharos`
  }

  /** @param usual the manifest’s place without `-o` */
  manifest(usual: string): string {
    if (this.#out === undefined) return usual
    return this.#isFolder ? join(this.#out, basename(usual)) : this.#out
  }

  /** Of a file that a manifest is about, beside the file unless `-o` names a folder. */
  ofEntry(folder: string | undefined, path: string): string {
    return `${join(this.#out !== undefined && this.#isFolder ? this.#out : (folder ?? '.'), path)}.pharos`
  }
}

/** A link that leads nowhere is something too. */
export const isTaken = (place: string): boolean =>
  place !== STDOUT && lstatSync(place, { throwIfNoEntry: false }) !== undefined

/** Before anything is asked for, because what is accepted without an account exists only once. @throws Complaint */
export async function requireRoomAt(place: string): Promise<void> {
  if (place === STDOUT) return
  const folder = dirname(place)
  try {
    mkdirSync(folder, { recursive: true })
    await access(folder, constants.W_OK)
  } catch (error) {
    throw new Complaint(`${basename(place)} cannot be written in ${folder}: ${wordsOf(error)}`)
  }
}
