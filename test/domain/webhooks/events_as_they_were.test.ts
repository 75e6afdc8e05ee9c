// Whatever is done to items, and whenever facts are worked off: each event says what was true when it happened.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deleteItem, updateItem } from '../../../server/domain/ledger/change_item.ts'
import { submittedClaims } from '../../../server/domain/ledger/claims.ts'
import { VISIBILITIES } from '../../../server/domain/ledger/item.ts'
import { fanOut } from '../../../server/domain/webhooks/fan_out/fan_out.ts'
import { claimsOf } from '../../support/ledger.ts'
import { redactItem, unredactItem } from '../../support/redaction.ts'
import { sizeOf } from '../../support/sizes.ts'
import { openTestWebhooks, type TestWebhooks } from '../../support/webhooks.ts'
import { newTeam } from '../ledger/people.ts'
import { commitBlocks } from '../proofs/seed_commitment.ts'

let webhooks: TestWebhooks
let otherTeam = ''
beforeAll(async () => {
  webhooks = await openTestWebhooks()
  otherTeam = await newTeam(webhooks.ledger, 'creator_retains', { [webhooks.ledger.userId]: 'owner' })
})
afterAll(() => webhooks.close())

/** What a worker-off is told, or one step of an item's life; `item` picks one of those there are. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('submit' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('finalize' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('commit' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fan out' as const) }) },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constantFrom('redact', 'unredact', 'delete', 'move', 'show', 'tag'),
      item: fc.nat(20),
      to: fc.nat(2),
    }),
  },
)

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

it('in every order of steps', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      await webhooks.query('DELETE FROM webhook_deliveries')
      await webhooks.query('DELETE FROM webhook_endpoints')
      const all = await webhooks.endpoint({ url: 'https://hooks.example.com/' })
      const ofTeam = await webhooks.endpoint({
        url: 'https://hooks.example.com/',
        teamFilterId: webhooks.ledger.teamId,
      })
      const expected = new Map<string, unknown[]>([
        [all.id, []],
        [ofTeam.id, []],
      ])
      const happened = (type: string, data: Record<string, unknown>, teamId: unknown) => {
        expected.get(all.id)?.push({ type, data })
        if (teamId === webhooks.ledger.teamId) expected.get(ofTeam.id)?.push({ type, data })
      }
      const living: string[] = []
      for (const one of steps) await perform(one, living, happened)
      await webhooks.fanOutAll()
      for (const [endpointId, events] of expected) {
        const told = (await webhooks.deliveries(endpointId)).map(({ payload }) => {
          const { type, data } = JSON.parse(payload)
          return { type, data }
        })
        expect(inOrder(told)).toEqual(inOrder(events))
      }
      expect(await webhooks.query('SELECT * FROM webhook_facts')).toEqual([])
    }),
    { numRuns: sizeOf('orders_of_events') },
  )
}, 120_000)

const inOrder = (events: readonly unknown[]): string[] =>
  events.map((event) => JSON.stringify(event)).toSorted()

type Happened = (type: string, data: Record<string, unknown>, teamId: unknown) => void

/** Does the step, and notes at once what is true of it then. */
async function perform(one: Step, living: string[], happened: Happened): Promise<void> {
  const { ledger } = webhooks
  const em = ledger.store.em()
  const tellNow = async (type: string, id: string) => {
    const data = await snapshot(id)
    happened(type, data, data.team_id)
  }
  if (one.do === 'submit') {
    const [item] = await ledger.submit({ visibility: 'team' })
    living.push(item?.id ?? '')
    return tellNow('item.created', item?.id ?? '')
  }
  if (one.do === 'fan out') {
    await fanOut(em)
    return
  }
  if (one.do === 'finalize') {
    const waiting = await webhooks.query<{ id: string }>('SELECT id FROM shown_items WHERE block_id IS NULL')
    await ledger.finalize()
    for (const { id } of waiting) await tellNow('item.committed', id)
    return
  }
  if (one.do === 'commit') {
    const uncommitted = await webhooks.query<{ id: string; items: string[] }>(
      `SELECT b.id, array(SELECT s.id FROM shown_items s WHERE s.block_id = b.id) AS items
         FROM blocks b WHERE b.state = 'finalized'`,
    )
    if (uncommitted.length === 0) return
    await commitBlocks({ em })
    for (const { items } of uncommitted) for (const id of items) await tellNow('item.provable', id)
    return
  }
  if (!('item' in one) || living.length === 0) return
  const id = living[one.item % living.length] ?? ''
  const which = { id, userId: ledger.userId }
  const before = await snapshot(id)
  switch (one.do) {
    case 'redact':
      if ((await redactItem(em, which)) === 'changed') await tellNow('item.redacted', id)
      return
    case 'unredact':
      if ((await unredactItem(em, { ...which, claims: submittedClaims(claimsOf('a file')) })) === 'changed')
        await tellNow('item.unredacted', id)
      return
    case 'delete':
      await deleteItem(em, which)
      living.splice(living.indexOf(id), 1)
      return happened('item.deleted', { id }, before.team_id)
    case 'move':
      await updateItem(em, which, { teamId: one.to === 0 ? ledger.teamId : otherTeam })
      return
    case 'show':
      await updateItem(em, which, { visibility: VISIBILITIES[one.to] ?? 'team' })
      return
    default:
      await updateItem(em, which, { tags: [`tag ${one.to}`] })
  }
}

async function snapshot(id: string): Promise<Record<string, unknown>> {
  const [row] = await webhooks.query<{ data: Record<string, unknown> }>(
    'SELECT item_snapshot(i) AS data FROM items i WHERE id = $1',
    [id],
  )
  return row?.data ?? {}
}
