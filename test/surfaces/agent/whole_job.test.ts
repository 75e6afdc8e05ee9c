// A whole job by what tools tell alone: a model that knows nothing of the service timestamps a digest, waits, and makes,
// verifies and exports the proof.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { introducedKeys, ownKeyring } from '../../../server/domain/proofs/keyrings.ts'
import { readProof } from '../../../server/domain/proofs/verify_proof.ts'
import { verifyBundle } from '../../../shared/proof/verify/verify_bundle.ts'
import { commitBlocks } from '../../domain/proofs/seed_commitment.ts'
import { NO_CHAINS, openTestApp, type TestApp } from '../../support/app.ts'
import { NO_BLOCKS_MS } from '../../support/no_blocks.ts'
import { readOts } from '../../support/ots_reader.ts'
import { agentClient, agentToken, REVISIONS } from './agent_client.ts'
import { openReader } from './reader.ts'

const DIGEST = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
const JOB = ['timestamp a digest', 'make a proof', 'verify the proof', 'export the proof as a file']
const MOST_CALLS = 6
const MINUTE_MS = 60_000
const EPOCH_MS = 15 * MINUTE_MS
const CONFIRM_MS = 10 * MINUTE_MS

let app: TestApp
beforeAll(async () => {
  // The node of the chain does not answer, so only the test commits anything.
  const bitcoin = { rpcUrl: 'http://127.0.0.1:1', confirmations: 1 }
  const intervals = { ...NO_CHAINS.intervals, bitcoin: EPOCH_MS }
  app = await openTestApp({ chains: { ...NO_CHAINS, names: ['bitcoin'], intervals, bitcoin } })
})
afterAll(() => app?.close())

/** Blocks are made and committed when their time has come by a clock that stands still unless somebody waits. */
function world(): { readonly pass: (ms: number) => Promise<void> } {
  let now = Date.now()
  const crosses = (from: number, to: number, slot: number) => Math.floor(from / slot) < Math.floor(to / slot)
  return {
    pass: async (ms) => {
      const before = now
      now += ms
      if (crosses(before, now, NO_BLOCKS_MS)) await app.finalize()
      if (crosses(before - CONFIRM_MS, now - CONFIRM_MS, EPOCH_MS)) await commitBlocks({ em: app.store.em() })
    },
  }
}

it.each(REVISIONS)('is done in at most six calls in %s', async (revision) => {
  const client = await agentClient(app, await agentToken(app), revision)
  try {
    const reader = await openReader(client, { digest: DIGEST, algorithm: 'SHA-256' }, world().pass)
    const answers = []
    for (const task of JOB) answers.push(await reader.does(task))
    const [item, proof, report, file] = answers
    expect(reader.calls.length, reader.calls.join()).toBeLessThanOrEqual(MOST_CALLS)

    expect(item).toMatchObject({ hash: DIGEST })
    expect(report).toMatchObject({ passed: true, id: item?.id })
    const keyrings = [ownKeyring(await introducedKeys(app.store.em()))]
    const offline = await verifyBundle(readProof(JSON.stringify(proof)), { keyrings, expectedHash: DIGEST })
    expect(offline).toMatchObject({ passed: true, hash_matched: true })
    const { digest } = readOts(Buffer.from(String(file?.ots), 'base64'))
    expect(digest.toString('hex')).toBe(DIGEST)
  } finally {
    await client.close()
  }
})

it('is told the wait in advance too, from the settings', async () => {
  const client = await agentClient(app, await agentToken(app), '2026-07-28')
  const { tools } = await client.listTools()
  await client.close()
  const told = tools.filter(({ description }) => description?.includes('committed to a chain every 15 min'))
  expect(told.map(({ name }) => name)).toEqual(['create_item', 'generate_proof'])
})
