// Time servers that lie, are late, say nothing or send the kiss of death, while a service asks four of them: three that agree
// with its clock are enough for time stamps, with fewer there are none, and people are told.
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../server/settings/read_settings.ts'
import { openTestApp, type TestApp } from '../support/app.ts'
import { ask, eventually } from '../support/http.ts'
import { testApp } from '../support/test_app.ts'
import { openTimeServer, timePacket } from '../support/time_server.ts'
import { QUERY_TYPE, queryOf, type Reply, readReply } from '../support/time_stamps/query.ts'

const app = testApp({ aggregationIntervalMs: 100 })
beforeAll(() => app.finalize())

const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

const HOUR_MS = 3_600_000

type Manner = 'true' | 'lying' | 'silent' | 'late' | 'kissing'

/** A service that asks servers of these manners. */
async function serviceThatAsks(manners: readonly Manner[]) {
  const asked = new Set<number>()
  const tooLate = Promise.withResolvers<readonly Buffer[]>()
  const questions: Buffer[] = []
  const answerOf = (manner: Manner, question: Buffer): readonly Buffer[] | Promise<readonly Buffer[]> => {
    switch (manner) {
      case 'true':
        return [timePacket(question, { timeMs: Date.now() })]
      case 'lying':
        return [timePacket(question, { timeMs: Date.now() + HOUR_MS })]
      case 'kissing':
        return [timePacket(question, { stratum: 0, reference: 'DENY' })]
      case 'late':
        questions.push(question)
        return tooLate.promise
      case 'silent':
        return []
      default:
        return manner satisfies never
    }
  }
  const timeServers = await Promise.all(
    manners.map(async (manner, nth) => {
      const { host, port, close } = await openTimeServer((question) => {
        asked.add(nth)
        return answerOf(manner, question)
      })
      undo.push(close)
      return { host, port }
    }),
  )
  const tsa = { ...readConfig({}, import.meta.dirname).tsa, timeServers }
  const service = await openTestApp({ beside: app, aggregationIntervalMs: 100, tsa })
  undo.push(service.close)
  await eventually(() => asked.size === manners.length || undefined)
  const unread = manners.filter((manner) => manner !== 'true' && manner !== 'lying').length
  await eventually(() => notRead(service) === unread || undefined)
  // Nobody waits for it any more.
  tooLate.resolve(questions.map((question) => timePacket(question, { timeMs: Date.now() })))
  return service
}

const notRead = ({ logged }: TestApp): number =>
  logged.filter(({ msg }) => msg === 'time_server.not_read').length

async function stamped({ port }: TestApp): Promise<Reply> {
  const { status, bytes } = await ask(port, '/tsa', {
    body: queryOf(),
    headers: { 'Content-Type': QUERY_TYPE },
  })
  expect(status).toBe(200)
  return readReply(bytes)
}

const standing = async ({ port }: TestApp): Promise<unknown> => (await ask(port, '/health/ready')).json()

describe('three of four time servers that agree', () => {
  it.each<Manner>(['true', 'lying', 'silent', 'late', 'kissing'])(
    'are enough when the fourth is %s',
    async (fourth) => {
      const service = await serviceThatAsks(['true', fourth, 'true', 'true'])
      // What the last of them said may still be on its way.
      const { status } = await eventually(async () => {
        const reply = await stamped(service)
        return reply.token === undefined ? undefined : reply
      })
      expect(status).toBe(0)
      await expect.poll(() => standing(service)).toMatchObject({ ready: true, time_stamp_clock: 'ok' })
    },
  )
})

describe('there is no time stamp', () => {
  it.each<readonly Manner[]>([
    ['lying', 'lying', 'true', 'true'],
    ['true', 'kissing', 'lying', 'true'],
    ['true', 'true', 'silent', 'late'],
    ['late', 'kissing', 'late', 'silent'],
    // It is the clock of the service that has run away.
    ['lying', 'lying', 'lying', 'lying'],
  ])('when they are %s, %s, %s and %s', async (...manners) => {
    const service = await serviceThatAsks(manners)
    for (let nth = 0; nth < 3; nth += 1)
      expect(await stamped(service)).toMatchObject({ status: 2, failures: [14], token: undefined })
    await expect
      .poll(() => standing(service))
      .toMatchObject({ ready: true, time_stamp_clock: 'time_servers_differ' })
    expect((await ask(service.port, '/metrics')).text).toMatch(/^pharos_time_stamp_clock_off 1$/m)
  })
})
