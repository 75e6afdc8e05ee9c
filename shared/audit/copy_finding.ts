// What is wrong in a copy of the log: a disagreement, and the file that has it.
import { toHex } from '../proof/bytes.ts'
import { type Disagreement, type Disagreements, describeDisagreement } from './disagreement.ts'

export interface CopyFinding extends Disagreement {
  /** From the root of the copy, e.g. `tile/entries/000.p/12`. */
  readonly file: string
}

export type CopyFindings = Generator<CopyFinding, void, undefined>

export function* inFile(file: string, disagreements: Disagreements): CopyFindings {
  for (const disagreement of disagreements) yield { file, ...disagreement }
}

/** A whole file that is missing or cannot be read. */
export const fileFinding = (file: string, expected: string, found?: string): CopyFinding => ({
  file,
  height: null,
  field: 'the file',
  expected,
  ...(found === undefined ? {} : { found }),
})

/** Example: `tile/entries/000: block 12: signature should be that of key 5ebf12a9 over the block hash` */
export const describeCopyFinding = ({ file, ...disagreement }: CopyFinding): string =>
  `${file}: ${describeDisagreement(disagreement).replace(/^no block: /, '')}`

export const shownHash = (hash: Uint8Array | undefined): string =>
  hash === undefined ? 'nothing' : toHex(hash)
