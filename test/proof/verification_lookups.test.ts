// Verification with lookups: what becomes of the answers of the world, and how many questions one bundle may ask.
import { describe, expect, it } from 'vitest'
import { headerHash } from '../../shared/proof/bitcoin/block_header.ts'
import { readTxoutproof } from '../../shared/proof/bitcoin/txoutproof.ts'
import { readBundleObject } from '../../shared/proof/bundle/read_bundle.ts'
import { fromHex, toBase64 } from '../../shared/proof/bytes.ts'
import type { Lookup, Lookups } from '../../shared/proof/lookups.ts'
import { MAX_LOOKUPS } from '../../shared/proof/verify/limited_lookups.ts'
import { wouldLookUp } from '../../shared/proof/verify/verify_bundle.ts'
import { knownDocument, setAt } from './known_bundles.ts'
import { vectors } from './vectors.ts'
import { verified } from './verify_known.ts'

const found = <T>(value: T): Lookup<T> => ({ outcome: 'found', value })
const absent = { outcome: 'absent' } as const
const unreachable = { outcome: 'unreachable', why: 'a test said so' } as const

const item = vectors.bundles.item?.published
const [bitcoinEntry, stellarEntry] = item?.commitments ?? []
if (item === undefined || bitcoinEntry?.chain !== 'bitcoin' || stellarEntry?.chain !== 'stellar')
  throw new Error('the known item has an entry of each chain')
const memoOf = (root: string) => toBase64(fromHex(root))
const headerBlock = headerHash(readTxoutproof(fromHex(bitcoinEntry.txoutproof)).header)
const eventEntry = item.signing_key_event?.commitments[0]
/** In the other case than the known payload has it. */
const PULSE =
  '92aa717fadbab69a0b9f7135adbb5f31e154ca1ac4712d7c274884332d7487bb0c4edcdcd26f2fe0c11d1546b06fc0529bc74ed60954d86ca414f5e541e24c6a'
const onMainnet = { '/commitments/0/network': 'mainnet' }

/** Where everything the known item says is so. */
function agreeingWorld(asked: string[] = []): Lookups {
  return {
    stellarTransaction: async (network, hash) => {
      asked.push(`transaction ${network} ${hash}`)
      const entry = hash === stellarEntry?.transaction_hash ? stellarEntry : eventEntry
      if (entry?.chain !== 'stellar') return absent
      return found({ memo_type: 'hash', memo: memoOf(entry.epoch_merkle_root), ledger: entry.ledger })
    },
    stellarLedger: async (network, sequence) => {
      asked.push(`ledger ${network} ${sequence}`)
      const hash = '53F836FA7AACC7AD78331D21A5A8A0B08D1970513BE75E24AB6B955F2D81982E'
      return found({ hash, closed_at: '2027-01-01T00:02:18+00:00' })
    },
    bitcoinBlock: async (network, hash) => {
      asked.push(`block ${network} ${hash}`)
      return found(
        hash === headerBlock ? { height: 1201, timestamp: 1 } : { height: 980001, timestamp: 1798761677 },
      )
    },
    nistPulse: async (chainIndex, pulseIndex) => {
      asked.push(`pulse ${chainIndex} ${pulseIndex}`)
      return found({ outputValue: PULSE, timeStamp: '2027-01-01T00:01:00Z' })
    },
  }
}

