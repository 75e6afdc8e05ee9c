// Only who may change an item changes it, every change is told once, and what is erased is nowhere.
import type { EntityManager } from '@mikro-orm/postgresql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditLedger } from '../../../server/domain/ledger/audit/audit_ledger.ts'
import { deleteItem, updateItem } from '../../../server/domain/ledger/change_item.ts'
import { submittedClaims } from '../../../server/domain/ledger/claims.ts'
import type { draftItem } from '../../../server/domain/ledger/item.ts'
import { Refusal } from '../../../server/kernel/refusal.ts'
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import { claimsOf } from '../../support/ledger.ts'
import { redactItem, unredactItem } from '../../support/redaction.ts'
import { row, rows } from '../../support/rows.ts'
import { testLedger } from '../../support/test_ledger.ts'
import { newTeam, newUser } from './people.ts'
import { hold } from './until.ts'

const ledger = testLedger()
afterAll(async () => {
  expect((await auditLedger({ em: ledger.store.em() })).disagreements).toEqual([])
})

const submit = async (submission: Partial<Parameters<typeof draftItem>[0]> = {}): Promise<string> => {
  const [item] = await ledger.submit(submission)
  if (item === undefined) throw new Error('nothing was submitted')
  return item.id
}
const factsOf = async (id: string) =>
  rows<{ kind: string; data: JsonObject }>(
    ledger.store.em(),
    'SELECT kind, data FROM facts WHERE subject_id = $1 ORDER BY id',
    [id],
  )
const kindsOf = async (id: string) => (await factsOf(id)).map(({ kind }) => kind)
const answer = (work: Promise<unknown>) =>
  work.then(
    (outcome) => outcome ?? 'done',
    (error: unknown) => {
      if (error instanceof Refusal) return error.code
      throw error
    },
  )

describe.each([
  {
    model: 'creator_retains' as const,
    may: { creator: true, owner: false, admin: false, member: false, viewer: false },
  },
  {
    model: 'team_retains' as const,
    may: { creator: false, owner: true, admin: true, member: false, viewer: false },
  },
])('in a team with $model', ({ model, may }) => {
  const claims = claimsOf('theirs')
  let people: Record<'creator' | 'owner' | 'admin' | 'member' | 'viewer' | 'stranger', string>
  let teamId: string
  beforeAll(async () => {
    const [creator, owner, admin, member, viewer, stranger] = await Promise.all(
      Array.from({ length: 6 }, () => newUser(ledger)),
    )
    if (!creator || !owner || !admin || !member || !viewer || !stranger) throw new Error('nobody')
    people = { creator, owner, admin, member, viewer, stranger }
    const roles = {
      [creator]: 'member',
      [owner]: 'owner',
      [admin]: 'admin',
      [member]: 'member',
      [viewer]: 'viewer',
    } as const
    teamId = await newTeam(ledger, model, roles)
  })

  const verbs = {
    update: (id: string, userId: string) =>
      updateItem(ledger.store.em(), { id, userId }, { tags: ['changed'] }),
    redact: (id: string, userId: string) => redactItem(ledger.store.em(), { id, userId }),
    unredact: (id: string, userId: string) =>
      unredactItem(ledger.store.em(), { id, userId, claims: submittedClaims(claims) }),
    delete: (id: string, userId: string) => deleteItem(ledger.store.em(), { id, userId }),
  }

  it.each(['creator', 'owner', 'admin', 'member', 'viewer'] as const)('what a %s may do', async (who) => {
    for (const [verb, run] of Object.entries(verbs)) {
      const id = await submit({
        claims: submittedClaims(claims),
        creatorId: people.creator,
        teamId,
        visibility: 'team',
      })
      const allowed = may[who]
      if (verb === 'unredact')
        await redactItem(ledger.store.em(), { id, userId: may.creator ? people.creator : people.owner })
      const expected = allowed ? (verb === 'delete' ? 'done' : 'changed') : 'forbidden'
      expect([verb, await answer(run(id, people[who]))]).toEqual([verb, expected])
    }
  })

  it('a private item is there for those who keep it, not for anybody else, and an unknown one for nobody', async () => {
    const id = await submit({ claims: submittedClaims(claims), creatorId: people.creator, teamId })
    for (const run of Object.values(verbs)) {
      for (const who of [
        'member',
        'viewer',
        'stranger',
        ...(may.owner ? [] : (['owner', 'admin'] as const)),
      ] as const)
        expect(await answer(run(id, people[who]))).toBe('not_found')
      expect(await answer(run('01ARZ3NDEKTSV4RRFFQ69G5FAV', people.creator))).toBe('not_found')
      expect(await answer(run('no id', people.creator))).toBe('not_found')
    }
    expect(await kindsOf(id)).toEqual(['item.created'])
    if (may.owner)
      for (const who of ['owner', 'admin'] as const)
        for (const [verb, run] of Object.entries(verbs)) {
          const fresh = await submit({ claims: submittedClaims(claims), creatorId: people.creator, teamId })
          if (verb === 'unredact') await verbs.redact(fresh, people.owner)
          expect(await answer(run(fresh, people[who]))).toBe(verb === 'delete' ? 'done' : 'changed')
        }
  })

  it('a stranger does not find an item of the team, and may not change a public one', async () => {
    const team = await submit({
      claims: submittedClaims(claims),
      creatorId: people.creator,
      teamId,
      visibility: 'team',
    })
    const open = await submit({
      claims: submittedClaims(claims),
      creatorId: people.creator,
      teamId,
      visibility: 'public',
    })
    for (const run of Object.values(verbs)) {
      expect(await answer(run(team, people.stranger))).toBe('not_found')
      expect(await answer(run(open, people.stranger))).toBe('forbidden')
    }
  })
})

