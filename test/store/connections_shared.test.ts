// However many processes a start has, they never use more connections together than the setting allows.
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../server/settings/read_settings.ts'
import {
  connectionsOf,
  type Half,
  isPooled,
  leastConnections,
  type PurposeName,
  urlFor,
  usualConnections,
} from '../../server/store/purposes.ts'

/** What each half opens connections for. Those of other purposes are never opened. */
const USED: Readonly<Record<Exclude<Half, 'both'>, readonly PurposeName[]>> = {
  clockwork: ['ledger', 'watch', 'write', 'work', 'read'],
  ways_in: ['watch', 'write', 'work', 'read', 'expensive'],
}

describe('connections of several processes', () => {
  it.each([2, 3, 4, 8, 16, 64])('of %i workers and the first process stay within their number', (workers) => {
    for (const total of [leastConnections(workers), usualConnections(workers), 1_000]) {
      const of = (half: Exclude<Half, 'both'>) =>
        USED[half].reduce((sum, purpose) => sum + connectionsOf(purpose, total, { half, workers }), 0)
      expect(of('clockwork') + workers * of('ways_in')).toBeLessThanOrEqual(total)
    }
  })

  it('are as many as the workers need when nothing is set, and too few are refused', () => {
    expect(readConfig({ WORKERS: '4' }, '/').databasePoolSize).toBe(usualConnections(4))
    expect(readConfig({ WORKERS: 'auto' }, '/').workers).toBeGreaterThanOrEqual(1)
    expect(() => readConfig({ WORKERS: '4', DATABASE_POOL_SIZE: '20' }, '/')).toThrow(
      `DATABASE_POOL_SIZE must be at least ${leastConnections(4)} with 4 WORKERS`,
    )
    expect(() => readConfig({ WORKERS: '65' }, '/')).toThrow('WORKERS')
  })
})

describe('the address of a pooler', () => {
  const url = 'postgresql://pharos@pooler:6432/pharos_{purpose}'

  it('has a database for each purpose, also where the braces are escaped', () => {
    expect(urlFor('read', url)).toBe('postgresql://pharos@pooler:6432/pharos_read')
    expect(urlFor('ledger', new URL(url).href)).toBe('postgresql://pharos@pooler:6432/pharos_ledger')
    expect([isPooled(url), isPooled(new URL(url).href), isPooled(urlFor('read', url))]).toEqual([
      true,
      true,
      false,
    ])
  })

  it('needs a second address past it', () => {
    expect(() => readConfig({ DATABASE_URL: url, MASTER_KEY: 'ab'.repeat(32) }, '/')).toThrow(
      'LISTEN_DATABASE_URL is required',
    )
  })
})