describe('with lookups', () => {
  it('an agreeing world confirms everything, asked once per question', async () => {
    const asked: string[] = []
    const { read, report, rows, statuses } = await verified('item', onMainnet, {
      lookups: agreeingWorld(asked),
    })
    expect(wouldLookUp(read)).toBe(true)
    expect(report).toMatchObject({ passed: true, skipped_external: false, skip_count: 0 })
    expect(statuses('Stellar Commitment')).toEqual(['pass', 'pass'])
    expect(statuses('Bitcoin Commitment')).toEqual(['info', 'info', 'info', 'info', 'pass'])
    expect(statuses('Signing Key Event')).toEqual(['pass', 'pass', 'info', 'pass', 'pass', 'pass', 'pass'])
    expect(statuses('Entropy Source')).toEqual(['pass', 'pass', 'pass'])
    expect(rows('Submitted After').at(-1)).toMatchObject({
      status: 'pass',
      message: expect.stringContaining('2027-01-01T00:02:18Z'),
    })
    expect(rows('Submitted Before')).toMatchObject([
      { status: 'pass', message: expect.stringContaining('2027-01-01T00:03:20Z') },
    ])
    expect(asked.sort()).toEqual(
      [
        `transaction testnet ${stellarEntry.transaction_hash}`,
        `transaction testnet ${eventEntry?.transaction_hash}`,
        `block mainnet ${headerBlock}`,
        `block mainnet 000000000000000000013eedc1ea5a5af422947a7a72e68c9b4f9dafc6189a12`,
        'ledger testnet 60000013',
        'pulse 2 1234568',
      ].sort(),
    )
  })

  it.each([
    ['another memo', found({ memo_type: 'hash', memo: memoOf('00'.repeat(32)), ledger: 70000026 }), ['fail']],
    [
      'a memo of text',
      found({ memo_type: 'text', memo: memoOf(stellarEntry.epoch_merkle_root), ledger: 70000026 }),
      ['fail'],
    ],
    ['no memo', found({ memo_type: 'none', memo: undefined, ledger: 70000026 }), ['fail']],
    [
      'another ledger',
      found({ memo_type: 'hash', memo: memoOf(stellarEntry.epoch_merkle_root), ledger: 1 }),
      ['pass', 'fail'],
    ],
    ['no such transaction', absent, ['fail']],
    ['no answer', unreachable, ['skip']],
  ])('a Stellar transaction with %s', async (_, answer, expected) => {
    const lookups = { ...agreeingWorld(), stellarTransaction: async () => answer }
    const { rows, statuses } = await verified('item', onMainnet, { lookups })
    expect(statuses('Stellar Commitment')).toEqual(expected)
    // Bitcoin confirmed, the earlier Stellar entry not.
    expect(statuses('Submitted Before')).toEqual(['pass', 'info'])
    expect(rows('Submitted Before')[0]?.message).toContain('2027-01-01T00:03:35Z')
  })

  it.each([
    ['an unknown network', { '/commitments/1/network': 'moon' }, absent, ['skip']],
    ['no network', { '/commitments/1/network': undefined }, absent, ['skip']],
    ['no transaction hash', { '/commitments/1/transaction_hash': undefined }, absent, ['skip']],
    ['a malformed transaction hash', { '/commitments/1/transaction_hash': '../..' }, absent, ['fail']],
  ])('a Stellar entry with %s', async (_, changes, answer, expected) => {
    const lookups = { ...agreeingWorld(), stellarTransaction: async () => answer }
    const { statuses } = await verified('item', changes, { lookups })
    expect(statuses('Stellar Commitment')).toEqual(expected)
  })

  it('a Stellar entry without ledger is confirmed by its memo', async () => {
    const { statuses } = await verified(
      'item',
      { '/commitments/1/ledger': null },
      { lookups: agreeingWorld() },
    )
    expect(statuses('Stellar Commitment')).toEqual(['pass', 'pass'])
  })

  it.each([
    ['at another height', found({ height: 1, timestamp: 1 }), 'fail'],
    ['that nobody knows', absent, 'fail'],
    ['that nobody answers for', unreachable, 'skip'],
  ])('a Bitcoin block %s', async (_, answer, expected) => {
    const lookups = { ...agreeingWorld(), bitcoinBlock: async () => answer }
    const { statuses } = await verified('item', onMainnet, { lookups })
    expect(statuses('Bitcoin Commitment')).toEqual(['info', 'info', 'info', 'info', expected])
  })

  it.each([
    ['regtest', {}],
    ['without height', { '/commitments/0/block_height': undefined }],
    ['with a fraction as height', { '/commitments/0/block_height': 1201.5 }],
    ['without transaction hash', { '/commitments/0/transaction_hash': undefined }],
    ['without raw transaction', { '/commitments/0/raw_transaction': undefined }],
    ['without txoutproof', { '/commitments/0/txoutproof': undefined }],
    ['with another transaction', { '/commitments/0/raw_transaction': '00' }],
  ])('a Bitcoin entry %s is not looked up', async (name, changes) => {
    const asked: string[] = []
    const network = name === 'regtest' ? {} : onMainnet
    const { rows } = await verified('item', { ...network, ...changes }, { lookups: agreeingWorld(asked) })
    expect(rows('Bitcoin Commitment').at(-1)?.status).toBe('skip')
    expect(asked.filter((question) => question.includes(headerBlock))).toEqual([])
  })

  it.each([
    ['nothing there', absent, ['skip']],
    ['no answer', unreachable, ['skip']],
    ['another value', found({ outputValue: 'AB', timeStamp: '2027-01-01T00:01:00Z' }), ['fail']],
  ])('an entropy source with %s', async (_, answer, expected) => {
    const lookups = { ...agreeingWorld(), nistPulse: async () => answer }
    const { report, statuses } = await verified('item_partial', {}, { lookups })
    expect(statuses('Entropy Source')).toEqual(expected)
    expect(report.steps.filter(({ group }) => group === 'Submitted After').at(-1)?.status).toBe('info')
  })

  it('an entropy payload that does not say what to ask for fails without a question', async () => {
    const asked: string[] = []
    const lookups = agreeingWorld(asked)
    for (const payload of [
      {},
      { pulse: { chainIndex: 2, pulseIndex: '7' } },
      { pulse: { chainIndex: -1, pulseIndex: 7 } },
    ]) {
      const { statuses } = await verified('entropy_nist', { '/subject/entropy': payload }, { lookups })
      expect(statuses('Entropy Source')).toEqual(['fail'])
    }
    expect(asked.filter((question) => question.startsWith('pulse'))).toEqual([])
  })

  it('one bundle gets a limited number of questions, the same one only once', async () => {
    const entries = Array.from({ length: 50 }, (_, i) => ({
      ...stellarEntry,
      transaction_hash: String(Math.floor(i / 2)).padStart(64, '0'),
    }))
    const asked: string[] = []
    const { statuses } = await verified(
      'item',
      { '/commitments': entries },
      { lookups: agreeingWorld(asked) },
    )
    expect(asked).toHaveLength(MAX_LOOKUPS)
    expect(new Set(asked).size).toBe(MAX_LOOKUPS)
    expect(statuses('Stellar Commitment').filter((status) => status === 'skip')).toHaveLength(
      50 - 2 * MAX_LOOKUPS,
    )
  })

  it('a fault of a lookup is a fault, not a row', async () => {
    const lookups = { ...agreeingWorld(), nistPulse: () => Promise.reject(new Error('a bug')) }
    await expect(verified('item', {}, { lookups })).rejects.toThrow('a bug')
  })

  it('nothing to ask is known beforehand', () => {
    const bare = knownDocument('beacon')
    for (const entry of [0, 1]) setAt(bare, `/commitments/${entry}/transaction_hash`, undefined)
    expect(wouldLookUp(readBundleObject(bare))).toBe(false)
    setAt(bare, '/commitments/1/transaction_hash', stellarEntry.transaction_hash)
    expect(wouldLookUp(readBundleObject(bare))).toBe(true)
    const captured = knownDocument('entropy_nist', 'compact')
    for (const entry of [0, 1]) setAt(captured, `/cx/${entry}/tx`, undefined)
    expect(wouldLookUp(readBundleObject(captured))).toBe(true)
  })
})
