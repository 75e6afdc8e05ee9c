// Teams and who belongs to them: invitations that tell nothing, roles with their limits, and always an owner.
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { pruneInvitations } from '../../../server/domain/accounts/invite_member.ts'
import { inTransaction } from '../../../server/store/statement.ts'
import type { TestAccount } from '../../support/app.ts'
import { type Answer, ask } from '../../support/http.ts'
import { change } from '../../support/rows.ts'
import { testApp } from '../../support/test_app.ts'
import { pageOf, refusals, resourceOf, withoutIds } from './documents.ts'

const app = testApp()
let people: Record<'admin' | 'member' | 'viewer' | 'stranger', TestAccount>
beforeAll(async () => {
  people = {
    admin: await app.account('admin'),
    member: await app.account('member'),
    viewer: await app.account('viewer'),
    stranger: await app.account('stranger'),
  }
})

const call = (by: TestAccount, method: string, path: string, body?: object) =>
  ask(app.port, `/api/json/${path}`, {
    key: by.key,
    method,
    ...(body === undefined ? {} : { body: { json: body } }),
  })
const invite = (by: TestAccount, teamId: string, email: string, role = 'member') =>
  call(by, 'POST', 'memberships', {
    data: { type: 'membership', attributes: { team_id: teamId, email, role } },
  })
const accept = (by: TestAccount, token: string) => call(by, 'POST', 'memberships/accept', { data: { token } })
const invited = z.object({
  data: z.object({ id: z.string(), attributes: z.record(z.string(), z.unknown()) }),
  meta: z.strictObject({ invitation_url: z.string() }),
})
/** The token behind the fragment of a link of ours. */
const tokenIn = (url: string): string => {
  const [page, token = ''] = url.split('#token=')
  expect(page).toBe(`${app.base}/oauth/invitation`)
  expect(token).toMatch(/^[\w-]{43}$/)
  return token
}
const invitationOf = (answer: Answer): { id: string; token: string } => {
  expect(answer.status, answer.text).toBe(201)
  const { data, meta } = invited.parse(answer.json())
  return { id: data.id, token: tokenIn(meta.invitation_url) }
}
const tokenOf = (answer: Answer): string => invitationOf(answer).token
const reissue = (by: TestAccount, id: string) => call(by, 'POST', `memberships/${id}/reissue`, { data: {} })
const reissued = z.strictObject({
  result: z.strictObject({
    membership_id: z.string(),
    invitation_url: z.string(),
    invitation_expires_at: z.string(),
  }),
})
/** A team with everybody but the stranger in it, and the membership of each. */
async function openTeam() {
  const team = await app.team(app.owner)
  for (const role of ['admin', 'member', 'viewer'] as const) await app.join(team, people[role].userId, role)
  const rows = await app.query<{ id: string; user_id: string }>(
    'SELECT id, user_id FROM memberships WHERE team_id = $1',
    [team],
  )
  const of = ({ userId }: TestAccount): string => rows.find(({ user_id }) => user_id === userId)?.id ?? ''
  return { team, of }
}
const setRole = (by: TestAccount, id: string, role: string) =>
  call(by, 'PATCH', `memberships/${id}`, { data: { type: 'membership', attributes: { role } } })
const remove = (by: TestAccount, id: string) => call(by, 'DELETE', `memberships/${id}`)

