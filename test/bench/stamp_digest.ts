// Digests that are stamped without an account, one a request, compared with a bare route that hashes once.
import { createHash } from 'node:crypto'
import { type Measure, perSecond } from './measurement.ts'
import { NO_LIMITS, startBaseline, startServer } from './server_process.ts'
import { takeTurns } from './take_turns.ts'

interface Stamping {
  readonly what: string
  readonly aim: number
  readonly path: string
  readonly contentType: string
  readonly body: string
}

/** So many wait for each round, which closes after a tenth of a second. */
const CONNECTIONS = 1_024
const AMOUNT = 50_000

const stampDigests =
  ({ what, aim, path, contentType, body }: Stamping): Measure =>
  async (ground, say) => {
    const server = await startServer(ground, { ...NO_LIMITS, AGGREGATION_INTERVAL: '100ms' })
    const bare = await startBaseline(ground, 'bare_hash.ts')
    const request = { method: 'POST' as const, path, headers: { 'content-type': contentType }, body }
    say('  warming up both, then measuring in turns')
    const turns = await takeTurns(
      { ours: server, baseline: bare },
      { ...request, amount: AMOUNT, connections: CONNECTIONS },
    )
    const ratio = turns.baseline.cpu / turns.ours.cpu
    return {
      what,
      baseline: perSecond(turns.perTurn, turns.baseline.ms),
      ours: perSecond(turns.perTurn, turns.ours.ms),
      ratio,
      aim: `>= ${aim} (CPU)`,
      met: ratio >= aim,
      cpu: { ours: turns.ours.cpu, baseline: turns.baseline.cpu },
    }
  }

const DIGEST = createHash('sha256').update('a file').digest('hex')

export const stampOneDigest = stampDigests({
  what: 'POST /stamp, one digest',
  aim: 0.35,
  path: '/stamp',
  contentType: 'application/json',
  body: JSON.stringify({ digests: [{ type: 'sha256', value: DIGEST }] }),
})
