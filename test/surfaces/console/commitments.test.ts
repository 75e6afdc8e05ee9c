// What becomes of an epoch on its public chain is told live: to everybody, as it happens, blocks included.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiKey } from '../../../server/domain/accounts/api_key.ts'
import { look, nextSlot, visit } from '../../domain/commitments/committing.ts'
import { modelChain } from '../../support/chains/model_chain.ts'
import { testLedger } from '../../support/test_ledger.ts'
import { connect, eventually } from './console_client.ts'
import { type ConsoleServer, startConsoleServer } from './console_server.ts'

const ledger = testLedger()
let server: ConsoleServer
let token: string
beforeAll(async () => {
  server = await startConsoleServer(ledger)
  token = (await createApiKey(ledger.store.em(), { userId: ledger.userId, name: 'test' })).secret
})
afterAll(() => server.close())

describe('the streams of commitments and blocks', () => {
  it('tell of a refusal, a submission, a confirmation and the blocks that it commits, in order', async () => {
    const client = await connect(server.url, token)
    for (const stream of ['commitments', 'blocks'])
      expect(await client.ask('subscribe', { stream })).toEqual({ ok: true })
    await ledger.finalize()
    await nextSlot(ledger.store)
    const chain = modelChain()
    chain.refuse('no funds')
    await visit(ledger.store, chain)
    chain.refuse(null)
    await look(ledger.store, chain)
    chain.mine()
    await look(ledger.store, chain)
    await eventually(() => client.of('block.committed').length).toBe(2)
    const events = client.told.slice(1).map(({ event }) => event)
    // What was finalized just before may be told as well: a reader that is held up begins a little early.
    expect(events.slice(events.lastIndexOf('block.finalized'))).toEqual([
      'block.finalized',
      'commitment.failed',
      'commitment.submitted',
      'commitment.confirmed',
      'block.committed',
      'block.committed',
    ])
    expect(client.of('commitment.failed')[0]).toMatchObject({
      stream: 'commitments',
      at: expect.stringMatching(/Z$/),
      data: { state: 'failed', error: 'no funds', transaction_hash: null },
    })
    expect(client.of('commitment.confirmed')[0]).toMatchObject({
      data: {
        state: 'confirmed',
        chain: 'bitcoin',
        network: 'regtest',
        transaction_hash: chain.made[0]?.hash,
      },
    })
    expect(client.of('block.committed').map(({ stream, data }) => [stream, data])).toMatchObject([
      ['blocks', { height: 0, state: 'committed' }],
      ['blocks', { height: 1, state: 'committed', committed_at: expect.stringMatching(/Z$/) }],
    ])
    client.socket.disconnect()
  })
})
