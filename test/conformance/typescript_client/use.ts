// A program of somebody who knows the service by its document alone: typed calls through a generated client. It is checked
// by the compiler and then run, so every comparison here is one that the types allow. Usage: use.ts <base> <key>
import * as api from './generated/client.ts'

const [base = '', key = ''] = process.argv.slice(2)
api.defaults.baseUrl = base
api.defaults.headers = { Authorization: `Bearer ${key}` }

const told: Record<string, unknown> = {}

const made = await api.createItem({
  data: {
    type: 'item',
    attributes: { claims: { name: 'a file', hash: 'ab'.repeat(32), hash_type: 'sha256' }, tags: ['typed'] },
  },
})
if (made.status !== 201) throw new Error(JSON.stringify(made.data))
const { id, attributes } = made.data.data
told.made = { id, state: attributes.state, tags: attributes.tags }

const unknown = await api.createItem({
  // @ts-expect-error: an attribute that nobody published
  data: { type: 'item', attributes: { claims: { name: 'b' }, colour: 1 } },
})
if (unknown.status !== 400) throw new Error('It was accepted.')
told.refused = unknown.data.errors.map(({ code, source, meta }) => {
  // @ts-expect-error: no code of this status
  if (code === 'rate_limited') return meta
  return [code, source?.pointer]
})

const listed = await api.listItems({
  pageLimit: 5,
  pageCount: true,
  sort: ['-inserted_at', 'id'],
  filterState: { not_eq: 'redacted', in: ['created', 'committed'] },
  filterVisibility: 'private',
  filterTags: { has: 'typed' },
  filterInsertedAt: { greater_than: '2020-01-01T00:00:00Z' },
  filterOr: {
    0: { id },
    1: { and: { 0: { state: 'committed' }, 1: { display_name: { contains: 'nobody' } } } },
  },
  filterNot: { claims_hash: '0'.repeat(64) },
  filterTeam: { not: { name: 'nobody' } },
  include: ['creator'],
  fieldsItem: ['state', 'creator'],
  fieldsUser: ['email'],
})
if (listed.status !== 200) throw new Error(JSON.stringify(listed.data))
told.listed = {
  rows: listed.data.data.map((row) => [row.id, row.attributes]),
  total: listed.data.meta.page.total,
  next: listed.data.links.next,
  included: listed.data.included?.flatMap((one) => (one.type === 'user' ? [one.attributes.email] : [])),
}

const none = await api.listItems({
  filterId: { in: ['01MB78W7FGY7TZHKNWE7WA3Z57', '01MB78W7FGY7TZHKNWE7WA3Z58'] },
})
told.none = none.status === 200 ? none.data.data : none.data

const batch = await api.createItems({
  data: { items: [{ claims: { name: 'c', metadata: { any: [1] } } }, { claims: { name: 'd' } }] },
})
if (batch.status !== 201) throw new Error(JSON.stringify(batch.data))
told.batch = batch.data.result.items.map((one) => ('id' in one ? 'made' : one.errors.map(({ code }) => code)))

const latest = await api.latestBeacon()
if (latest.status !== 200) throw new Error(`The latest beacon is a ${latest.status}.`)
const again = await api.latestBeacon({ ifNoneMatch: '*' })
told.beacon = [latest.data.hash.length, again.status]

const hashed = await api.hash({ data: { text: 'abc', hash_type: 'sha256' } })
if (hashed.status !== 201) throw new Error(JSON.stringify(hashed.data))
const { result } = hashed.data
told.hashed = 'ok' in result ? result.message : [result.algorithm, result.hex.slice(0, 8)]

const subject = { id: latest.data.id, type: 'beacon' } as const
const proof = await api.generateProof({ data: { ...subject, layout: 'published', format: 'json' } })
told.proof = proof.status === 409 ? proof.data.errors.map(({ code }) => code) : proof.status

const gone = await api.getItem('01MB78W7FGY7TZHKNWE7WA3Z57')
told.gone = gone.status === 404 ? gone.data.errors.map(({ code }) => code) : gone.status

const stranger = await api.currentUser({}, { headers: { Authorization: 'Bearer phk_nobody' } })
told.stranger = stranger.status === 401 ? stranger.data.errors.map(({ code }) => code) : stranger.status

process.stdout.write(JSON.stringify(told))
