// An id says what it stands for to those who may read it, and nothing at all to everybody else.

import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { deleteItem } from '../../../server/domain/ledger/change_item.ts'
import { recordObservation } from '../../../server/domain/ledger/observation.ts'
import { resolveId } from '../../../server/domain/utilities/resolve_id.ts'
import { newUuid7, ulidFrom } from '../../../server/kernel/identifiers.ts'
import { redactItem } from '../../support/redaction.ts'
import { row, rows } from '../../support/rows.ts'
import { testLedger } from '../../support/test_ledger.ts'
import { newTeam, newUser } from '../ledger/people.ts'

const ledger = testLedger()
let stranger: string
let member: string
let viewer: string
let team: string
const ids: Record<'private' | 'team' | 'public' | 'waiting' | 'redacted' | 'deleted', string> = {
  private: '',
  team: '',
  public: '',
  waiting: '',
  redacted: '',
  deleted: '',
}

beforeAll(async () => {
  const { store, userId } = ledger
  const em = store.em()
  stranger = await newUser(ledger)
  member = await newUser(ledger)
  viewer = await newUser(ledger)
  team = await newTeam(ledger, 'creator_retains', {
    [userId]: 'owner',
    [member]: 'member',
    [viewer]: 'viewer',
  })
  const submitted = await ledger.submit(
    { visibility: 'private', teamId: team },
    { visibility: 'team', teamId: team },
    { visibility: 'public' },
    { visibility: 'public' },
    { visibility: 'public' },
  )
  const [first, second, third, fourth, fifth] = submitted.map(({ id }) => id)
  Object.assign(ids, { private: first, team: second, public: third, redacted: fourth, deleted: fifth })
  await ledger.finalize()
  await redactItem(em, { id: ids.redacted, userId })
  await deleteItem(em, { id: ids.deleted, userId })
  const [late] = await ledger.submit({ visibility: 'private' })
  ids.waiting = late?.id ?? ''
})

const resolve = (userId: string, id: string) => resolveId(ledger.store.em(), { userId }, { id })
const nothing = (id: string, id_format: string) => ({ id, normalized_id: id, id_format, matches: [] })

describe('an item', () => {
  const item = (visibility: string, state: string, committed_at: unknown = expect.any(String)) => ({
    kind: 'item',
    verifiable: true,
    proof_type: 'item',
    also_verifiable_as: [],
    summary: { state, visibility, committed_at },
  })

  it('is resolved by its creator in every state, with what the ledger says', async () => {
    const { at } = await row<{ at: string }>(
      ledger.store.em(),
      'SELECT iso_time(committed_at) AS at FROM shown_items WHERE id = $1',
      [ids.private],
    )
    expect(await resolve(ledger.userId, ids.private)).toEqual({
      id: ids.private,
      normalized_id: ids.private,
      id_format: 'ulid',
      matches: [item('private', 'committed', at)],
    })
    expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(await resolve(ledger.userId, ids.waiting)).toMatchObject({
      matches: [item('private', 'created', null)],
    })
    expect(await resolve(ledger.userId, ids.redacted)).toMatchObject({
      matches: [item('public', 'redacted')],
    })
  })

  it('is seen by exactly those whom its visibility lets read it', async () => {
    const seen = async (userId: string) => {
      const found: string[] = []
      for (const [name, id] of Object.entries(ids)) {
        const answer = await resolve(userId, id)
        if ('matches' in answer && answer.matches.length > 0) found.push(name)
      }
      return found
    }
    expect(await seen(ledger.userId)).toEqual(['private', 'team', 'public', 'waiting', 'redacted'])
    expect(await seen(member)).toEqual(['team', 'public', 'redacted'])
    expect(await seen(viewer)).toEqual(['team', 'public', 'redacted'])
    expect(await seen(stranger)).toEqual(['public', 'redacted'])
    expect(await seen(newUuid7())).toEqual(['public', 'redacted'])
  })

  it('that may not be read, that is deleted and that never was answer alike', async () => {
    const never = ulidFrom(1_798_761_750_000, new Uint8Array(10).fill(7))
    for (const id of [ids.private, ids.waiting, ids.deleted, never])
      expect(await resolve(stranger, id)).toEqual(nothing(id, 'ulid'))
  })

  it('is found in either case; the id is echoed, and normalized beside', async () => {
    expect(await resolve(ledger.userId, ids.public.toLowerCase())).toMatchObject({
      id: ids.public.toLowerCase(),
      normalized_id: ids.public,
      matches: [{ kind: 'item' }],
    })
  })
})

