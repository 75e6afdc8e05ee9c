// Among forty thousand accounts, the lists of what concerns one of them read what concerns that one.
import { beforeAll, expect, it } from 'vitest'
import { catalog } from '../../../server/catalog/catalog.ts'
import { resolveTenant } from '../../../server/domain/accounts/tenant.ts'
import { testApp } from '../../support/test_app.ts'
import { contextOf } from './explain.ts'
import { fillTables, mistakesOf } from './page_plans.ts'

const ACCOUNTS = 40_000

const app = testApp()
beforeAll(async () => {
  const id = (kind: number) => `'${kind}' || lpad(n::text, 35, '0')`
  await fillTables(app, async (client) => {
    const crowd = (text: string) => client.query(text, [ACCOUNTS])
    await crowd(
      `INSERT INTO users (id, email, first_name, plan) SELECT ${id(1)}, n || '@example.com', n, 'developer' FROM generate_series(1, $1::int) n`,
    )
    await crowd(
      `INSERT INTO teams (id, name, personal_user_id) SELECT ${id(2)}, n, ${id(1)} FROM generate_series(1, $1::int) n`,
    )
    await crowd(
      `INSERT INTO memberships (id, team_id, user_id, role) SELECT ${id(3)}, ${id(2)}, ${id(1)}, 'owner' FROM generate_series(1, $1::int) n`,
    )
    await crowd(
      `INSERT INTO api_keys (id, user_id, name, prefix, secret_hash)
     SELECT ${id(4)}, ${id(1)}, 'n', 'p', sha256(convert_to(n::text, 'UTF8')) FROM generate_series(1, $1::int) n`,
    )
  })
  await app.query('ANALYZE users, teams, memberships, api_keys')
})

it.each(['user', 'team', 'membership', 'api_key'])('the list of %s', async (type) => {
  const resource = catalog.related(type)
  const tenant = await resolveTenant(app.store.em(), app.owner.userId, undefined)
  const context = contextOf(app, app.owner, tenant)
  expect(await mistakesOf(app, resource, context, {}, { rows: 1 })).toEqual([])
})
