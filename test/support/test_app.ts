// The service for all tests of a file: opened before the first, closed after the last.
import { afterAll, beforeAll } from 'vitest'
import { openTestApp, type TestApp, type TestAppOptions } from './app.ts'

/**
 * The same members as those of `openTestApp`, usable while tests and later hooks run. It is closed after what later
 * hooks close, because hooks of the end run in reverse order.
 */
export function testApp(options: TestAppOptions = {}): TestApp {
  let opened: TestApp | undefined
  const app = (): TestApp => {
    if (opened === undefined) throw new Error('The service is open while tests run.')
    return opened
  }
  beforeAll(async () => {
    opened = await openTestApp(options)
  })
  afterAll(async () => {
    await opened?.close()
  })
  return {
    get base() {
      return app().base
    },
    get port() {
      return app().port
    },
    get database() {
      return app().database
    },
    get store() {
      return app().store
    },
    get masterKey() {
      return app().masterKey
    },
    get owner() {
      return app().owner
    },
    get logged() {
      return app().logged
    },
    account: (name) => app().account(name),
    apiKey: (key) => app().apiKey(key),
    join: (teamId, userId, role) => app().join(teamId, userId, role),
    team: (owner, ownershipModel) => app().team(owner, ownershipModel),
    finalize: (count) => app().finalize(count),
    query: (text, parameters) => app().query(text, parameters),
    withdraw: () => app().withdraw(),
    stop: () => app().stop(),
    close: () => app().close(),
  }
}
