// What a person reads when there is no proof yet, and when there never will be one.
import { describe, expect, it } from 'vitest'
import { ApiFailure } from '../../console-web/src/data/api_failure.ts'
import { proofFailureWords } from '../../console-web/src/proofs/fetch_proof.ts'

const NEVER = 'The block is not committed: no epoch will hold the block.'
const refused = (code: string, meta: { readonly retry_after_ms?: number | null }) =>
  new ApiFailure('refused', NEVER, {
    status: 409,
    code,
    problems: [{ code, detail: NEVER, pointer: null, meta: { code, ...meta } }],
  })

describe('a proof that there is not yet', () => {
  it('is told in words of the page, and when it can be made', () => {
    for (const meta of [{ retry_after_ms: 60_000 }, {}])
      expect(proofFailureWords(refused('no_external_commitments', meta))).toContain('as soon as it does')
  })

  it('that no epoch will ever bring is told in the words of the server, without the promise of one', () => {
    expect(proofFailureWords(refused('no_external_commitments', { retry_after_ms: null }))).toBe(NEVER)
  })
})
