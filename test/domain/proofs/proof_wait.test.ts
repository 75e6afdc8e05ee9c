// How long a proof is said to take: slots of the clock, and what is still to come.
import { describe, expect, it } from 'vitest'
import { proofWait, proofWaitWords } from '../../../server/domain/proofs/proof_wait.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const BITCOIN = { intervalMs: 15 * MINUTE, confirmMs: 10 * MINUTE }
const STELLAR = { intervalMs: 5 * MINUTE, confirmMs: 15 * SECOND }
const slots = { blockMs: MINUTE, chains: [BITCOIN] }
const at = (minutes: number, seconds = 0): number => minutes * MINUTE + seconds * SECOND
const waitOf = (...asked: Parameters<typeof proofWait>) => proofWait(...asked).retry_after_ms

describe('a refusal tells', () => {
  it('the time to the block, from there to the epoch, and from there to the confirmation', () => {
    expect(waitOf(slots, 'block', at(7, 20))).toBe(at(15 + 10) - at(7, 20))
    expect(waitOf(slots, 'block', at(14, 59))).toBe(at(15 + 10) - at(14, 59))
    expect(waitOf(slots, 'block', at(15, 1))).toBe(at(30 + 10) - at(15, 1))
  })

  it('less of it the more has happened', () => {
    expect(waitOf(slots, 'epoch', at(14, 30))).toBe(at(15 + 10) - at(14, 30))
    expect(waitOf(slots, 'chain', at(15, 1))).toBe(10 * MINUTE)
  })

  it('the wait for the chain that is the first', () => {
    const both = { blockMs: MINUTE, chains: [BITCOIN, STELLAR] }
    expect(waitOf(both, 'block', at(7, 20))).toBe(at(10, 15) - at(7, 20))
    expect(waitOf(both, 'chain', at(7, 20))).toBe(15 * SECOND)
  })

  it('nothing where nothing is committed', () => {
    expect(proofWait({ blockMs: MINUTE, chains: [] }, 'block', at(1))).toEqual({})
  })
})

describe('words tell', () => {
  it('the longest wait, and what it is made of', () => {
    expect(proofWaitWords(slots)).toBe(
      'A proof is ready within about 26 min of create_item: blocks are made every 60 s and committed to a chain every 15 min.',
    )
  })

  it('that there is none where nothing is committed', () => {
    expect(proofWaitWords({ blockMs: MINUTE, chains: [] })).toContain('no proof can be made')
  })
})
