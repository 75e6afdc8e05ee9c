// How long a proof is said to take: slots of the clock, and what is still to come.
import { describe, expect, it } from 'vitest'
import { proofWait, proofWaitWords } from '../../../server/domain/proofs/proof_request.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const bitcoin = { name: 'bitcoin' as const }
const stellar = { name: 'stellar' as const }
const BITCOIN = { chain: bitcoin, intervalMs: 15 * MINUTE, confirmMs: 10 * MINUTE, retryMs: MINUTE }
const STELLAR = { chain: stellar, intervalMs: 5 * MINUTE, confirmMs: 15 * SECOND, retryMs: 15 * SECOND }
const slots = { blockMs: MINUTE, chains: [BITCOIN] }
const both = { blockMs: MINUTE, chains: [BITCOIN, STELLAR] }
const at = (minutes: number, seconds = 0): number => minutes * MINUTE + seconds * SECOND
const waitOf = (...asked: Parameters<typeof proofWait>) => proofWait(...asked).retry_after_ms

const open = { passed_over: false, since_ms: null }
const closed = (minutes: number, seconds = 0) => ({ ...open, since_ms: at(minutes, seconds) })
const missed = { ...open, passed_over: true }

describe('a refusal tells', () => {
  it('the time to the block, from there to the epoch, and from there to the confirmation', () => {
    expect(waitOf(slots, at(7, 20))).toBe(at(15 + 10) - at(7, 20))
    expect(waitOf(slots, at(14, 59))).toBe(at(15 + 10) - at(14, 59))
    expect(waitOf(slots, at(15, 1))).toBe(at(30 + 10) - at(15, 1))
  })

  it('less of it the more has happened', () => {
    expect(waitOf(slots, at(14, 30), [])).toBe(at(15 + 10) - at(14, 30))
    expect(waitOf(slots, at(14, 30), [{ chain: 'bitcoin', ...open }])).toBe(at(15 + 10) - at(14, 30))
    expect(waitOf(slots, at(15, 1), [{ chain: 'bitcoin', ...closed(15, 1) }])).toBe(10 * MINUTE)
  })

  it('what is left of the confirmation since the transaction was made, and when it is late the time to the next try', () => {
    const sent = [{ chain: 'bitcoin' as const, ...closed(15, 1) }]
    expect(waitOf(slots, at(15, 1), sent)).toBe(10 * MINUTE)
    expect(waitOf(slots, at(22, 1), sent)).toBe(3 * MINUTE)
    expect(waitOf(slots, at(25), sent)).toBe(SECOND)
    expect(waitOf(slots, at(25, 1), sent)).toBe(MINUTE)
    expect(waitOf(slots, at(99), sent)).toBe(MINUTE)
  })

  it('of a chain that is late nothing while another has time left, and with all late the next try of the first', () => {
    const stuck = { chain: 'stellar' as const, ...closed(15) }
    const sent = { chain: 'bitcoin' as const, ...closed(15) }
    expect(waitOf(both, at(17), [stuck, sent])).toBe(8 * MINUTE)
    expect(waitOf(both, at(17), [stuck, { chain: 'bitcoin', ...open }])).toBe(at(30 + 10) - at(17))
    expect(waitOf(both, at(26), [stuck, sent])).toBe(15 * SECOND)
    expect(waitOf(both, at(26), [stuck, { chain: 'bitcoin', ...missed }])).toBe(15 * SECOND)
  })

  it('the wait for the chain that is the first', () => {
    expect(waitOf(both, at(7, 20))).toBe(at(10, 15) - at(7, 20))
    expect(waitOf(both, at(7, 20), [{ chain: 'stellar', ...closed(7, 20) }])).toBe(15 * SECOND)
  })

  it('of each chain what is ahead there: an epoch on one is none on another', () => {
    const sent = { chain: 'bitcoin' as const, ...closed(15) }
    const standings = [sent, { chain: 'stellar' as const, ...open }]
    expect(waitOf(both, at(16), standings)).toBe(at(20, 15) - at(16))
    expect(waitOf(both, at(24), standings)).toBe(at(25) - at(24))
    expect(waitOf(both, at(16), [sent, { chain: 'stellar', ...missed }])).toBe(at(25) - at(16))
  })

  it('that there is no wait where every chain began after the block', () => {
    expect(waitOf(slots, at(16), [{ chain: 'bitcoin', ...missed }])).toBeNull()
  })

  it('nothing where nothing is committed', () => {
    expect(proofWait({ blockMs: MINUTE, chains: [] }, at(1))).toEqual({})
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
