// The times beside a verdict: one that no chain has shown is never told as if it had been.
import { describe, expect, it } from 'vitest'
import { readBundleObject } from '../../shared/proof/bundle/read_bundle.ts'
import { fromHex, toBase64 } from '../../shared/proof/bytes.ts'
import type { Lookups } from '../../shared/proof/lookups/lookup.ts'
import { verifyBundle } from '../../shared/proof/verify/verify_bundle.ts'
import { factsOf } from '../../shared/verifier/bundle_facts.ts'
import { namedTimes } from '../../shared/verifier/named_times.ts'
import { judge } from '../../shared/verifier/verdict.ts'
import { knownDocument, knownKeyring, setAt } from '../proof/known_bundles.ts'
import { vectors } from '../proof/vectors.ts'
import { lookupsOf } from '../support/world.ts'

const bundle = vectors.bundles.item?.published
const entries = [...(bundle?.commitments ?? []), ...(bundle?.signing_key_event?.commitments ?? [])]
const away = { outcome: 'unreachable', why: 'a test said so' } as const
const world = lookupsOf({
  stellarTransaction: async (_, hash) => {
    const entry = entries.find(({ transaction_hash }) => transaction_hash === hash)
    if (entry?.chain !== 'stellar') return { outcome: 'absent' }
    const { ledger, timestamp: created_at, epoch_merkle_root } = entry
    const memo = toBase64(fromHex(epoch_merkle_root))
    const value = { hash, successful: true, memo_type: 'hash', memo, ledger, created_at }
    return { outcome: 'found', value }
  },
  stellarLedger: async () => away,
  bitcoinBlock: async () => away,
  nistPulse: async () => away,
})

/** `lookups` absent: nobody is asked. */
async function timesOf(change: Record<string, string> = {}, lookups?: Lookups, keyrings = [knownKeyring]) {
  const document = knownDocument('item')
  for (const [place, value] of Object.entries(change)) setAt(document, place, value)
  const read = readBundleObject(document)
  const report = await verifyBundle(read, { keyrings, lookups })
  const { verdict, sentence } = judge(read, report, keyrings)
  const times = Object.fromEntries(
    namedTimes(report, verdict, factsOf(read)).map(({ name, time }) => [name, time]),
  )
  return { verdict, sentence, times, names: Object.keys(times) }
}

describe('the time of a commitment', () => {
  it('is a claim as long as nobody was asked, whatever it says', async () => {
    const { verdict, names, sentence } = await timesOf({ '/commitments/1/timestamp': '2009-01-03T18:15:05Z' })
    expect(verdict).toBe('valid')
    expect(names).toEqual([
      'claimed',
      'submitted',
      'in block',
      'on Stellar testnet, as claimed',
      'on Bitcoin regtest, as claimed',
    ])
    expect(sentence).not.toContain('2009')
  })

  it('is told as a fact once its chain has shown it, and of a development chain never', async () => {
    const { verdict, times } = await timesOf({}, world)
    expect(verdict).toBe('valid')
    expect(times).toMatchObject({
      'on Stellar testnet': '2027-01-01T00:03:20Z',
      'on Bitcoin regtest, as claimed': '2027-01-01T00:03:35Z',
    })
  })

  it('is a claim, as every other, while nobody knows whose key signed it', async () => {
    const { verdict, names } = await timesOf({}, world, [])
    expect(verdict).toBe('key_open')
    expect(names.filter((name) => !name.endsWith('as claimed'))).toEqual(['claimed'])
  })

  it('is a claim where the chain shows another', async () => {
    const { verdict, names } = await timesOf({ '/commitments/1/timestamp': '2009-01-03T18:15:05Z' }, world)
    expect(verdict).toBe('invalid')
    expect(names).toEqual([
      'claimed',
      'submitted, as claimed',
      'in block, as claimed',
      'on Stellar testnet, as claimed',
      'on Bitcoin regtest, as claimed',
    ])
  })
})
