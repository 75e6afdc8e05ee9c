// Every published filter and sort of items and deliveries among five million of each: the slowest page of 25 and of 250,
// first, last and in the middle, compared with the aim of 50 ms.
import { catalog } from '../../server/catalog/catalog.ts'
import { cursorCodec, sortName } from '../../server/contract/keyset.ts'
import { queryFields, sortKey, withTiebreaker } from '../../server/contract/resource_fields.ts'
import { createAccount } from '../../server/domain/accounts/account_door.ts'
import { masterKey } from '../../server/kernel/sealed.ts'
import type { Ground } from './ground.ts'
import { fillLongLists, ROWS } from './long_list_rows.ts'
import { type Measure, timed } from './measurement.ts'
import { NO_LIMITS, startServer } from './server_process.ts'

const AIM_MS = 50
/** Each page is asked for so often, and its median counts. */
const RUNS = 3

export const longLists: Measure = async (ground, say) => {
  const member = await createAccount(ground.store.em(), {
    email: 'member@example.com',
    firstName: 'Member',
    plan: 'enterprise',
  })
  await fillLongLists(ground, { memberId: member.userId, smallTeamId: member.teamId }, say)
  const server = await startServer(ground, NO_LIMITS)
  const asked = await questionsOf(ground)
  let worst = { ms: 0, what: '' }
  for (const [what, paths] of asked) {
    let slowest = 0
    for (const path of paths)
      slowest = Math.max(slowest, await median(`${server.base}${path}`, ground.apiKey))
    say(`  ${slowest.toFixed(1).padStart(7)} ms  ${what}`)
    if (slowest > worst.ms) worst = { ms: slowest, what }
  }
  return {
    what: `the slowest page of a filter or sort, of ${ROWS} items and deliveries`,
    baseline: `${AIM_MS} ms`,
    ours: `${worst.ms.toFixed(1)} ms`,
    ratio: worst.ms / AIM_MS,
    aim: `<= ${AIM_MS} ms`,
    met: worst.ms <= AIM_MS,
    notes: `${asked.size} filters and sorts; the slowest is ${worst.what}`,
  }
}

async function median(url: string, key: string): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < RUNS; run += 1) {
    const { ms, value } = await timed(async () => {
      const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
      return { ok: answer.ok, text: await answer.text() }
    })
    if (!value.ok) throw new Error(`${url} answered ${value.text.slice(0, 300)}`)
    times.push(ms)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(RUNS / 2)] ?? Number.NaN
}

/** Paths by what they ask for. */
async function questionsOf(ground: Ground): Promise<ReadonlyMap<string, readonly string[]>> {
  const asked = new Map<string, string[]>()
  const cursors = cursorCodec(masterKey(Buffer.from(ground.masterKeyHex, 'hex')).derive('page cursors'))
  for (const [type, values] of Object.entries(await valuesOf(ground))) {
    const resource = catalog.related(type)
    const place = await placeInTheMiddle(ground, type)
    const pages = (query: string, sort: string): string[] => {
      const key = sort === 'id' || sort === '-id' ? undefined : sortKey(resource, sort)
      const keys = withTiebreaker(resource, key === undefined ? sortKeys(type, sort) : [key])
      const scope = `${type}:${sortName(keys)}`
      const cursor = cursors.encode(
        scope,
        keys
          .filter(({ name }) => !(type === 'item' && name === 'inserted_at'))
          .map(({ name }) => place[name] ?? null),
      )
      const base = `/api/json${resource.path}?${query}&sort=${sort}`
      return [25, 250].flatMap((limit) =>
        ['', `&page[after]=${cursor}`, `&page[before]=${cursor}`].map(
          (at) => `${base}&page[limit]=${limit}${at}`,
        ),
      )
    }
    for (const [name, { filter, sort }] of Object.entries(queryFields(resource))) {
      if (sort === true)
        for (const word of [name, `-${name}`]) asked.set(`${type} sort=${word}`, pages('', word))
      if (filter !== true) continue
      for (const [operator, value] of values[name] ?? [])
        asked.set(
          `${type} filter[${name}][${operator}]=${value}`,
          ['id', '-id'].flatMap((word) =>
            pages(`filter[${name}][${operator}]=${encodeURIComponent(value)}`, word),
          ),
        )
    }
  }
  return asked
}

