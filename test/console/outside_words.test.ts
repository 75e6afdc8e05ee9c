// What the console says about the world outside the service: calm, plain, and never quiet about what proves nothing.
import { describe, expect, it } from 'vitest'
import { outsideLines } from '../../console-web/src/outside/outside_world.tsx'
import { readOutside } from '../../console-web/src/outside/readiness.ts'
import { EMBEDDED_CAVEAT } from '../../server/domain/commitments/chains/configured_chains.ts'
import type { chainStandings } from '../../server/domain/commitments/commitment.ts'
import type { sourceStates } from '../../server/domain/entropy/capture_entropy.ts'
import type { witnessStandings } from '../../server/domain/log/witnesses.ts'

type Row<List extends (...given: never[]) => Promise<readonly unknown[]>> = Awaited<ReturnType<List>>[number]
type ChainStanding = Row<typeof chainStandings>
type SourceState = Row<typeof sourceStates>
type WitnessStanding = Row<typeof witnessStandings>

const ANSWERED_AT = '2027-01-01T00:00:00.000Z'
const source = (source: SourceState['source'], more: Partial<SourceState> = {}): SourceState => {
  const answers = { last_success_at: ANSWERED_AT, failing_since: null, failing_seconds: 0, failure: null }
  return { source, state: 'answering', ...answers, ...more }
}
const failing = (since: string, failure: SourceState['failure'] = 'unreachable') =>
  ({ state: 'failing', failing_since: `2027-01-01T${since}Z`, failing_seconds: 60, failure }) as const
const chain: ChainStanding = {
  ...{ chain: 'bitcoin', network: 'mainnet', answered_at: ANSWERED_AT, confirmed_at: ANSWERED_AT },
  ...{ confirmed_sequence: 7, waiting_since: null, waiting: 0, error: null },
}
const witness = {
  witness: 'w1.example+00000001',
  cosigned_at: ANSWERED_AT,
  missing_since: null,
  trouble: null,
}
const missing = {
  witness: 'w2.example+00000002',
  missing_since: '2027-01-01T00:05:00.000Z',
  trouble: 'unreachable',
}

/** As /health/ready sends them. Each line after its tone. */
const lines = (
  entropy: readonly SourceState[],
  chains: readonly ChainStanding[],
  witnesses: readonly WitnessStanding[] = [],
): readonly string[] =>
  outsideLines(readOutside(JSON.parse(JSON.stringify({ ready: true, entropy, chains, witnesses })))).map(
    ({ tone, words }) => `${tone}: ${words}`,
  )

const COMMITS = 'well: Commits to bitcoin mainnet, last confirmed on 1 January 2027, 00:00 UTC.'
const NOTE = /^note: .*development chain inside this service.*proves nothing to outsiders/
const NIST = source('entropy_nist')

describe('the outside world', () => {
  it('is calm while everybody answers', () => {
    const told = lines([NIST, source('entropy_bitcoin')], [chain])
    expect(told).toEqual(['well: Entropy from the NIST beacon and Bitcoin.', COMMITS])
  })

  it('names a source that fails, since when and why', () => {
    expect(lines([NIST, source('entropy_stellar', failing('00:05:00.000', 'timeout'))], [chain])[0]).toBe(
      'failing: Stellar has not answered in time since 1 January 2027, 00:05 UTC. Blocks go on without it.',
    )
  })

  it.each([
    [
      '00:05:00.000',
      'The NIST beacon, Stellar and Bitcoin have been out of reach since 1 January 2027, 00:05 UTC. Blocks go on without them.',
    ],
    [
      '00:06:00.000',
      'The NIST beacon and Stellar have been out of reach since 1 January 2027, 00:05 UTC. Blocks go on without them.',
      'Bitcoin has been out of reach since 1 January 2027, 00:06 UTC. Blocks go on without it.',
    ],
  ])(
    'tells of sources together that fail in one way since one minute, a third one since %s',
    (since, ...words) => {
      const stellar = source('entropy_stellar', failing('00:05:59.900'))
      const nist = source('entropy_nist', failing('00:05:00.100'))
      const told = lines([nist, stellar, source('entropy_bitcoin', failing(since))], [chain])
      expect(told.filter((line) => line.startsWith('failing'))).toEqual(
        words.map((line) => `failing: ${line}`),
      )
    },
  )

  it('says how many witnesses cosign, and which is missing since when and why', () => {
    expect(lines([], [chain], [witness, { ...witness, ...missing }]).slice(-2)).toEqual([
      'well: 1 witness cosigns the log.',
      'failing: Witness w2.example+00000002 has been out of reach since 1 January 2027, 00:05 UTC. Blocks go on without it.',
    ])
  })

  it.each<[string, Partial<ChainStanding>, readonly RegExp[]]>([
    ['works', {}, [NOTE]],
    ['has not answered yet', { network: null }, [NOTE]],
    ['does not work', { error: 'it is away' }, [/^failing: /, NOTE]],
  ])('says plainly that the development chain proves nothing, also when it %s', (_, more, notes) => {
    const told = lines([], [{ ...chain, network: 'regtest', caveat: EMBEDDED_CAVEAT, ...more }])
    expect(told).toEqual([/^note: /, ...notes].map((note) => expect.stringMatching(note)))
  })

  it('says what does not work on a chain, and that none is in use', () => {
    const stuck = { ...chain, error: 'no funds', waiting: 3, waiting_since: '2027-01-01T00:10:00.000Z' }
    expect(lines([], [stuck])[1]).toBe(
      'failing: Committing to bitcoin mainnet does not work: no funds. 3 epochs have waited since 1 January 2027, 00:10 UTC.',
    )
    expect(lines([], [])[1]).toMatch(/No public chain is in use/)
  })
})