describe('a change', () => {
  const of = (id: string) => ({ id, userId: ledger.userId })
  const claims = claimsOf('mine')

  it('of labels and visibility is stored, is no fact, and is unchanged the second time', async () => {
    const em = ledger.store.em()
    const id = await submit()
    expect(await updateItem(em, of(id), { tags: ['b', 'a'], visibility: 'public' })).toBe('changed')
    expect(await updateItem(em, of(id), { tags: ['b', 'a'] })).toBe('unchanged')
    expect(await updateItem(em, of(id), {})).toBe('unchanged')
    expect(await updateItem(em, of(id), { tags: ['a', 'b'] })).toBe('changed')
    expect(await updateItem(em, of(id), { visibility: 'team' })).toBe('changed')
    expect(await row(em, 'SELECT tags, visibility FROM items WHERE id = $1', [id])).toEqual({
      tags: ['a', 'b'],
      visibility: 'team',
    })
    expect(await kindsOf(id)).toEqual(['item.created'])
  })

  it('is told in one fact with the state after it; a repetition is unchanged and told in none', async () => {
    const em = ledger.store.em()
    const id = await submit({ claims: submittedClaims(claims) })
    expect(await redactItem(em, of(id))).toBe('changed')
    expect(await redactItem(em, of(id))).toBe('unchanged')
    expect(await unredactItem(em, { ...of(id), claims: submittedClaims(claims) })).toBe('changed')
    expect(await unredactItem(em, { ...of(id), claims: submittedClaims(claims) })).toBe('unchanged')
    await ledger.finalize()
    expect(await redactItem(em, of(id))).toBe('changed')
    expect(await unredactItem(em, { ...of(id), claims: submittedClaims({ ...claims, url: null }) })).toBe(
      'changed',
    )
    await deleteItem(em, of(id))
    expect(await answer(deleteItem(em, of(id)))).toBe('not_found')
    expect(
      (await factsOf(id)).map(({ kind, data }) => [
        kind,
        data.state,
        data.redacted_at === null,
        data.block_id === null,
      ]),
    ).toEqual([
      ['item.created', 'created', true, true],
      ['item.redacted', 'redacted', false, true],
      ['item.unredacted', 'created', true, true],
      ['item.redacted', 'redacted', false, false],
      ['item.unredacted', 'committed', true, false],
      ['item.deleted', undefined, false, false],
    ])
    expect((await factsOf(id)).at(-1)?.data).toEqual({ id })
  })

  it('back from redaction restores every column, and only from the very claims', async () => {
    const em = ledger.store.em()
    const full = { ...claims, description: 'A description.', metadata: { a: 1, b: [null] } }
    const id = await submit({ claims: submittedClaims(full) })
    const everything = () =>
      row(
        em,
        'SELECT claims, hash, display_name, display_description, state, redacted_at, item_hash, tags FROM shown_items WHERE id = $1',
        [id],
      )
    const before = await everything()
    await redactItem(em, of(id))
    for (const wrong of [claims, { ...full, name: 'mine too' }, { ...full, metadata: { a: 1, b: [] } }, {}])
      expect(await answer(unredactItem(em, { ...of(id), claims: submittedClaims(wrong) }))).toBe(
        'invalid_argument',
      )
    expect((await everything()) as object).toMatchObject({ claims: null, state: 'redacted' })
    expect(
      await unredactItem(em, {
        ...of(id),
        claims: submittedClaims({ url: null, ...full, metadata: { b: [null], a: 1.0 } }),
      }),
    ).toBe('changed')
    expect(await everything()).toEqual(before)
  })
})

