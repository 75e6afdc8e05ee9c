// Refusals: one table of codes, one class, every problem at once.
import { describe, expect, it } from 'vitest'
import { problem, REFUSALS, Refusal, refuse, refuseAny } from '../../server/kernel/refusal.ts'

const FINAL: ReadonlySet<string> = new Set(['generation_failed', 'request_header_fields_too_large'])

describe('refusals', () => {
  it('every code has an HTTP status, a kind and a meaning that is a sentence’s worth', () => {
    for (const [code, { status, kind, meaning }] of Object.entries(REFUSALS)) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(600)
      expect(['transient', 'terminal']).toContain(kind)
      expect(meaning.length).toBeGreaterThan(8)
    }
  })

  it('a code that can be tried again says when, unless its budget or its fault does', () => {
    const withoutTime = Object.entries(REFUSALS).filter(
      ([, row]) => row.kind === 'transient' && !('retryAfterSeconds' in row),
    )
    expect(withoutTime.map(([code]) => code)).toEqual(['rate_limited', 'internal'])
    for (const [code, row] of Object.entries(REFUSALS))
      if (row.kind === 'terminal') expect([code, 'retryAfterSeconds' in row]).toEqual([code, false])
  })

  it('from 429 on the very same request may go well later, unless a proof failed its own verification or it is too long', () => {
    for (const [code, { status, kind }] of Object.entries(REFUSALS))
      if (status >= 429 && !FINAL.has(code)) expect([code, kind]).toEqual([code, 'transient'])
  })

  it('the meaning is the detail unless another is given', () => {
    expect(problem('not_found')).toEqual({ code: 'not_found', detail: REFUSALS.not_found.meaning })
    expect(problem('not_found', { detail: 'gone', meta: { a: 1 } })).toEqual({
      code: 'not_found',
      detail: 'gone',
      meta: { a: 1 },
    })
  })

  it('the gravest problem decides the status, the first the code', () => {
    const refusal = new Refusal([
      problem('required', { path: ['a'] }),
      problem('conflict'),
      problem('invalid_body'),
    ])
    expect([refusal.status, refusal.code, refusal.problems.length]).toEqual([409, 'required', 3])
    expect(refusal).toBeInstanceOf(Error)
  })

  it('refuseAny throws every problem at once, and nothing when there are none', () => {
    refuseAny([])
    const problems = [problem('required', { path: ['a'] }), problem('required', { path: ['b'] })]
    expect(() => refuseAny(problems)).toThrow(expect.objectContaining({ problems }))
    expect(refuse('invalid_sort', { parameter: 'sort' }).problems).toEqual([
      { code: 'invalid_sort', detail: REFUSALS.invalid_sort.meaning, parameter: 'sort' },
    ])
  })
})