describe('an invitation', () => {
  it('is answered alike whether or not there is such an account', async () => {
    const team = await app.team(app.owner)
    const [known, unknown] = [
      await invite(app.owner, team, 'stranger@example.com'),
      await invite(app.owner, team, 'nobody@example.com'),
    ].map((answer) => {
      const { data, meta } = invited.parse(answer.json())
      expect(answer.headers.location).toMatch(new RegExp(`/memberships/${data.id}$`))
      return {
        status: answer.status,
        names: [Object.keys(data.attributes), Object.keys(meta), tokenIn(meta.invitation_url).length],
        attributes: {
          ...data.attributes,
          invited_email: '',
          invitation_expires_at: '',
          inserted_at: '',
          updated_at: '',
        },
      }
    })
    expect(known).toEqual(unknown)
    expect(known?.attributes).toMatchObject({
      team_id: team,
      user_id: null,
      role: 'member',
      state: 'invited',
    })
  })

  it('is the membership itself: found under its Location at once, active under the same id once accepted', async () => {
    const team = await app.team(app.owner)
    const answer = await invite(app.owner, team, 'stranger@example.com', 'viewer')
    const { id, token } = invitationOf(answer)
    const found = await ask(app.port, new URL(answer.headers.location ?? '').pathname, { key: app.owner.key })
    expect(resourceOf(found)).toMatchObject({
      id,
      attributes: { state: 'invited', user_id: null, invited_email: 'stranger@example.com' },
    })
    expect((await accept(people.stranger, token)).json()).toEqual({ result: { membership_id: id } })
    for (const who of [app.owner, people.stranger])
      expect(resourceOf(await call(who, 'GET', `memberships/${id}`)).attributes).toMatchObject({
        state: 'active',
        user_id: people.stranger.userId,
        role: 'viewer',
        invited_email: null,
        invitation_expires_at: null,
      })
  })

  it('is listed to owners and admins alone, and told apart by its state', async () => {
    const { team } = await openTeam()
    const { id } = invitationOf(await invite(people.admin, team, 'x@example.com'))
    const listed = async (by: TestAccount, state: string) =>
      pageOf(await call(by, 'GET', `memberships?filter[team_id]=${team}&filter[state]=${state}`)).data.length
    const each = [app.owner, people.admin, people.member, people.viewer, people.stranger]
    expect(await Promise.all(each.map((who) => listed(who, 'invited')))).toEqual([1, 1, 0, 0, 0])
    expect(await Promise.all(each.map((who) => listed(who, 'active')))).toEqual([4, 4, 1, 1, 0])
    for (const who of [people.member, people.viewer, people.stranger])
      expect(refusals(await call(who, 'GET', `memberships/${id}`))).toEqual(['404 not_found'])
  })

  it('gives access to nothing until it is accepted', async () => {
    const team = await app.team(app.owner)
    const { id, token } = invitationOf(await invite(app.owner, team, 'stranger@example.com', 'owner'))
    // Shares no other team with anybody.
    const stranger = await app.account('newcomer')
    const tried = async () => [
      (await call(stranger, 'GET', `teams/${team}`)).status,
      (await call(stranger, 'GET', `users/${app.owner.userId}`)).status,
      (await call(stranger, 'GET', `items?tenant=${team}`)).status,
      (await call(stranger, 'GET', `memberships/${id}`)).status,
      (
        await call(stranger, 'PATCH', `users/${stranger.userId}`, {
          data: { type: 'user', id: stranger.userId, attributes: { default_team_id: team } },
        })
      ).status,
      (await invite(stranger, team, 'y@example.com')).status,
    ]
    expect(await tried()).toEqual([404, 404, 403, 404, 400, 404])
    // It does not count as an owner who stays, either.
    const [own] = await app.query<{ id: string }>(
      'SELECT id FROM memberships WHERE team_id = $1 AND user_id = $2',
      [team, app.owner.userId],
    )
    expect(refusals(await remove(app.owner, own?.id ?? ''))).toEqual(['409 conflict'])
    expect((await accept(stranger, token)).status).toBe(201)
    expect(await tried()).toEqual([200, 200, 200, 200, 200, 201])
  })

  it('is withdrawn by deletion, and its link with it', async () => {
    const { team } = await openTeam()
    const { id, token } = invitationOf(await invite(app.owner, team, 'x@example.com'))
    expect(refusals(await remove(people.member, id))).toEqual(['404 not_found'])
    expect(resourceOf(await remove(people.admin, id))).toMatchObject({
      id,
      attributes: { state: 'invited', invited_email: 'x@example.com' },
    })
    expect(refusals(await accept(people.stranger, token))).toEqual(['404 not_found'])
    expect(refusals(await call(app.owner, 'GET', `memberships/${id}`))).toEqual(['404 not_found'])
  })

  it('gets a new link in place of the old one, by owners and admins, until it is accepted', async () => {
    const { team } = await openTeam()
    const { id, token: old } = invitationOf(await invite(app.owner, team, 'x@example.com'))
    await app.query('UPDATE invitations SET expires_at = pharos_now() WHERE membership_id = $1', [id])
    const answer = await reissue(people.admin, id)
    expect(answer.status, answer.text).toBe(201)
    const { result } = reissued.parse(answer.json())
    expect(result.membership_id).toBe(id)
    expect(Date.parse(result.invitation_expires_at)).toBeGreaterThan(Date.now() + 6 * 86_400_000)
    for (const who of [people.member, people.viewer, people.stranger])
      expect(refusals(await reissue(who, id))).toEqual(['404 not_found'])
    const ofOwner = invitationOf(await invite(app.owner, team, 'x@example.com', 'owner'))
    expect(refusals(await reissue(people.admin, ofOwner.id))).toEqual(['403 forbidden'])
    expect(refusals(await accept(people.stranger, old))).toEqual(['404 not_found'])
    expect((await accept(people.stranger, tokenIn(result.invitation_url))).status).toBe(201)
    expect(refusals(await reissue(people.admin, id))).toEqual(['409 conflict'])
  })

  it('is worth what was last decided: another role by another hand', async () => {
    const { team } = await openTeam()
    const { id, token } = invitationOf(await invite(people.admin, team, 'x@example.com', 'viewer'))
    resourceOf(await setRole(app.owner, id, 'owner'))
    expect((await accept(people.stranger, token)).status).toBe(201)
    expect(resourceOf(await call(people.stranger, 'GET', `memberships/${id}`)).attributes.role).toBe('owner')
  })

  it('ends one way, whatever is done with it at the same moment', async () => {
    const team = await app.team(app.owner)
    for (let round = 0; round < 12; round += 1) {
      const { id, token } = invitationOf(await invite(app.owner, team, 'x@example.com', 'viewer'))
      const [accepted, withdrawn, renewed, changed] = await Promise.all([
        accept(people.stranger, token),
        remove(app.owner, id),
        reissue(app.owner, id),
        setRole(app.owner, id, 'member'),
      ])
      expect([201, 404]).toContain(accepted.status)
      expect([200, 404]).toContain(withdrawn.status)
      expect([201, 404, 409]).toContain(renewed.status)
      expect([200, 404]).toContain(changed.status)
      const left = await app.query<{ id: string }>(
        `SELECT m.id FROM memberships m LEFT JOIN invitations i ON i.membership_id = m.id
          WHERE m.team_id = $1 AND (m.user_id IS DISTINCT FROM $2 OR i.membership_id IS NOT NULL)`,
        [team, app.owner.userId],
      )
      // Withdrawn in the end, by one of the two ways there are: as an invitation, or as the membership it had become.
      expect([withdrawn.status, left]).toEqual([200, []])
    }
  })

  it('waits beside at most 99 others of its team, and is forgotten 30 days after its newest link', async () => {
    const team = await app.team(app.owner)
    const ids: string[] = []
    for (let n = 0; n < 100; n += 1) ids.push(invitationOf(await invite(app.owner, team, 'x@example.com')).id)
    const refused = await invite(app.owner, team, 'x@example.com')
    expect(refusals(refused)).toEqual(['409 invitation_limit'])
    expect(refused.text).toContain('"maximum":100')
    resourceOf(await remove(app.owner, ids[0] ?? ''))
    expect((await invite(app.owner, team, 'x@example.com')).status).toBe(201)
    // In one transaction, because the server's own chore deletes them as well.
    await inTransaction(app.store.em(), async (em) => {
      const age = (some: readonly string[], days: number) =>
        change(
          em,
          'UPDATE invitations SET expires_at = pharos_now() - make_interval(days => $2::int) WHERE membership_id = ANY ($1)',
          [some, days],
        )
      await age(ids.slice(1, 6), 24)
      await age(ids.slice(6, 7), 22)
      expect(await pruneInvitations(em, 3)).toBe(3)
      expect(await pruneInvitations(em, 3)).toBe(2)
      expect(await pruneInvitations(em, 3)).toBe(0)
    })
    const left = await app.query('SELECT 1 FROM memberships WHERE team_id = $1', [team])
    expect(left).toHaveLength(1 + 95)
  })

  it('makes one member, once, and works for whoever holds it', async () => {
    const team = await app.team(app.owner)
    const token = tokenOf(await invite(app.owner, team, 'x@example.com', 'viewer'))
    const answers = await Promise.all(
      [people.stranger, people.member, people.stranger].map((who) => accept(who, token)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 404, 404])
    const members = await app.query<{ role: string }>('SELECT role FROM memberships WHERE team_id = $1', [
      team,
    ])
    expect(members.map(({ role }) => role).toSorted()).toEqual(['owner', 'viewer'])
  })

  it('leaves a member’s role as it is, and nothing behind', async () => {
    const { team, of } = await openTeam()
    const { id, token } = invitationOf(await invite(app.owner, team, 'x@example.com', 'owner'))
    expect((await accept(people.viewer, token)).json()).toEqual({
      result: { membership_id: of(people.viewer) },
    })
    expect(
      resourceOf(await call(people.viewer, 'GET', `memberships/${of(people.viewer)}`)).attributes.role,
    ).toBe('viewer')
    expect(await app.query('SELECT 1 FROM memberships WHERE id = $1', [id])).toEqual([])
  })

  it('is unknown when it is old, used or made up: all the same 404', async () => {
    const team = await app.team(app.owner)
    const token = tokenOf(await invite(app.owner, team, 'x@example.com'))
    await app.query(
      `UPDATE invitations SET expires_at = pharos_now()
        WHERE membership_id IN (SELECT id FROM memberships WHERE team_id = $1)`,
      [team],
    )
    const answers = [await accept(people.stranger, token), await accept(people.stranger, 'made up')]
    for (const answer of answers) {
      expect(refusals(answer)).toEqual(['404 not_found'])
      expect(withoutIds(answer)).toEqual(withoutIds(answers[0] ?? answer))
    }
  })

  it('is worth nothing once its inviter could not make it any more', async () => {
    const { team, of } = await openTeam()
    await app.query(`UPDATE memberships SET role = 'owner' WHERE id = $1`, [of(people.admin)])
    const back = tokenOf(await invite(people.admin, team, 'x@example.com', 'owner'))
    resourceOf(await setRole(app.owner, of(people.admin), 'admin'))
    expect(refusals(await accept(people.stranger, back))).toEqual(['404 not_found'])
    const plain = tokenOf(await invite(people.admin, team, 'x@example.com', 'member'))
    resourceOf(await remove(app.owner, of(people.admin)))
    for (const token of [back, plain])
      expect(refusals(await accept(people.admin, token))).toEqual(['404 not_found'])
  })

  it('is kept as a hash, and its token is nowhere in the database', async () => {
    const team = await app.team(app.owner)
    const token = tokenOf(await invite(app.owner, team, 'x@example.com'))
    expect(await app.query('SELECT 1 FROM invitations i WHERE i::text LIKE $1', [`%${token}%`])).toEqual([])
  })

  it('is made by owners and admins, an owner’s by owners alone, and in no team of others', async () => {
    const { team } = await openTeam()
    expect((await invite(people.admin, team, 'x@example.com', 'admin')).status).toBe(201)
    expect(refusals(await invite(people.admin, team, 'x@example.com', 'owner'))).toEqual(['403 forbidden'])
    for (const who of [people.member, people.viewer])
      expect(refusals(await invite(who, team, 'x@example.com'))).toEqual(['403 forbidden'])
    const unknown = await invite(app.owner, '01a2ce8e-9320-7630-bb7f-73edc8868b1d', 'x@example.com')
    const foreign = await invite(people.stranger, team, 'x@example.com')
    expect(refusals(foreign)).toEqual(['404 not_found'])
    expect(withoutIds(foreign)).toEqual(withoutIds(unknown))
  })

  it('refuses what is no address, no role, no team id', async () => {
    const { team } = await openTeam()
    expect(refusals(await invite(app.owner, team, 'no address'))).toEqual([
      '400 invalid_attribute /data/attributes/email',
    ])
    expect(refusals(await invite(app.owner, 'x', 'a@b', 'king'))).toEqual([
      '400 invalid_attribute /data/attributes/role',
      '400 invalid_attribute /data/attributes/team_id',
    ])
  })
})

