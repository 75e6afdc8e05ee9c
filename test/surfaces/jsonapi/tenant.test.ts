// Which team a request speaks for: header, parameter, preference, personal team; and who is turned away.
import { beforeAll, describe, expect, it } from 'vitest'
import type { TestAccount } from '../../support/app.ts'
import { ask, eventually } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { pageOf, refusals, resourceOf, withoutIds } from './documents.ts'
import { itemBody } from './item_documents.ts'

const app = testApp()
let stranger: TestAccount
let team = ''
beforeAll(async () => {
  stranger = await app.account('mallory')
  team = await app.team(app.owner)
})

const create = (headers: Record<string, string> = {}, query = '', key = app.owner.key) =>
  ask(app.port, `/api/json/items${query}`, { key, headers, body: itemBody() })
const teamOf = async (answer: ReturnType<typeof create>) => resourceOf(await answer, 201).attributes.team_id

describe('the tenant', () => {
  it('is the one of the header, of the parameter, or of both when they are equal', async () => {
    expect(await teamOf(create({ tenant: team }))).toBe(team)
    expect(await teamOf(create({ Tenant: team }))).toBe(team)
    expect(await teamOf(create({}, `?tenant=${team}`))).toBe(team)
    expect(await teamOf(create({ tenant: team }, `?tenant=${team}`))).toBe(team)
  })

  it('is the personal team when none is named', async () => {
    expect(await teamOf(create())).toBe(app.owner.teamId)
  })

  it('is the default team of the caller while they may write there, otherwise the personal one', async () => {
    const other = await app.account('grace')
    await app.join(team, other.userId, 'member')
    const becomes = (expected: string) =>
      eventually(
        async () => ((await teamOf(create({}, '', other.key))) === expected ? true : undefined),
        4_500,
      )
    await app.query('UPDATE users SET default_team_id = $2 WHERE id = $1', [other.userId, team])
    await becomes(team)
    await app.query(`UPDATE memberships SET role = 'viewer' WHERE user_id = $1 AND team_id = $2`, [
      other.userId,
      team,
    ])
    await becomes(other.teamId)
    await app.query(`UPDATE memberships SET role = 'admin' WHERE user_id = $1 AND team_id = $2`, [
      other.userId,
      team,
    ])
    await becomes(team)
    await app.query('DELETE FROM memberships WHERE user_id = $1 AND team_id = $2', [other.userId, team])
    await becomes(other.teamId)
  })

  it('is carried by the links of a list', async () => {
    await create({ tenant: team })
    await create({ tenant: team })
    const { links } = pageOf(
      await ask(app.port, `/api/json/items?tenant=${team}&page[limit]=1`, { key: app.owner.key }),
    )
    expect(links.next).toContain(`&tenant=${team}`)
  })
})

describe('400 invalid_tenant', () => {
  it('when header and parameter differ, whatever they are', async () => {
    for (const [header, parameter] of [
      [team, app.owner.teamId],
      [app.owner.teamId, 'x'],
      ['x', 'y'],
      [team, ''],
    ] as const)
      expect(refusals(await create({ tenant: header }, `?tenant=${parameter}`))).toEqual([
        '400 invalid_tenant tenant',
      ])
  })
})

describe('403 forbidden_tenant', () => {
  it('is one and the same for a foreign team, an unknown one, and what is no team id', async () => {
    const first = await create({ tenant: stranger.teamId })
    for (const tenant of [
      stranger.teamId,
      '01a2ce8e-9320-7630-bb7f-73edc8868b1d',
      'x',
      `${team}, ${team}`,
      '%00',
      app.owner.userId,
      "' OR true --",
    ]) {
      const answer = await create({}, `?tenant=${encodeURIComponent(tenant)}`)
      expect(refusals(answer)).toEqual(['403 forbidden_tenant'])
      expect(withoutIds(answer)).toEqual(withoutIds(first))
    }
    expect(refusals(await create({}, '?tenant=%00'))).toEqual(['403 forbidden_tenant'])
  })

  it('is answered on every route, also where no tenant is used', async () => {
    for (const path of ['beacons', 'beacons/latest', 'blocks', 'teams', 'users/me', 'items'])
      expect(
        refusals(
          await ask(app.port, `/api/json/${path}`, {
            key: app.owner.key,
            headers: { tenant: stranger.teamId },
          }),
        ),
      ).toEqual(['403 forbidden_tenant'])
  })
})

describe('403 forbidden', () => {
  it('when a viewer creates in the team', async () => {
    const viewer = await app.account('ivy')
    await app.join(team, viewer.userId, 'viewer')
    const answer = await create({ tenant: team }, '', viewer.key)
    expect(refusals(answer)).toEqual(['403 forbidden'])
    for (const role of ['member', 'admin', 'owner']) {
      const other = await app.account(`role-${role}`)
      await app.join(team, other.userId, role)
      expect(await teamOf(create({ tenant: team }, '', other.key))).toBe(team)
    }
  })
})
