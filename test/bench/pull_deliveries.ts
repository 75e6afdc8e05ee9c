// A million deliveries behind the place of one reader of a pull endpoint, read by HTTP until nothing is left: first as
// news, which is recorded, then once more. Compared with a bare session that reads such pages and records them in the same
// columns.
import { createEndpoint } from '../../server/domain/webhooks/endpoints/change_endpoint.ts'
import { MOST_EVENTS } from '../../server/domain/webhooks/pulling/read_events.ts'
import { masterKey } from '../../server/kernel/sealed.ts'
import type { Ground } from './ground.ts'
import { type Measure, perSecond, timed } from './measurement.ts'
import { peakMib } from './process_use.ts'
import { NO_LIMITS, startServer } from './server_process.ts'

const DELIVERIES = 1_000_000
/** Of the baseline, at an endpoint of its own. */
const BARE_DELIVERIES = 100_000
const AT_ONCE = 50_000
/** Deliveries a second. */
const AIM = 5_000

export const pullDeliveries: Measure = async (ground, say) => {
  const [endpoint, bareEndpoint] = [await addEndpoint(ground), await addEndpoint(ground)]
  say(`  making ${DELIVERIES + BARE_DELIVERIES} deliveries`)
  await fill(ground, endpoint.id, 0, DELIVERIES)
  await fill(ground, bareEndpoint.id, DELIVERIES, DELIVERIES + BARE_DELIVERIES)
  await ground.bare('VACUUM (ANALYZE) webhook_deliveries')
  say('  baseline: pages by a bare session')
  const bare = await timed(() => readBare(ground, bareEndpoint.id))
  const server = await startServer(ground, { ...NO_LIMITS, PUBLIC_CHAINS: 'none' })
  const path = `${server.base}/api/json/webhook-endpoints/${endpoint.id}/events`
  const read = async (): Promise<number> => {
    const { ms, value } = await timed(() => readAll(path, ground.apiKey))
    if (value !== DELIVERIES) throw new Error(`${value} of ${DELIVERIES} were read.`)
    return ms
  }
  say('  ours: as news, then once more')
  const fresh = await read()
  const again = await read()
  const mib = await peakMib(server.pid)
  return {
    what: `read ${DELIVERIES} signed deliveries of a pull endpoint, ${MOST_EVENTS} at a time`,
    baseline: perSecond(BARE_DELIVERIES, bare.ms),
    ours: perSecond(DELIVERIES, fresh),
    ratio: bare.ms / BARE_DELIVERIES / (fresh / DELIVERIES),
    aim: `>= ${AIM}/s`,
    met: (DELIVERIES * 1_000) / fresh >= AIM,
    ...(mib === undefined ? {} : { peakMib: mib }),
    notes: `read once more: ${perSecond(DELIVERIES, again)}`,
  }
}

const addEndpoint = ({ store, masterKeyHex, userId }: Ground) =>
  createEndpoint(
    { em: store.em(), masterKey: masterKey(Buffer.from(masterKeyHex, 'hex')) },
    { userId, kind: 'pull', signing: 'v1', resourceType: 'item', events: ['item.created'] },
  )

async function readAll(path: string, key: string): Promise<number> {
  let read = 0
  for (let after = ''; ; ) {
    const answer = await fetch(`${path}?after=${after}`, { headers: { authorization: `Bearer ${key}` } })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 300)}`)
    const { events, next }: { events: readonly unknown[]; next: string } = JSON.parse(text)
    if (events.length === 0) return read
    read += events.length
    after = next
  }
}

async function readBare({ bare }: Ground, endpointId: string): Promise<void> {
  for (let [xid, id] = ['0', '']; ; ) {
    const found = await bare<{ xid: string; id: string; payload: string }>(
      `SELECT pull_xid::text AS xid, id, event_type, message_id, payload FROM webhook_deliveries
        WHERE endpoint_id = $1 AND status <> 'cancelled' AND pull_xid IS NOT NULL AND (pull_xid, id) > ($2::text::xid8, $3)
        ORDER BY pull_xid, id LIMIT ${MOST_EVENTS}`,
      [endpointId, xid, id],
    )
    const last = found.at(-1)
    if (last === undefined) return
    await bare(
      `UPDATE webhook_deliveries
          SET status = 'success', attempts = 1, first_attempt_at = now(), last_attempt_at = now(), completed_at = now(),
              updated_at = now()
        WHERE id = ANY($1::text[])`,
      [found.map(({ id }) => id)],
    )
    xid = last.xid
    id = last.id
  }
}

/** By several transactions, as a place names one. */
async function fill(
  { bare, userId, teamId }: Ground,
  endpointId: string,
  first: number,
  end: number,
): Promise<void> {
  for (let from = first; from < end; from += AT_ONCE)
    await bare(
      `INSERT INTO webhook_deliveries (id, user_id, endpoint_id, event_type, resource_type, resource_id, message_id, creator_id,
                                       team_id, visibility, status, attempts, payload, pull_xid, inserted_at)
       SELECT lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000', $1, $2, 'item.created', 'item', 'item ' || n,
              'msg_' || n, $1, $3, 'private', 'pending', 0,
              '{"type":"item.created","timestamp":1795197600,"data":{"id":"' || md5(n::text) || '","note":"' || repeat('n', 400) || '"}}',
              pg_current_xact_id(), pharos_now()
         FROM generate_series($4::int + 1, $4::int + $5::int) AS n`,
      [userId, endpointId, teamId, from, AT_ONCE],
    )
}
