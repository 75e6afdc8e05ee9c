// Lists of what is to be stamped: lines as `sha256sum` prints them, or names of files; one a line, or ended by NUL.
import { Complaint } from '../../../shared/cli/terminal.ts'
import { fromHex } from '../../../shared/proof/bytes.ts'
import { piecesOf } from '../files.ts'
import { type LeftOut, namedFiles, pathOf, type Source } from './sources.ts'

/** Longer names than any system takes. */
const LONGEST_LINE_BYTES = 65_536

/** @throws Complaint while it is read */
export async function* listed(list: string, leftOut: LeftOut): AsyncGenerator<Source> {
  let isOfDigests: boolean | undefined
  let number = 0
  for await (const lines of linesOf(list))
    for (const line of lines) {
      number += 1
      if (line === '') continue
      const sum = DIGEST_LINE.exec(line)
      isOfDigests ??= sum !== null
      if (!isOfDigests) yield* namedFiles([line], leftOut)
      else if (sum === null)
        throw new Complaint(`Line ${number} of ${shownList(list)} is not one of sha256sum.`, {
          advice: 'Such as: sha256sum * > list.  Digests by another function are given by --hash HEX:TYPE.',
        })
      else yield digestIn(sum)
    }
}

const shownList = (list: string): string => (list === '-' ? 'the list' : list)

/** `\` before the line says that the name is written with escapes, `*` that the file was read as binary. */
const DIGEST_LINE = /^(\\?)([0-9a-fA-F]{64}) [ *](.+)$/s

function digestIn([, escaped, hex = '', name = '']: RegExpExecArray): Source {
  const path = pathOf(escaped === '' ? name : name.replace(/\\([\\nr])/g, (_, one) => ESCAPES[one] ?? one))
  return { path, digest: { type: 'sha256', value: fromHex(hex.toLowerCase()) } }
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\', n: '\n', r: '\r' }

/** For each piece that is read the lines that end in it. */
async function* linesOf(list: string): AsyncGenerator<string[]> {
  const text = new TextDecoder('utf-8', { fatal: true })
  let end: string | undefined
  let held = ''
  try {
    for await (const piece of piecesOf(list)) {
      held += text.decode(piece, { stream: true })
      end ??= held.includes('\0') ? '\0' : held.includes('\n') ? '\n' : undefined
      const lines = end === undefined ? [held] : held.split(end)
      held = lines.pop() ?? ''
      if (held.length > LONGEST_LINE_BYTES) throw new Complaint(`A line of ${shownList(list)} is too long.`)
      yield lines
    }
    held += text.decode()
  } catch (error) {
    if (error instanceof TypeError) throw new Complaint(`${shownList(list)} is not text (UTF-8).`)
    throw error
  }
  if (held !== '') yield [held]
}