describe('memberships', () => {
  it('are seen by their own, and by owners and admins of the team', async () => {
    const { team } = await openTeam()
    const seen = async (by: TestAccount) =>
      pageOf(await call(by, 'GET', `memberships?filter[team_id]=${team}`)).data.length
    expect([
      await seen(app.owner),
      await seen(people.admin),
      await seen(people.member),
      await seen(people.viewer),
      await seen(people.stranger),
    ]).toEqual([4, 4, 1, 1, 0])
  })

  it('change by owners and admins within their rank, and answer 404 to everybody outside', async () => {
    const { of } = await openTeam()
    expect(resourceOf(await setRole(people.admin, of(people.viewer), 'member')).attributes.role).toBe(
      'member',
    )
    for (const answer of [
      await setRole(people.admin, of(people.viewer), 'owner'),
      await setRole(people.admin, of(people.admin), 'owner'),
      await setRole(people.admin, of(app.owner), 'viewer'),
      await setRole(people.viewer, of(people.viewer), 'admin'),
      await remove(people.admin, of(app.owner)),
    ])
      expect(refusals(answer)).toEqual(['403 forbidden'])
    for (const answer of [
      await setRole(people.member, of(people.viewer), 'admin'),
      await setRole(people.stranger, of(people.viewer), 'admin'),
      await remove(people.member, of(people.viewer)),
      await remove(people.stranger, of(people.viewer)),
      await remove(app.owner, 'x'),
    ])
      expect(refusals(answer)).toEqual(['404 not_found'])
  })

  it('end by leaving, at once and everywhere on this server', async () => {
    const { team, of } = await openTeam()
    const items = () =>
      ask(app.port, '/api/json/items', { key: people.viewer.key, headers: { tenant: team } })
    pageOf(await items())
    expect(resourceOf(await remove(people.viewer, of(people.viewer))).id).toBe(of(people.viewer))
    expect(refusals(await items())).toEqual(['403 forbidden_tenant'])
  })

  it('always leave a team one owner, also when two leave at once', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { team, of } = await openTeam()
      await app.query(`UPDATE memberships SET role = 'owner' WHERE id = $1`, [of(people.admin)])
      const last = round % 2 === 0 ? remove : (by: TestAccount, id: string) => setRole(by, id, 'member')
      const answers = await Promise.all([
        last(app.owner, of(app.owner)),
        last(people.admin, of(people.admin)),
      ])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
      const owners = await app.query(`SELECT 1 FROM memberships WHERE team_id = $1 AND role = 'owner'`, [
        team,
      ])
      expect(owners).toHaveLength(1)
    }
  })

  it('of the personal team keep its person as an owner, whoever else is one', async () => {
    const { teamId, userId } = people.member
    await app.join(teamId, app.owner.userId, 'owner')
    const [mine] = await app.query<{ id: string }>(
      'SELECT id FROM memberships WHERE team_id = $1 AND user_id = $2',
      [teamId, userId],
    )
    for (const by of [people.member, app.owner])
      for (const answer of [await setRole(by, mine?.id ?? '', 'viewer'), await remove(by, mine?.id ?? '')])
        expect(refusals(answer)).toEqual(['409 conflict'])
  })
})

