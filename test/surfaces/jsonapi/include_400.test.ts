// 400 query_too_expensive of an include: related rows are read under the same ceiling as filters.
import pg from 'pg'
import { expect, it } from 'vitest'
import { openTestApp } from '../../support/app.ts'
import { ask } from '../../support/http.ts'
import { askGraphql, codesOf } from '../graphql/ask_graphql.ts'
import { refusals } from './documents.ts'

it('an include that takes too long is told, on every surface', { timeout: 60_000 }, async () => {
  const app = await openTestApp()
  const client = new pg.Client({ connectionString: app.database.url })
  try {
    await client.connect()
    // Whoever waits for this lock takes as long as the most expensive query there is.
    await client.query('BEGIN; LOCK TABLE items IN ACCESS EXCLUSIVE MODE')
    const [list, query] = await Promise.all([
      ask(app.port, '/api/json/blocks?include=items', { key: app.owner.key }),
      askGraphql(app.port, app.owner.key, '{ listBlocks { results { id items { id } } } }'),
    ])
    expect(refusals(list)).toEqual(['400 query_too_expensive'])
    expect(codesOf(query)).toEqual(['query_too_expensive'])
  } finally {
    await client.end()
    await app.close()
  }
})
