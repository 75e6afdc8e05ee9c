// The whole service on the development chain: a block that is finalized is soon committed, and a restart changes nothing.
import { describe, expect, it } from 'vitest'
import { NO_CHAINS, openTestApp } from '../support/app.ts'
import { ask } from '../support/http.ts'
import { testApp } from '../support/test_app.ts'

/** On a busy machine a chain of a second's epochs and two seconds' blocks takes its time. */
const SOON = { timeout: 60_000, interval: 100 }
const chains = { ...NO_CHAINS, names: ['embedded' as const] }

const app = testApp({ chains })

interface Told {
  readonly data: readonly { readonly id: string; readonly attributes: Readonly<Record<string, unknown>> }[]
}
const list = async (path: string): Promise<Told> => {
  const told = (await ask(app.port, `/api/json${path}`, { key: app.owner.key })).json()
  return told as Told
}
const states = async (path: string) => (await list(path)).data.map(({ attributes }) => attributes.state)

describe('a service on the development chain', () => {
  it('commits what it finalizes, each epoch in one transaction', async () => {
    await app.finalize(2)
    await expect
      .poll(() => states('/blocks?sort=height'), SOON)
      .toEqual(['committed', 'committed', 'committed'])
    await app.finalize(1)
    await expect.poll(() => states('/blocks?sort=height&filter[height]=3'), SOON).toEqual(['committed'])
    const found = await list('/commitments?include=epoch')
    for (const { attributes } of found.data)
      expect(attributes).toMatchObject({
        chain: 'bitcoin',
        network: 'regtest',
        state: 'confirmed',
        error: null,
      })
    const roots = await app.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM development_transactions WHERE standing = 'chain' AND NOT coinbase`,
    )
    expect(roots).toEqual([{ n: found.data.length }])
  })

  it('says how far it is, and that it proves nothing', async () => {
    const { chains: told } = (await ask(app.port, '/health/ready')).json() as {
      readonly chains: readonly object[]
    }
    expect(told).toEqual([
      {
        chain: 'bitcoin',
        network: 'regtest',
        answered_at: expect.stringMatching(/Z$/),
        confirmed_sequence: expect.any(Number),
        confirmed_at: expect.stringMatching(/Z$/),
        waiting_since: null,
        waiting: 0,
        error: null,
        caveat: expect.stringMatching(/proves nothing/),
      },
    ])
    expect(app.logged.filter(({ msg }) => msg === 'chain.embedded')).toMatchObject([
      { level: 'warn', caveat: expect.stringMatching(/proves nothing/) },
    ])
    expect(JSON.stringify(app.logged)).not.toMatch(/http:\/\/pharos:/)
  })

  it('logs one line for each thing that comes of it', () => {
    const said = app.logged.flatMap(({ msg }) => (msg === undefined ? [] : [msg]))
    const count = (word: string) => said.filter((each) => each === word).length
    expect(count('epoch.closed')).toBeGreaterThan(0)
    expect(count('commitment.submitted')).toBe(count('epoch.closed'))
    expect(count('commitment.confirmed')).toBe(count('epoch.closed'))
    expect(count('commit_epochs.failed')).toBe(0)
  })

  it('goes on after a restart, and beside another server', async () => {
    await app.stop()
    const one = await openTestApp({ beside: app, chains })
    const other = await openTestApp({ beside: app, chains })
    await one.finalize(1)
    await expect.poll(() => one.query(`SELECT 1 FROM blocks WHERE state <> 'committed'`), SOON).toEqual([])
    const [counts] = await one.query<{ epochs: number; included: number; tried: number }>(
      `SELECT (SELECT count(*)::int FROM epochs) AS epochs,
              (SELECT count(*)::int FROM development_transactions WHERE standing = 'chain' AND NOT coinbase) AS included,
              (SELECT count(*)::int FROM commitment_transactions) AS tried`,
    )
    expect([counts?.included, counts?.tried]).toEqual([counts?.epochs, counts?.epochs])
    await one.close()
    await other.close()
  })
})