describe('teams', () => {
  const make = (by: TestAccount, attributes: object) =>
    call(by, 'POST', 'teams', { data: { type: 'team', attributes } })
  const rename = (by: TestAccount, id: string, attributes: object) =>
    call(by, 'PATCH', `teams/${id}`, { data: { type: 'team', attributes } })

  it('are made with the caller as owner, and can be used at once', async () => {
    const { id, attributes } = resourceOf(await make(app.owner, { name: 'New' }), 201)
    expect(attributes).toMatchObject({
      name: 'New',
      personal: false,
      role: 'owner',
      ownership_model: 'creator_retains',
    })
    pageOf(await ask(app.port, '/api/json/items', { key: app.owner.key, headers: { tenant: id } }))
  })

  it('that retain ownership are refused by plan, at the attribute', async () => {
    await app.query(`UPDATE users SET plan = 'developer' WHERE id = $1`, [people.stranger.userId])
    const { secret } = await app.apiKey({ userId: people.stranger.userId })
    const poor = { ...people.stranger, key: secret }
    expect(refusals(await make(poor, { name: 'X', ownership_model: 'team_retains' }))).toEqual([
      '403 plan_limit /data/attributes/ownership_model',
    ])
    expect(
      resourceOf(await make(app.owner, { name: 'X', ownership_model: 'team_retains' }), 201).attributes
        .ownership_model,
    ).toBe('team_retains')
  })

  it.each(['', ' ', 'x'.repeat(101), 'a\0b', 7, null])('refuse the name %j', async (name) => {
    for (const told of refusals(await make(app.owner, { name })))
      expect(told).toMatch(/^400 (invalid_attribute|required) \/data\/attributes\/name$/)
  })

  it('are renamed by owners and admins, forbidden to other members, unknown to everybody else', async () => {
    const { team } = await openTeam()
    expect(resourceOf(await rename(people.admin, team, { name: 'Theirs' })).attributes.name).toBe('Theirs')
    for (const who of [people.member, people.viewer])
      for (const attributes of [{ name: 'x' }, {}])
        expect(refusals(await rename(who, team, attributes))).toEqual(['403 forbidden'])
    const foreign = await rename(people.stranger, team, { name: 'x' })
    expect(refusals(foreign)).toEqual(['404 not_found'])
    expect(withoutIds(foreign)).toEqual(withoutIds(await rename(people.stranger, 'x', { name: 'x' })))
    expect(refusals(await rename(app.owner, team, { ownership_model: 'team_retains' }))).toEqual([
      '400 invalid_body /data/attributes/ownership_model',
    ])
  })
})
