// Verification with lookups: what becomes of the answers of the world, and how many questions one bundle may ask.
import { describe, expect, it } from 'vitest'
import { uuid7From } from '../../server/kernel/identifiers.ts'
import { headerHash } from '../../shared/proof/bitcoin/block_header.ts'
import { readTxoutproof } from '../../shared/proof/bitcoin/txoutproof.ts'
import { readBundleObject } from '../../shared/proof/bundle/read_bundle.ts'
import { fromHex, toBase64 } from '../../shared/proof/bytes.ts'
import type { JsonValue } from '../../shared/proof/json_value.ts'
import type { Lookup } from '../../shared/proof/lookups/lookup.ts'
import type { StellarTransaction } from '../../shared/proof/lookups/public_services.ts'
import { wouldLookUp } from '../../shared/proof/verify/facts.ts'
import { lookupsOf, type World } from '../support/world.ts'
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
/** The known header at the easiest target of testnet. Its nonce took 3,629,096 tries. */
const minedProof = `${bitcoinEntry.txoutproof.slice(0, 144)}ae77031e28603700${bitcoinEntry.txoutproof.slice(160)}`
const headerBlock = headerHash(readTxoutproof(fromHex(minedProof)).header)
const eventEntry = item.signing_key_event?.commitments[0]
/** In the other case than the known payload has it. */
const PULSE =
  '92aa717fadbab69a0b9f7135adbb5f31e154ca1ac4712d7c274884332d7487bb0c4edcdcd26f2fe0c11d1546b06fc0529bc74ed60954d86ca414f5e541e24c6a'
const onTestnet = { '/commitments/0/network': 'testnet', '/commitments/0/txoutproof': minedProof }

/** As the network has it; `changes` are its disagreements. */
const transactionOf = (
  { transaction_hash, epoch_merkle_root, ledger, timestamp }: typeof stellarEntry,
  changes: Partial<StellarTransaction> = {},
): Lookup<StellarTransaction> =>
  found({
    hash: transaction_hash,
    successful: true,
    memo_type: 'hash',
    memo: memoOf(epoch_merkle_root),
    ledger,
    created_at: timestamp,
    ...changes,
  })

/** Where everything the known item says is so. */
function agreeingWorld(asked: string[] = []): World {
  return {
    stellarTransaction: async (network, hash) => {
      asked.push(`transaction ${network} ${hash}`)
      const entry = hash === stellarEntry?.transaction_hash ? stellarEntry : eventEntry
      if (entry?.chain !== 'stellar') return absent
      return transactionOf(entry)
    },
    stellarLedger: async (network, sequence) => {
      asked.push(`ledger ${network} ${sequence}`)
      const hash = '53F836FA7AACC7AD78331D21A5A8A0B08D1970513BE75E24AB6B955F2D81982E'
      return found({ sequence, hash, closed_at: '2027-01-01T00:02:18+00:00' })
    },
    bitcoinBlock: async (network, hash) => {
      asked.push(`block ${network} ${hash}`)
      const block =
        hash === headerBlock ? { height: 1201, timestamp: 1 } : { height: 980001, timestamp: 1798761677 }
      return found({ id: hash, ...block })
    },
    nistPulse: async (chainIndex, pulseIndex) => {
      asked.push(`pulse ${chainIndex} ${pulseIndex}`)
      return found({ chainIndex, pulseIndex, outputValue: PULSE, timeStamp: '2027-01-01T00:01:00Z' })
    },
  }
}

/** The same, but for what a test says otherwise. */
const agreeing = (otherwise: Partial<World> = {}, asked: string[] = []) =>
  lookupsOf({ ...agreeingWorld(asked), ...otherwise })

const LEDGER = {
  sequence: 60000013,
  hash: '53f836fa7aacc7ad78331d21a5a8a0b08d1970513be75e24ab6b955f2d81982e',
  closed_at: '2027-01-01T00:02:18Z',
}
const pulseOf = (changes: { outputValue?: string; chainIndex?: number; pulseIndex?: number }) =>
  found({
    chainIndex: 2,
    pulseIndex: 1234568,
    outputValue: PULSE,
    timeStamp: '2027-01-01T00:01:00Z',
    ...changes,
  })

