// Deletes a million deliveries in pieces that block no other work, compared with one bare DELETE of as many.
import { pruneDeliveries } from '../../server/domain/webhooks/deliveries/delivery.ts'
import type { Ground } from './ground.ts'
import { type Measure, timed } from './measurement.ts'

const DELIVERIES = 1_000_000
/** This many deliveries stay. */
const KEPT = 10_000
/** What a chore is given. */
const PIECE = 1_000
const AIM_RATIO = 3

export const pruneManyDeliveries: Measure = async (ground, say) => {
  const { store } = ground
  say('  baseline: one statement')
  await fill(ground)
  const bare = await timed(() =>
    ground.bare(`DELETE FROM webhook_deliveries WHERE inserted_at < pharos_now() - interval '31 days'`),
  )
  await ground.bare('TRUNCATE webhook_deliveries')
  say('  ours: in pieces')
  await fill(ground)
  let slowest = 0
  let pruned = 0
  const ours = await timed(async () => {
    for (let piece = PIECE; piece >= PIECE; pruned += piece) {
      const { ms, value } = await timed(() => pruneDeliveries(store.em(), PIECE))
      piece = value
      slowest = Math.max(slowest, ms)
    }
  })
  if (pruned !== DELIVERIES) throw new Error(`${pruned} of ${DELIVERIES} were pruned.`)
  const ratio = ours.ms / bare.ms
  return {
    what: `prune ${DELIVERIES} deliveries`,
    baseline: `${Math.round(bare.ms)} ms`,
    ours: `${Math.round(ours.ms)} ms`,
    ratio,
    aim: `<= ${AIM_RATIO} x`,
    met: ratio <= AIM_RATIO,
    notes: `slowest piece ${Math.round(slowest)} ms`,
  }
}

async function fill(ground: Ground): Promise<void> {
  await ground.bare(
    `INSERT INTO webhook_deliveries (id, user_id, endpoint_id, event_type, resource_type, resource_id, message_id, creator_id,
                                     team_id, visibility, status, attempts, completed_at, payload, inserted_at)
     SELECT lpad(n::text, 36, '0'), $1, 'endpoint ' || n % 200, 'item.created', 'item', 'item ' || n, 'message ' || n, $1,
            $2, 'private', 'success', 1, pharos_now(), '{}',
            pharos_now() - CASE WHEN n > $3::int THEN interval '1 day' ELSE interval '40 days' - n * interval '500 milliseconds' END
       FROM generate_series(1, $3::int + $4::int) AS n`,
    [ground.userId, ground.teamId, DELIVERIES, KEPT],
  )
  await ground.bare('ANALYZE webhook_deliveries')
}
