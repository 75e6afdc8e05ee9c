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

const answering = (source: SourceState['source']): SourceState => ({
  source,
  state: 'answering',
  last_success_at: '2027-01-01T00:00:00.000Z',
  failing_since: null,
  failing_seconds: 0,
  failure: null,
})
const chain: ChainStanding = {
  chain: 'bitcoin',
  network: 'mainnet',
  answered_at: '2027-01-01T00:00:00.000Z',
  confirmed_sequence: 7,
  confirmed_at: '2027-01-01T00:00:00.000Z',
  waiting_since: null,
  waiting: 0,
  error: null,
}

/** As /health/ready sends them. */
const lines = (
  entropy: readonly SourceState[],
  chains: readonly ChainStanding[],
  witnesses: readonly WitnessStanding[] = [],
) => outsideLines(readOutside(JSON.parse(JSON.stringify({ ready: true, entropy, chains, witnesses }))))

describe('the outside world', () => {
  it('is calm while everybody answers', () => {
    const told = lines([answering('entropy_nist'), answering('entropy_bitcoin')], [chain])
    expect(told.map(({ tone }) => tone)).toEqual(['well', 'well'])
    expect(told.map(({ words }) => words)).toEqual([
      'Entropy from the NIST beacon and Bitcoin.',
      'Commits to bitcoin mainnet, last confirmed on 1 January 2027, 00:00 UTC.',
    ])
  })

  it('names a source that fails, since when and why', () => {
    const failing: SourceState = {
      ...answering('entropy_stellar'),
      state: 'failing',
      failing_since: '2027-01-01T00:05:00.000Z',
      failing_seconds: 60,
      failure: 'timeout',
    }
    const [first] = lines([answering('entropy_nist'), failing], [chain])
    expect(first).toEqual({
      tone: 'failing',
      words: 'Stellar has not answered in time since 1 January 2027, 00:05 UTC. Blocks go on without it.',
    })
  })

  it('tells of sources together that fail in one way since one minute', () => {
    const failing = (source: SourceState['source'], since: string): SourceState => ({
      ...answering(source),
      state: 'failing',
      failing_since: since,
      failing_seconds: 60,
      failure: 'unreachable',
    })
    const words = (since: string): readonly string[] =>
      lines(
        [
          failing('entropy_nist', '2027-01-01T00:05:00.100Z'),
          failing('entropy_stellar', '2027-01-01T00:05:59.900Z'),
          failing('entropy_bitcoin', since),
        ],
        [chain],
      )
        .filter(({ tone }) => tone === 'failing')
        .map(({ words }) => words)
    expect(words('2027-01-01T00:05:00.000Z')).toEqual([
      'The NIST beacon, Stellar and Bitcoin have been out of reach since 1 January 2027, 00:05 UTC. Blocks go on without them.',
    ])
    expect(words('2027-01-01T00:06:00.000Z')).toEqual([
      'The NIST beacon and Stellar have been out of reach since 1 January 2027, 00:05 UTC. Blocks go on without them.',
      'Bitcoin has been out of reach since 1 January 2027, 00:06 UTC. Blocks go on without it.',
    ])
  })

  it('says how many witnesses cosign, and which is missing since when and why', () => {
    const here: WitnessStanding = {
      witness: 'w1.example+00000001',
      cosigned_at: '2027-01-01T00:00:00.000Z',
      missing_since: null,
      trouble: null,
    }
    const gone: WitnessStanding = {
      ...here,
      witness: 'w2.example+00000002',
      missing_since: '2027-01-01T00:05:00.000Z',
      trouble: 'unreachable',
    }
    expect(lines([], [chain], [here, gone]).slice(-2)).toEqual([
      { tone: 'well', words: '1 witness cosigns the log.' },
      {
        tone: 'failing',
        words:
          'Witness w2.example+00000002 has been out of reach since 1 January 2027, 00:05 UTC. Blocks go on without it.',
      },
    ])
  })

  it('says plainly that the development chain proves nothing, also before it has answered', () => {
    for (const network of ['regtest', null]) {
      const [line] = lines([], [{ ...chain, network, caveat: EMBEDDED_CAVEAT }]).slice(1)
      expect(line?.tone).toBe('note')
      expect(line?.words).toMatch(/development chain inside this service.*proves nothing to outsiders/)
    }
  })

  it('says so as well when that chain does not work', () => {
    const told = lines([], [{ ...chain, network: 'regtest', error: 'it is away', caveat: EMBEDDED_CAVEAT }])
    expect(told.map(({ tone }) => tone)).toEqual(['note', 'failing', 'note'])
    expect(told[2]?.words).toMatch(/proves nothing to outsiders/)
  })

  it('says what does not work on a chain, and that none is in use', () => {
    const stuck = { ...chain, error: 'no funds', waiting: 3, waiting_since: '2027-01-01T00:10:00.000Z' }
    expect(lines([], [stuck])[1]).toEqual({
      tone: 'failing',
      words:
        'Committing to bitcoin mainnet does not work: no funds. 3 epochs have waited since 1 January 2027, 00:10 UTC.',
    })
    expect(lines([], [])[1]?.words).toMatch(/No public chain is in use/)
  })
})
