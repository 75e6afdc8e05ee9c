// What one command is to stamp: files, all files of a folder, and digests that somebody else has made.
import { isUtf8 } from 'node:buffer'
import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs'
import { isAbsolute, normalize, relative, sep } from 'node:path'
import { Complaint, plural, printable, type Terminal } from '../../../shared/cli/terminal.ts'
import type { HashType } from '../../../shared/proof/claims.ts'
import { unreadable } from '../files.ts'
import type { FilePlace } from './hash_file.ts'

export type Source = FilePlace | GivenDigest

/** Nobody looks at the file that it is of. */
export interface GivenDigest {
  readonly path: string
  readonly digest: { readonly type: HashType; readonly value: Uint8Array }
}

/** Names what is not stamped. Evidence is only counted, because there may be one beside each file. */
export class LeftOut {
  readonly #terminal: Terminal
  #evidence = 0

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  /** Whether it is to be stamped. */
  takes(path: string, found: Pick<Stats, 'isFile' | 'isSymbolicLink'>): boolean {
    if (found.isFile() && !OWN.test(path)) return true
    if (found.isFile()) this.#evidence += 1
    else {
      const what = found.isSymbolicLink() ? 'a link' : 'no regular file'
      this.#terminal.note(`${printable(path)}  left out: it is ${what}`)
    }
    return false
  }

  tell(): void {
    if (this.#evidence > 0)
      this.#terminal.note(`Left out: ${plural(this.#evidence, 'file')} of evidence (*.pharos).`)
  }
}

/** Evidence, and what this program makes beside it while it works. */
const OWN = /\.pharos(?:\.part|\.[0-9a-f]{12}\.new)?$/

/** What becomes of a folder that cannot be listed, whose path ends with a slash, and of a name that is no text. */
type PassOver = (complaint: Complaint, path: string) => void

const passNothing: PassOver = (complaint) => {
  throw complaint
}

/**
 * The regular files below a folder, ordered by the bytes of their paths.
 * @param passOver goes on behind it unless it throws
 * @throws Complaint while it is read, unless something else becomes of it
 */
export function* filesUnder(
  folder: string,
  leftOut: LeftOut,
  passOver: PassOver = passNothing,
): Generator<FilePlace> {
  yield* filesBelow(folder === '' ? '.' : folder, '', { leftOut, passOver })
}

/** @param below one character for each byte of the path, so that texts compare as bytes do */
function* filesBelow(
  folder: string,
  below: string,
  look: { readonly leftOut: LeftOut; readonly passOver: PassOver },
): Generator<FilePlace> {
  for (const [name, entry] of inOrder(folder, below, look.passOver)) {
    const place = `${below}${name}`
    if (entry.isDirectory()) {
      yield* filesBelow(folder, place, look)
      continue
    }
    const bytes = Buffer.from(place, 'latin1')
    const path = bytes.toString()
    if (!look.leftOut.takes(path, entry)) continue
    if (isUtf8(bytes)) yield { path, at: placeIn(folder, place) }
    else
      look.passOver(
        new Complaint(`${path} has a name that is no text (UTF-8), so no evidence can carry it.`, {
          advice: 'Rename it.',
        }),
        path,
      )
  }
}

const placeIn = (folder: string, below: string): Buffer =>
  Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(below, 'latin1')])

/** What is in a folder stands where the folder’s name and a slash stand. */
function inOrder(folder: string, below: string, passOver: PassOver): [string, Dirent][] {
  const at = placeIn(folder, below)
  try {
    return readdirSync(at, { withFileTypes: true, encoding: 'latin1' })
      .map((entry): [string, Dirent] => [entry.isDirectory() ? `${entry.name}/` : entry.name, entry])
      .sort(([a], [b]) => (a < b ? -1 : 1))
  } catch (error) {
    passOver(unreadable(at.toString(), error), Buffer.from(below, 'latin1').toString() || at.toString())
    return []
  }
}

/**
 * Files that somebody names.
 * @throws Complaint for one that is not there
 */
export function* namedFiles(names: Iterable<string>, leftOut: LeftOut): Generator<FilePlace> {
  for (const name of names)
    if (leftOut.takes(name, requireNoFolder(name))) yield { path: pathOf(name), at: name }
}

/** @throws Complaint when there is nothing, or a folder */
export function requireNoFolder(name: string): Stats {
  const found = foundAt(name)
  if (!found.isDirectory()) return found
  throw new Complaint(`${name} is a folder.`, {
    advice:
      'A folder is stamped by a command of its own. To stamp all that is in several, name the one above them.',
  })
}

/** @throws Complaint when there is nothing */
export function foundAt(name: string): Stats {
  try {
    return lstatSync(name)
  } catch (error) {
    throw unreadable(name, error)
  }
}

/** As a manifest names it: from the current folder where the file lies in it, or else without the root. */
export function pathOf(name: string): string {
  if (PLAIN.test(name)) return name
  const near = relative('.', name)
  const path = near.startsWith('..') || isAbsolute(near) ? normalize(name) : near
  return (sep === '/' ? path : path.replaceAll(sep, '/')).replace(/^(?:[A-Za-z]:)?(?:\.{0,2}\/)+/, '')
}

/** Relative, without a part that leads nowhere or upwards. */
const PLAIN = /^(?!\.{0,2}\/)(?!.*\/\.{0,2}\/)[^\\:]*[^\\:/.]$/s
