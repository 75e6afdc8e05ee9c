// The error of the strict reader: the reason and the place. A RangeError, like those of all readers.

export type StrictJsonReason =
  | 'syntax'
  | 'duplicate_member'
  | 'unpaired_surrogate'
  | 'invalid_utf8'
  | 'too_deep'
  | 'too_many_members'
  | 'number_out_of_range'

/** `offset` counts UTF-16 code units of the text; bytes for `invalid_utf8`. */
export class StrictJsonError extends RangeError {
  override readonly name = 'StrictJsonError'
  readonly reason: StrictJsonReason
  readonly offset: number
  /** The members and elements that contain the error, as far as they were read: `['data', 'json']`. */
  readonly path: string[] = []

  constructor(reason: StrictJsonReason, offset: number) {
    super(`${MEANINGS[reason]} at offset ${offset}`)
    this.reason = reason
    this.offset = offset
  }
}

const MEANINGS: Record<StrictJsonReason, string> = {
  syntax: 'not JSON',
  duplicate_member: 'duplicate member name',
  unpaired_surrogate: 'unpaired surrogate',
  invalid_utf8: 'not UTF-8 without byte order mark',
  too_deep: 'nested too deep',
  too_many_members: 'too many members',
  number_out_of_range: 'number too large',
}
