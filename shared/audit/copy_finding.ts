// What is wrong in a copy of the log: a disagreement, and the file that has it.
import { type Disagreement, describeDisagreement } from './disagreement.ts'

export interface CopyFinding extends Disagreement {
  /** From the root of the copy, e.g. `tile/entries/000.p/12`. */
  readonly file: string
}

export type CopyFindings = Generator<CopyFinding, void, undefined>

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
