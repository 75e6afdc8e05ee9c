// The times beside a verdict: one that no chain has shown is never told as if it had been.
import { describe, expect, it } from 'vitest'
import { internalHash } from '../../shared/proof/bitcoin/bitcoin_bytes.ts'
import { type BlockHeader, writeHeader } from '../../shared/proof/bitcoin/block_header.ts'
import { writeTxoutproof } from '../../shared/proof/bitcoin/txoutproof.ts'
import { readBundleObject } from '../../shared/proof/bundle/read_bundle.ts'
import { fromHex, toBase64, toHex } from '../../shared/proof/bytes.ts'
import type { JsonValue } from '../../shared/proof/json_value.ts'
import type { Lookups } from '../../shared/proof/lookups/lookup.ts'
import { verifyBundle } from '../../shared/proof/verify/verify_bundle.ts'
import { bundleFacts } from '../../shared/verifier/bundle_facts.ts'
import { namedTimes } from '../../shared/verifier/report_summary.ts'
import { judgeReport } from '../../shared/verifier/verdict.ts'
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
async function timesOf(
  change: Record<string, JsonValue | undefined> = {},
  lookups?: Lookups,
  keyrings = [knownKeyring],
) {
  const document = knownDocument('item')
  for (const [place, value] of Object.entries(change)) setAt(document, place, value)
  const read = readBundleObject(document)
  const report = await verifyBundle(read, { keyrings, lookups })
  const { verdict, sentence, reservations } = judgeReport(read, report, keyrings)
  const times = Object.fromEntries(
    namedTimes(report, verdict, bundleFacts(read)).map(({ name, time }) => [name, time]),
  )
  return { verdict, sentence, reservations, times, names: Object.keys(times) }
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

const GENESIS_ROOT = '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b'
const genesis: BlockHeader = {
  version: 1,
  previousBlock: new Uint8Array(32),
  merkleRoot: internalHash(GENESIS_ROOT),
  time: 1_231_006_505,
  bits: 0x1d00_ffff,
  nonce: 2_083_236_893,
}

describe('offline, a Bitcoin commitment', () => {
  const bitcoin = (change: Record<string, JsonValue | undefined>) =>
    timesOf(
      Object.fromEntries(Object.entries(change).map(([name, value]) => [`/commitments/0/${name}`, value])),
    )

  it.each([
    ['mainnet', 'bitcoin mainnet', 'on Bitcoin without its block, as claimed'],
    ['testnet', 'bitcoin testnet', 'on Bitcoin testnet without its block, as claimed'],
    ...['moon', undefined].map((network) => [
      network,
      'bitcoin on a network that is not known here',
      'on Bitcoin on a network that is not known here without its block, as claimed',
    ]),
  ])('without a header is tied to no chain, named %s', async (network, name, time) => {
    const { verdict, reservations, names } = await bitcoin({ network, txoutproof: undefined })
    expect(verdict).toBe('valid')
    expect(reservations).toContainEqual(expect.stringMatching(`for ${name}: nothing offline ties it`))
    expect(reservations.join()).toContain('development chain')
    expect(names).toContain(time)
  })

  it.each(['raw_transaction', 'transaction_hash'])(
    'under the header of a block of mainnet is not tied to it without its %s',
    async (absent) => {
      const { verdict, reservations } = await bitcoin({
        network: 'mainnet',
        transaction_hash: GENESIS_ROOT,
        ...(absent === 'transaction_hash' && { transaction_hash: undefined }),
        ...(absent === 'raw_transaction' && { raw_transaction: undefined }),
        txoutproof: toHex(writeTxoutproof([genesis.merkleRoot], 0, writeHeader(genesis))),
        block_merkle_root: GENESIS_ROOT,
        timestamp: '2009-01-03T18:15:05Z',
      })
      expect(verdict).toBe('valid')
      expect(reservations).toContainEqual(expect.stringContaining('nothing offline ties it'))
    },
  )

  it.each(['moon', 'public', undefined, 5])(
    'under an easy header is on a development chain, named %s',
    async (network) => {
      const { verdict, reservations, names } = await bitcoin({ network })
      expect(verdict).toBe('valid')
      expect(reservations[0]).toContain('development chain')
      expect(reservations.join()).not.toContain('nothing offline ties it')
      expect(names).toContain('on Bitcoin regtest, as claimed')
    },
  )
})

it('the name of a network that is unknown or absent is never repeated beside a time', async () => {
  for (const network of ['mainnet\u202e, confirmed', undefined]) {
    const { names } = await timesOf({ '/commitments/1/network': network })
    expect(names).toContain('on Stellar on a network that is not known here, as claimed')
    expect(names.join()).not.toContain('confirmed')
  }
})