it('a change of tags or of the time of change writes no entry of an index of items', async () => {
  const id = await submit()
  const written = (tx: EntityManager) =>
    row<{ rows: number; without_index: number }>(
      tx,
      `SELECT n_tup_upd::int AS rows, n_tup_hot_upd::int AS without_index
         FROM pg_stat_xact_user_tables WHERE relname = 'items'`,
    )
  const change = await hold(ledger.store.em(), async (tx) => {
    const before = await written(tx)
    await rows(tx, `UPDATE items SET tags = '{a,b}', updated_at = pharos_now() WHERE id = $1`, [id])
    const after = await written(tx)
    return { rows: after.rows - before.rows, without_index: after.without_index - before.without_index }
  })
  await change.rollBack()
  expect(change.result).toEqual({ rows: 1, without_index: 1 })
})

describe('what is erased', () => {
  // Every text that claims may hold, none of which may be anywhere afterwards.
  const secrets = {
    name: 'Zyzzyva-name',
    description: 'Zyzzyva-description, long enough to be one',
    url: 'https://zyzzyva.example/',
  }
  const hash = 'fedcba9876543210'.repeat(4)
  const claims = { ...secrets, hash, hash_type: 'sha256', metadata: { 'zyzzyva-key': 'zyzzyva-value' } }

  it.each(['redactItem', 'deleteItem'] as const)('by %s is in no column of any table', async (verb) => {
    const em = ledger.store.em()
    const before = await submit({ claims: submittedClaims(claims), tags: ['kept'] })
    await ledger.finalize()
    const after = await submit({ claims: submittedClaims(claims), tags: ['kept'] })
    // Told apart from a search that never finds anything.
    expect(await tablesWith(['zyzzyva', hash])).toEqual(['items'])
    for (const id of [before, after])
      await { redactItem, deleteItem }[verb](em, { id, userId: ledger.userId })
    expect(await tablesWith(['zyzzyva', hash])).toEqual([])
    if (verb === 'redactItem')
      expect(
        await row(em, 'SELECT tags, encode(claims_hash, $2) <> $3 AS hashed FROM items WHERE id = $1', [
          before,
          'hex',
          '',
        ]),
      ).toEqual({
        tags: ['kept'],
        hashed: true,
      })
  })

  /** Tables, of any schema, with a row that has one of these somewhere: as text, or as its bytes (shown in hex). */
  async function tablesWith(texts: readonly string[]): Promise<string[]> {
    const em = ledger.store.em()
    const tables = await rows<{ name: string }>(
      em,
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
        WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
    )
    const shapes = texts.flatMap((text) => [
      text,
      Buffer.from(text, 'utf8').toString('hex'),
      Buffer.from(text.replace('z', 'Z')).toString('hex'),
    ])
    const found: string[] = []
    for (const { name } of tables) {
      const { hits } = await row<{ hits: number }>(
        em,
        `SELECT count(*)::int AS hits FROM ${name} AS t WHERE EXISTS (SELECT 1 FROM unnest($1::text[]) AS s WHERE strpos(lower(t::text), lower(s)) > 0)`,
        [shapes],
      )
      if (hits > 0) found.push(name.replace('public.', ''))
    }
    return found
  }
})

describe('a deletion', () => {
  const of = (id: string) => ({ id, userId: ledger.userId })
  const tombstone = (id: string) =>
    row<{ height: number | null; leaf_index: number | null; item_hash: Buffer }>(
      ledger.store.em(),
      'SELECT height, leaf_index, item_hash FROM item_tombstones LEFT JOIN block_leaves ON subject_id = id WHERE id = $1',
      [id],
    )

  it('before the cut leaves a tombstone and no leaf', async () => {
    const id = await submit()
    await deleteItem(ledger.store.em(), of(id))
    expect(await ledger.finalize()).toMatchObject({ leaves: 0 })
    expect(await tombstone(id)).toMatchObject({ height: null, leaf_index: null })
  })

  it('after the cut leaves a tombstone in the place of the leaf', async () => {
    const em = ledger.store.em()
    const [item] = await ledger.submit({}, {}, {})
    const id = item?.id ?? ''
    const block = await ledger.finalize()
    const { leaf_index } = await row<{ leaf_index: number }>(
      em,
      'SELECT leaf_index FROM shown_items WHERE id = $1',
      [id],
    )
    await deleteItem(em, of(id))
    expect(await rows(em, 'SELECT 1 FROM items WHERE id = $1', [id])).toEqual([])
    expect(await tombstone(id)).toEqual({
      height: 'height' in block ? block.height : undefined,
      leaf_index,
      item_hash: Buffer.from(item?.itemHash ?? []),
    })
  })
})
