// Blocks, teams and the current user: shapes, order, who sees them, and ids that are none.
import { beforeAll, describe, expect, it } from 'vitest'
import type { TestAccount } from '../../support/app.ts'
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { pageOf, refusals, resourceOf, withoutIds } from './documents.ts'

const app = testApp()
let stranger: TestAccount
beforeAll(async () => {
  stranger = await app.account('mallory')
  await app.finalize(2)
})

const get = (path: string, key = app.owner.key) => ask(app.port, `/api/json/${path}`, { key })

describe('blocks', () => {
  it('are listed newest first, and each is found by its id with the same content', async () => {
    const { data, meta } = pageOf(await get('blocks?page[count]=true'))
    expect(meta.page).toEqual({ limit: 25, total: 3 })
    expect(data.map(({ attributes }) => attributes.height)).toEqual([2, 1, 0])
    for (const block of data) expect(resourceOf(await get(`blocks/${block.id}`))).toEqual(block)
    expect(pageOf(await get('blocks', stranger.key)).data).toEqual(data)
  })

  it('show every field there is, and no other', async () => {
    const [head, , genesis] = pageOf(await get('blocks')).data
    expect(Object.keys(head?.attributes ?? {})).toEqual([
      'height',
      'block_hash',
      'previous_block_hash',
      'previous_block_id',
      'merkle_root',
      'metadata',
      'metadata_hash',
      'signing_key_id',
      'signature',
      'state',
      'leaf_count',
      'item_count',
      'observation_count',
      'finalized_at',
      'committed_at',
      'inserted_at',
      'updated_at',
    ])
    expect(genesis?.attributes).toMatchObject({
      height: 0,
      previous_block_id: genesis?.id,
      state: 'finalized',
      signing_key_id: expect.stringMatching(/^[0-9a-f]{8}$/),
      signature: expect.stringMatching(/^[A-Za-z0-9+/]{86}==$/),
      finalized_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      committed_at: null,
    })
  })

  it('answer the very same 404 to an unknown and to a malformed id', async () => {
    const first = await get('blocks/01a2ce8e-9320-7630-bb7f-73edc8868b1d')
    expect(refusals(first)).toEqual(['404 not_found'])
    for (const id of ['x', '0', '%00', '%', '%ff', 'latest', 'x'.repeat(3_000), 'a%2Fb', "'"])
      expect(withoutIds(await get(`blocks/${id}`))).toEqual(withoutIds(first))
  })
})

describe('teams', () => {
  it('are those of the caller, with the role the caller has in each', async () => {
    const team = await app.team(app.owner, 'team_retains')
    await app.join(team, stranger.userId, 'viewer')
    const mine = pageOf(await get('teams')).data
    expect(
      mine.map(({ id, attributes: { role, personal, ownership_model } }) => [
        id,
        role,
        personal,
        ownership_model,
      ]),
    ).toEqual([
      [team, 'owner', false, 'team_retains'],
      [app.owner.teamId, 'owner', true, 'creator_retains'],
    ])
    expect(Object.keys(mine[0]?.attributes ?? {})).toEqual([
      'name',
      'personal',
      'ownership_model',
      'role',
      'inserted_at',
      'updated_at',
    ])
    const theirs = resourceOf(await get(`teams/${team}`, stranger.key))
    expect(theirs.attributes).toEqual({ ...mine[0]?.attributes, role: 'viewer' })
  })

  it('answer the very same 404 for a team of others, an unknown one and a malformed id', async () => {
    const first = await get(`teams/${stranger.teamId}`)
    expect(refusals(first)).toEqual(['404 not_found'])
    for (const id of ['01a2ce8e-9320-7630-bb7f-73edc8868b1d', 'x', '%00', '%', app.owner.userId])
      expect(withoutIds(await get(`teams/${id}`))).toEqual(withoutIds(first))
  })
})

describe('users/me', () => {
  it('is the user record of the caller, found by data.id, with what only the caller may see', async () => {
    expect(resourceOf(await get('users/me'))).toMatchObject({
      type: 'user',
      id: app.owner.userId,
      attributes: {
        first_name: 'ada',
        last_name: '',
        full_name: 'ada',
        email: 'ada@example.com',
        plan: 'enterprise',
        default_team_id: null,
      },
    })
    expect(resourceOf(await get('users/me', stranger.key)).id).toBe(stranger.userId)
  })

  it('takes no parameters: whatever is given is ignored', async () => {
    expect(resourceOf(await get('users/me?page[limit]=x&sort=x&id=y')).id).toBe(app.owner.userId)
  })
})
