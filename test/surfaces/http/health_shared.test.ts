// /health/ready costs the same however often it is asked, and answers in time however long the database takes.
import { createServer, type Server } from 'node:http'
import Koa from 'koa'
import { afterEach, expect, it } from 'vitest'
import { health, READINESS, type Readiness } from '../../../server/surfaces/http/operations.ts'
import { ask, eventually } from '../../support/http.ts'

let server: Server | undefined
afterEach(async () => {
  server?.closeAllConnections()
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)))
  server = undefined
})

async function serve(readiness: () => Promise<Readiness>): Promise<number> {
  const koa = new Koa()
  koa.use(health(readiness, () => false))
  server = createServer(koa.callback())
  await new Promise<void>((resolve) => void server?.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

it('a flood of /health/ready is one look a second, GET and HEAD alike', async () => {
  let looks = 0
  const port = await serve(async () => {
    looks += 1
    return { ready: true, look: looks }
  })
  const began = performance.now()
  for (let round = 0; round < 10; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        ask(port, '/health/ready', { method: index % 2 === 0 ? 'GET' : 'HEAD' }),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(answers[1]?.text).toBe('')
  }
  const seconds = (performance.now() - began) / READINESS.fresh
  expect(looks).toBeLessThanOrEqual(Math.floor(seconds) + 1)
  const flooded = looks
  await eventually(async () => {
    const { look } = Object((await ask(port, '/health/ready')).json())
    return look > flooded ? true : undefined
  })
})

it('while a look hangs everybody is told so in time, and no second one begins beside it', async () => {
  let looks = 0
  const hanging = Promise.withResolvers<Readiness>()
  const port = await serve(() => {
    looks += 1
    return looks === 1 ? hanging.promise : Promise.resolve({ ready: true })
  })
  for (let round = 0; round < 3; round += 1) {
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(port, '/health/ready')))
    for (const answer of answers)
      expect([answer.status, answer.json()]).toEqual([503, { ready: false, database: 'unavailable' }])
  }
  expect(looks).toBe(1)
  hanging.resolve({ ready: true })
  await eventually(async () => ((await ask(port, '/health/ready')).status === 200 ? true : undefined))
})

it('a look that fails is told as failing, and the next one is made', async () => {
  let looks = 0
  const port = await serve(async () => {
    looks += 1
    if (looks === 1) throw new Error('No.')
    return { ready: true }
  })
  expect((await ask(port, '/health/ready')).json()).toEqual({ ready: false, database: 'failing' })
  await eventually(async () => ((await ask(port, '/health/ready')).status === 200 ? true : undefined))
})
