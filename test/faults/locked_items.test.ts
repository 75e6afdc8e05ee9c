// Submissions while a session locks the table of items: every caller is answered in bounded time, and none
// waits for the lock.
import pg from 'pg'
import { expect, it } from 'vitest'
import { ask } from '../support/http.ts'
import { claimsOf } from '../support/ledger.ts'
import { testApp } from '../support/test_app.ts'

const app = testApp()

const create = () =>
  ask(app.port, '/api/json/items', {
    key: app.owner.key,
    body: {
      json: {
        data: {
          type: 'item',
          attributes: { claims: claimsOf('a file') },
        },
      },
    },
  })

it('every create is told within ten seconds that the database does not answer, and none is half done', async () => {
  const client = new pg.Client({ connectionString: app.database.url })
  await client.connect()
  try {
    await client.query('BEGIN; LOCK TABLE items IN ACCESS EXCLUSIVE MODE')
    const began = performance.now()
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        // These arrive while others wait.
        await new Promise((resolve) => setTimeout(resolve, index * 30))
        const sent = performance.now()
        const { status, headers } = await create()
        return { status, retryAfter: headers['retry-after'], took: performance.now() - sent }
      }),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
    expect(answers.every(({ retryAfter }) => Number(retryAfter) >= 1)).toBe(true)
    expect(Math.max(...answers.map(({ took }) => took))).toBeLessThan(10_000)
    expect(performance.now() - began).toBeLessThan(20_000)
  } finally {
    await client.end()
  }
  expect(await app.query('SELECT id FROM items')).toEqual([])
  expect((await create()).status).toBe(201)
})
