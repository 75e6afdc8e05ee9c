// No payload of the stream is above 16 KiB, whatever a fact says of its subject.
import { expect, it } from 'vitest'
import { FACT_KINDS, type Fact } from '../../../server/domain/ledger/facts.ts'
import { createAudience, fanOutToStream } from '../../../server/surfaces/console/fan_out.ts'
import type { FactStream } from '../../../server/surfaces/console/session.ts'
import { streamOutlet } from '../../../server/surfaces/console/stream_outlet.ts'
import { connectionLimits, streams } from '../../../shared/wire/console_stream.ts'

const nobody = (): never => {
  throw new Error('not needed here')
}
const fact = (kind: Fact['kind'], data: Fact['data']): Fact => ({
  kind,
  subject_id: 'x',
  creator_id: 'ada',
  team_id: 'team',
  visibility: 'public',
  data: { id: 'x', item_count: 0, ...data },
  at: '2026-11-20T18:00:00.123Z',
})

it.each(FACT_KINDS)('%s', async (kind) => {
  const audience = createAudience()
  const emitted: { event: string; body: object }[] = []
  const outlet = streamOutlet({
    emit: (event, body) => emitted.push({ event, body }),
    burstName: 'burst',
    burstMs: 60_000,
  })
  for (const stream of Object.keys(streams))
    if (stream !== 'beacons')
      audience.add(stream as FactStream, { userId: 'ada', teamId: 'team', keeps: () => false, outlet })
  const tell = (data: Fact['data']) =>
    fanOutToStream({ em: nobody, audience, log: Object.create(null) }, fact(kind, data))
  await tell({ tags: ['small'] })
  await tell({ tags: ['🗼'.repeat(1_000_000)] })
  // More in a second than are sent one by one.
  for (let more = 0; more < 250; more += 1) await tell({ tags: ['x'.repeat(15_300)] })
  outlet.flush()
  if (emitted.length === 0) return
  expect(emitted[0]?.body).toMatchObject({ data: { id: 'x', tags: ['small'] } })
  expect(emitted[1]?.body).toMatchObject({ data: { id: 'x' } })
  expect(emitted.at(-1)?.event).toBe('burst')
  for (const { event, body } of emitted)
    expect(Buffer.byteLength(JSON.stringify([event, body]))).toBeLessThanOrEqual(
      connectionLimits.payload_bytes,
    )
})