const sortKeys = (type: string, word: string) => {
  const key = sortKey(catalog.related(type), word)
  return key === undefined ? [] : [key]
}

/** The values of the sort keys of a row in the middle, as cursors have them. */
async function placeInTheMiddle(
  { bare }: Ground,
  type: string,
): Promise<Readonly<Record<string, string | null>>> {
  const [row] =
    type === 'item'
      ? await bare<Record<string, string | null>>(
          `SELECT id, display_name FROM items WHERE display_name IS NOT NULL ORDER BY id OFFSET $1::int / 2 LIMIT 1`,
          [ROWS],
        )
      : await bare<Record<string, string | null>>(
          `SELECT id, status, attempts::text, iso_time(inserted_at) AS inserted_at, iso_time(updated_at) AS updated_at FROM webhook_deliveries ORDER BY id OFFSET $1::int / 2 LIMIT 1`,
          [ROWS],
        )
  return row ?? {}
}

type Values = Readonly<Record<string, readonly (readonly [operator: string, value: string])[]>>

/** For each field: what most rows have, what few of the oldest have, and what none has. */
async function valuesOf({ bare, userId, teamId }: Ground): Promise<Readonly<Record<string, Values>>> {
  const [found] = await bare<Record<string, string>>(
    `SELECT encode(sha256('same'), 'hex') AS same, encode(sha256('1'), 'hex') AS rare, encode(sha256('i77'), 'hex') AS item,
            (SELECT id FROM items ORDER BY id LIMIT 1) AS first, (SELECT id FROM blocks WHERE height = 1000) AS block,
            (SELECT iso_time(finalized_at) FROM blocks WHERE height = 1000) AS finalized,
            (SELECT iso_time(finalized_at) FROM blocks WHERE height = 1) AS early,
            (SELECT id FROM users WHERE email = 'member@example.com') AS member,
            (SELECT iso_time(inserted_at) FROM items ORDER BY id OFFSET $1::int / 2 LIMIT 1) AS inserted`,
    [ROWS],
  )
  const { same = '', rare = '', item = '', first = '', block = '', member = '' } = found ?? {}
  const { finalized = '', early = '', inserted = '' } = found ?? {}
  const eq = (...values: string[]) => values.map((value) => ['eq', value] as const)
  const since = (...values: string[]) =>
    values.flatMap((value) => ['eq', 'gte', 'lt'].map((operator) => [operator, value] as const))
  return {
    item: {
      id: eq(first),
      claims_hash: eq(same, rare, '00'.repeat(32)),
      item_hash: eq(item, '00'.repeat(32)),
      hash: eq('same', 'rare', 'hash 2000', 'none'),
      state: eq('created', 'committed', 'redacted'),
      visibility: eq('private', 'team', 'public'),
      tags: [
        ['has', 'all'],
        ['has', 'rare'],
        ['has', 'none'],
      ],
      display_name: eq('Same', 'Rare', 'None'),
      team_id: eq(teamId),
      creator_id: eq(userId, member),
      block_id: eq(block),
      committed_at: since(finalized, early),
      expires_at: eq('2050-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z', '2001-01-01T00:00:00.000Z'),
      inserted_at: since(inserted),
    },
    webhook_delivery: {
      id: eq('01900000-0000-7000-8000-000000000077'),
      endpoint_id: eq('01900000-0000-7000-9000-000000000002', '01900000-0000-7000-9000-000000000001'),
      event_type: eq('item.created', 'item.deleted', 'none'),
      resource_id: eq('same', 'item 77', 'none'),
      message_id: eq('msg_77', 'none'),
      status: eq('success', 'failed', 'cancelled', 'pending'),
      http_status: eq('200', '500', '999'),
      inserted_at: eq(inserted, '2001-01-01T00:00:00.000Z'),
    },
  }
}
