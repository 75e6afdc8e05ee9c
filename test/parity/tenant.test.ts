// The team a client asks for is read the same way at every door: header, parameter, both streams, switch_team.
import { beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../support/http.ts'
import { testApp } from '../support/test_app.ts'
import { connect, refusedHandshake } from '../surfaces/console/console_client.ts'
import { askGraphql } from '../surfaces/graphql/ask_graphql.ts'
import { openStream } from '../surfaces/graphql/stream_client.ts'

const app = testApp()
let team = ''
beforeAll(async () => {
  team = await app.team(app.owner)
})

const key = () => app.owner.key
const url = () => `http://127.0.0.1:${app.port}`
const parameter = (tenant: string) => `tenant=${encodeURIComponent(tenant)}`

/** `let in`, or the status of the refusal; the GraphQL stream only closes. */
const doors: Record<string, (tenant: string) => Promise<number | 'let in'>> = {
  'the header of JSON:API': async (tenant) =>
    told(await ask(app.port, '/api/json/items', { key: key(), headers: { tenant } })),
  'the parameter of JSON:API': async (tenant) =>
    told(await ask(app.port, `/api/json/items?${parameter(tenant)}`, { key: key() })),
  'the header of GraphQL': async (tenant) =>
    told(await askGraphql(app.port, key(), '{ latestBeacon { id } }', { headers: { tenant } })),
  'the parameter of GraphQL': async (tenant) =>
    told(await ask(app.port, `/gql?query=%7BlatestBeacon%7Bid%7D%7D&${parameter(tenant)}`, { key: key() })),
  'the GraphQL stream': async (tenant) => {
    const stream = await openStream(app.port)
    stream.say({ type: 'connection_init', payload: { authorization: `Bearer ${key()}`, tenant } })
    const first = await Promise.race([stream.hear('connection_ack'), stream.closed])
    stream.socket.close()
    return 'code' in first ? 403 : 'let in'
  },
  'the handshake of the console stream': async (tenant) => {
    const outcome = await connect(url(), key(), { tenant }).catch(() => undefined)
    outcome?.socket.disconnect()
    if (outcome !== undefined) return outcome.welcome.team.id === team ? 'let in' : 200
    const refused = await refusedHandshake(url(), { auth: { token: key(), tenant } })
    return refused?.code === 'forbidden_tenant' ? (refused.status ?? 0) : 0
  },
  switch_team: async (tenant) => {
    const client = await connect(url(), key())
    const answer = await client.ask('switch_team', { tenant })
    client.socket.disconnect()
    return answer.ok === true ? 'let in' : answer.code === 'forbidden_tenant' ? 403 : 0
  },
}
const told = ({ status }: { status: number }): number | 'let in' => (status === 200 ? 'let in' : status)

describe.each(Object.keys(doors))('%s', (name) => {
  const enter = (tenant: string) => doors[name]?.(tenant)

  it('refuses a blank team as one that the caller is no member of', async () => {
    for (const blank of ['', ' ', '\t ']) expect([blank, await enter(blank)]).toEqual([blank, 403])
  })

  it('takes a team id in either case', async () => {
    expect(await enter(team)).toBe('let in')
    expect(await enter(team.toUpperCase())).toBe('let in')
  })
})

it('a header and a parameter that spell one team in two cases agree', async () => {
  const answer = await ask(app.port, `/api/json/items?tenant=${team.toUpperCase()}`, {
    key: key(),
    headers: { tenant: team },
  })
  expect(answer.status).toBe(200)
})

it('a blank team is not remembered as the default one', async () => {
  expect((await ask(app.port, '/api/json/items', { key: key() })).status).toBe(200)
  expect((await ask(app.port, '/api/json/items?tenant=', { key: key() })).status).toBe(403)
})