describe('a UUIDv7', () => {
  it('of a block is a block, also provable as a beacon, for any caller and in either case', async () => {
    const em = ledger.store.em()
    for (const block of await rows<{ id: string; height: number; hash: string }>(
      em,
      `SELECT id, height, encode(block_hash, 'hex') AS hash FROM blocks ORDER BY height`,
    ))
      expect(await resolve(stranger, block.id.toUpperCase())).toEqual({
        id: block.id.toUpperCase(),
        normalized_id: block.id,
        id_format: 'uuidv7',
        matches: [
          {
            kind: 'block',
            verifiable: true,
            proof_type: 'block',
            also_verifiable_as: ['beacon'],
            summary: { height: block.height, block_hash: block.hash, state: 'finalized' },
          },
        ],
      })
  })

  it('of an observation names its source as the proof type, also before its block', async () => {
    const { store, signer } = ledger
    for (const source of ['entropy_nist', 'entropy_stellar', 'entropy_bitcoin'] as const) {
      const made = await recordObservation(
        { em: store.em(), signer },
        { source, payload: { source }, publishedAt: null },
      )
      if (made.outcome !== 'recorded') throw new Error('it is known')
      const answer = await resolve(stranger, made.id)
      expect(answer).toMatchObject({
        id_format: 'uuidv7',
        matches: [
          {
            kind: 'entropy_observation',
            verifiable: true,
            proof_type: source,
            also_verifiable_as: [],
            summary: { source, captured_at: expect.stringMatching(/\.\d{3}Z$/) },
          },
        ],
      })
    }
  })

  it('of a team is one for its members, whatever their role, and nothing for others', async () => {
    const found = {
      id: team,
      normalized_id: team,
      id_format: 'uuidv7',
      matches: [
        {
          kind: 'team',
          verifiable: false,
          proof_type: null,
          also_verifiable_as: [],
          summary: { name: 'Team' },
        },
      ],
    }
    for (const userId of [ledger.userId, member, viewer]) expect(await resolve(userId, team)).toEqual(found)
    expect(await resolve(stranger, team)).toEqual(nothing(team, 'uuidv7'))
  })

  it('of a user, a membership or nothing at all is nothing', async () => {
    const em = ledger.store.em()
    const { id } = await row<{ id: string }>(em, 'SELECT id FROM memberships WHERE user_id = $1 LIMIT 1', [
      ledger.userId,
    ])
    for (const other of [ledger.userId, id, newUuid7()])
      expect(await resolve(ledger.userId, other)).toEqual(nothing(other, 'uuidv7'))
  })
})

describe('anything else', () => {
  const invalid = {
    ok: false,
    code: 'invalid',
    message: expect.stringMatching(/ULID.*UUIDv7/),
    retryable: false,
  }

  it.each([
    '',
    '00000000-0000-4000-8000-000000000000',
    '8ZZZZZZZZZZZZZZZZZZZZZZZZZ',
    ' 01MB78W7FGY7TZHKNWE7WA3Z57',
    "' OR 1=1 --",
    '\0'.repeat(26),
    '\ud800'.repeat(36),
    'x'.repeat(500_000),
  ])('is refused (%#)', async (id) => {
    expect(await resolve(ledger.userId, id)).toEqual(invalid)
  })

  it('is refused or resolved without a fault, whatever the text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 40 }),
          fc.uuid(),
          fc.ulid(),
          fc.stringMatching(/^[0-9a-zA-Z-]{26,36}$/),
        ),
        async (id) => {
          const answer = await resolve(ledger.userId, id)
          if ('ok' in answer) expect(answer).toEqual(invalid)
          else expect(answer).toMatchObject({ id, matches: [] })
        },
      ),
      { numRuns: 60 },
    )
  })
})