describe('with lookups', () => {
  it('an agreeing world confirms everything, asked once per question', async () => {
    const asked: string[] = []
    const { read, report, rows, statuses } = await verified('item', onTestnet, {
      lookups: agreeing({}, asked),
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
        `block testnet ${headerBlock}`,
        `block mainnet 000000000000000000013eedc1ea5a5af422947a7a72e68c9b4f9dafc6189a12`,
        'ledger testnet 60000013',
        'pulse 2 1234568',
      ].sort(),
    )
  })

  it.each([
    ['another memo', transactionOf(stellarEntry, { memo: memoOf('00'.repeat(32)) }), ['fail']],
    ['a memo of text', transactionOf(stellarEntry, { memo_type: 'text' }), ['fail']],
    ['no memo', transactionOf(stellarEntry, { memo_type: 'none', memo: undefined }), ['fail']],
    ['another hash', transactionOf(stellarEntry, { hash: 'ab'.repeat(32) }), ['fail']],
    ['no hash', transactionOf(stellarEntry, { hash: undefined }), ['fail']],
    ['no success', transactionOf(stellarEntry, { successful: false }), ['fail']],
    ['no word of success', transactionOf(stellarEntry, { successful: undefined }), ['fail']],
    ['another ledger', transactionOf(stellarEntry, { ledger: 1 }), ['pass', 'fail']],
    [
      'a ledger closed at another time',
      transactionOf(stellarEntry, { created_at: '2027-01-01T00:03:21Z' }),
      ['pass', 'fail'],
    ],
    ['a ledger of no time', transactionOf(stellarEntry, { created_at: undefined }), ['pass', 'fail']],
    ['no such transaction', absent, ['fail']],
    ['no answer', unreachable, ['skip']],
  ])('a Stellar transaction with %s', async (_, answer, expected) => {
    const lookups = agreeing({ stellarTransaction: async () => answer })
    const { rows, statuses } = await verified('item', onTestnet, { lookups })
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
    const lookups = agreeing({ stellarTransaction: async () => answer })
    const { statuses } = await verified('item', changes, { lookups })
    expect(statuses('Stellar Commitment')).toEqual(expected)
  })

  it('a Stellar entry without ledger is confirmed by its memo', async () => {
    const { statuses } = await verified('item', { '/commitments/1/ledger': null }, { lookups: agreeing() })
    expect(statuses('Stellar Commitment')).toEqual(['pass', 'pass'])
  })

  it.each([
    ['at another height', found({ id: headerBlock, height: 1, timestamp: 1 }), 'fail'],
    ['that is another one', found({ id: 'ab'.repeat(32), height: 1201, timestamp: 1 }), 'fail'],
    ['that has no name', found({ id: undefined, height: 1201, timestamp: 1 }), 'fail'],
    ['that nobody knows', absent, 'fail'],
    ['that nobody answers for', unreachable, 'skip'],
  ])('a Bitcoin block %s', async (_, answer, expected) => {
    const lookups = agreeing({ bitcoinBlock: async () => answer })
    const { statuses } = await verified('item', onTestnet, { lookups })
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
    const network = name === 'regtest' ? {} : onTestnet
    const { rows } = await verified('item', { ...network, ...changes }, { lookups: agreeing({}, asked) })
    expect(rows('Bitcoin Commitment').at(-1)?.status).toBe('skip')
    expect(asked.filter((question) => question.includes(headerBlock))).toEqual([])
  })

  it.each([
    ['nothing there', absent, ['skip']],
    ['no answer', unreachable, ['skip']],
    ['another value', pulseOf({ outputValue: 'AB' }), ['fail']],
    ['another pulse', pulseOf({ pulseIndex: 1234567 }), ['fail']],
    ['a pulse of another chain', pulseOf({ chainIndex: 1 }), ['fail']],
  ])('an entropy source with %s', async (_, answer, expected) => {
    const lookups = agreeing({ nistPulse: async () => answer })
    const { report, statuses } = await verified('item_partial', {}, { lookups })
    expect(statuses('Entropy Source')).toEqual(expected)
    expect(report.steps.filter(({ group }) => group === 'Submitted After').at(-1)?.status).toBe('info')
  })

  it.each([
    [
      'another ledger',
      { stellarLedger: async () => found({ ...LEDGER, sequence: 60000014 }) },
      ['pass', 'pass', 'fail'],
    ],
    [
      'another block',
      { bitcoinBlock: async () => found({ id: headerBlock, height: 980001, timestamp: 1798761677 }) },
      ['fail', 'pass', 'pass'],
    ],
  ])('a source of entropy that answers about %s is a failure', async (_, answers, expected) => {
    const { statuses } = await verified('item', {}, { lookups: agreeing(answers) })
    expect(statuses('Entropy Source')).toEqual(expected)
  })

  it('an entropy payload that does not say what to ask for fails without a question', async () => {
    const asked: string[] = []
    const lookups = agreeing({}, asked)
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

  it.each([
    ['Stellar', { '/commitments/1/timestamp': '2009-01-03T18:15:05Z' }, 'Stellar Commitment'],
    ['Bitcoin', { '/commitments/0/timestamp': '2009-01-03T18:15:05Z' }, 'Bitcoin Commitment'],
    ['Stellar, as no time at all', { '/commitments/1/timestamp': 'once' }, 'Stellar Commitment'],
    ['Bitcoin, as no time at all', { '/commitments/0/timestamp': 1230999305 }, 'Bitcoin Commitment'],
  ])('a time of a commitment that its chain does not show proves nothing: %s', async (_, changes, group) => {
    for (const lookups of [agreeing(), undefined]) {
      const { report, rows, statuses } = await verified(
        'item',
        { ...onTestnet, ...changes },
        lookups === undefined ? {} : { lookups },
      )
      const isKnown = lookups !== undefined || group === 'Bitcoin Commitment'
      expect(statuses(group).includes('fail')).toBe(isKnown)
      expect(report.passed).toBe(!isKnown)
      const proven = rows('Submitted Before').filter(({ status }) => status === 'pass')
      expect(proven).toHaveLength(lookups === undefined ? 0 : 1)
      for (const { message } of proven) expect(message).not.toContain('2009')
    }
  })

  it('times of a compact bundle are held to what its chains show', async () => {
    const changes = {
      '/cx/0/net': 'testnet',
      '/cx/0/txp': minedProof,
      '/cx/0/ts': '2009-01-03T18:15:05Z',
      '/cx/1/ts': '2009-01-03T18:15:05Z',
    }
    const { statuses } = await verified('item', changes, { lookups: agreeing(), layout: 'compact' })
    expect(statuses('Bitcoin Commitment')).toEqual(['info', 'info', 'info', 'fail', 'pass'])
    expect(statuses('Stellar Commitment')).toEqual(['pass', 'fail'])
    expect(statuses('Submitted Before')).toEqual(['info'])
  })

  it('times that differ by less than a second, or are absent, do not disagree', async () => {
    const changes: Record<string, JsonValue | undefined> = {
      ...onTestnet,
      '/commitments/0/timestamp': '2027-01-01T01:03:35.9+01:00',
      '/commitments/1/timestamp': undefined,
    }
    const { report, rows } = await verified('item', changes, { lookups: agreeing() })
    expect(report.passed).toBe(true)
    expect(rows('Submitted Before')).toMatchObject([
      { status: 'pass', message: expect.stringContaining('2027-01-01T00:03:35Z') },
    ])
  })

  it('a commitment that was on its chain hours before its block was made is a failure', async () => {
    const hours = 3_600_000
    const made = Date.parse('2027-01-01T00:03:20Z')
    for (const [ahead, expected] of [
      [2 * hours, ['pass']],
      [2 * hours + 1, ['fail']],
    ] as const) {
      const changes = { ...onTestnet, '/block/id': uuid7From(made + ahead, new Uint8Array(10)) }
      const { statuses } = await verified('item', changes, { lookups: agreeing() })
      expect(statuses('Submitted Before')).toEqual(expected)
      expect((await verified('item', changes)).statuses('Submitted Before')).toEqual(['info'])
    }
  })

  it('one bundle gets 16 questions, the same one only once', async () => {
    const entries = Array.from({ length: 50 }, (_, i) => ({
      ...stellarEntry,
      transaction_hash: String(Math.floor(i / 2)).padStart(64, '0'),
    }))
    const asked: string[] = []
    const { statuses } = await verified('item', { '/commitments': entries }, { lookups: agreeing({}, asked) })
    expect(asked).toHaveLength(16)
    expect(new Set(asked).size).toBe(16)
    expect(statuses('Stellar Commitment').filter((status) => status === 'skip')).toHaveLength(50 - 32)
  })

  it('a fault of a lookup is a fault, not a row', async () => {
    const lookups = agreeing({ nistPulse: () => Promise.reject(new Error('a bug')) })
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
