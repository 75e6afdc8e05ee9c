// Verification without lookups: what each step says of what is odd, missing or broken.
import { describe, expect, it } from 'vitest'
import { readBundleObject } from '../../shared/proof/bundle/read_bundle.ts'
import { fromHex } from '../../shared/proof/bytes.ts'
import type { JsonObject, JsonValue } from '../../shared/proof/json_value.ts'
import { verifyBundle } from '../../shared/proof/verify/verify_bundle.ts'
import { knownDocument, knownKeyring } from './known_bundles.ts'
import { vectors } from './vectors.ts'
import { verified } from './verify_known.ts'

describe('hash comparison', () => {
  const claimed = '1a19868d3b6b3f57f523b3202b9ae40155dc1491b3727c608f573acc615d9a0c'
  it.each([
    ['the claimed one, in capitals and blanks', ` ${claimed.toUpperCase()}\n`, 'pass', claimed, true],
    ['another one', 'ab', 'fail', 'ab', false],
    ['an empty one', '', 'fail', '', false],
    ['one with half a surrogate', '\ud800', 'fail', '\ud800', false],
  ])('with %s', async (_, expectedHash, status, provided, matched) => {
    const { report, rows } = await verified('item', {}, { expectedHash })
    expect(rows('Hash Comparison')).toMatchObject([{ status, category: 'data_integrity' }])
    expect(report).toMatchObject({
      hash_provided: provided,
      expected_hash_provided: true,
      hash_matched: matched,
    })
    const compact = await verified('item', {}, { expectedHash, layout: 'compact' })
    expect(compact.statuses('Hash Comparison')).toEqual([status])
  })

  it('without an expected hash, without a claimed one, and of what is no item', async () => {
    const { report, statuses } = await verified('item')
    expect(statuses('Hash Comparison')).toEqual(['warn'])
    expect(report).toMatchObject({ hash_provided: null, expected_hash_provided: false, hash_matched: false })
    expect((await verified('item_partial')).statuses('Hash Comparison')).toEqual([])
    expect(
      (await verified('item_partial', {}, { expectedHash: claimed })).statuses('Hash Comparison'),
    ).toEqual(['warn'])
    expect((await verified('block', {}, { expectedHash: claimed })).statuses('Hash Comparison')).toEqual([
      'skip',
    ])
    expect(
      (await verified('entropy_nist', {}, { expectedHash: claimed })).statuses('Hash Comparison'),
    ).toEqual(['skip'])
  })
})

describe('subject data', () => {
  it.each([
    ['an integer beyond 2^53', { 'metadata/pages': 2n ** 53n + 1n }, 'warn', 'cryptographic', '2^53'],
    ['a number that prints as such an integer', { 'metadata/pages': 1e20 }, 'warn', 'cryptographic', '2^53'],
    ['2^53 itself', { 'metadata/pages': 2 ** 53 }, undefined, '', ''],
    ['a number with an exponent', { 'metadata/pages': 1e21 }, undefined, '', ''],
    ['an unknown hash type', { hash_type: 'sha9' }, 'warn', 'data_integrity', 'sha9'],
    [
      'a hash type that every object has',
      { hash_type: 'constructor' },
      'warn',
      'data_integrity',
      'constructor',
    ],
    ['a hash of another type', { hash_type: 'md5' }, 'warn', 'data_integrity', 'md5'],
    [
      'a hash for which anybody makes two files',
      { hash_type: 'sha1', hash: 'ab'.repeat(20) },
      'warn',
      'data_integrity',
      'Two files with one sha1 digest can be made.',
    ],
    ['a claim of the future', { timestamp: '2027-01-01T00:02:31Z' }, 'warn', 'timing', 'future-dated claim'],
    ['a claim of the very moment', { timestamp: '2027-01-01t00:02:30z' }, undefined, '', ''],
    ['a claim of a week ago', { timestamp: '2026-12-25T00:02:30Z' }, undefined, '', ''],
    ['a claim of longer ago', { timestamp: '2026-12-25T01:02:29+01:00' }, 'warn', 'timing', 'stale claim'],
    ['a time nobody can read', { timestamp: 'yesterday' }, undefined, '', ''],
  ])('with %s', async (_, changes, status, category, words) => {
    const pointers = Object.entries(changes).map(
      ([place, value]) => [`/subject/claims/${place}`, value] as const,
    )
    const { rows } = await verified('item', Object.fromEntries(pointers))
    const added = rows('Subject Data').slice(3)
    const warned = added.filter((row) => row.status === 'warn')
    if (status === undefined) expect(warned).toEqual([])
    else expect(warned).toMatchObject([{ status, category, message: expect.stringContaining(words) }])
  })

  it('one row says what keeps the hash from being derived', async () => {
    const only = async (bundle: string, pointer: string, value: JsonValue | undefined) =>
      (await verified(bundle, { [pointer]: value })).rows('Subject Data')
    expect(await only('item', '/subject/claims', [])).toMatchObject([
      { status: 'fail', category: 'cryptographic' },
    ])
    expect(await only('entropy_nist', '/subject/entropy', 'x')).toMatchObject([{ category: 'cryptographic' }])
    expect(await only('item', '/subject/id', 5)).toMatchObject([
      { status: 'fail', category: 'data_integrity' },
    ])
    const kid = await only('item', '/subject/signing_key_id', '591F29FC')
    expect(kid).toMatchObject([{ status: 'fail', category: 'data_integrity' }])
    const compact = await verified('item', { '/s/mh': 'AB' }, { layout: 'compact' })
    expect(compact.rows('Subject Data')).toMatchObject([{ status: 'fail', category: 'cryptographic' }])
    expect(compact.statuses('Structure')).toEqual(['pass', 'fail'])
    const block = await verified('item', { '/b/mh': 'AB' }, { layout: 'compact' })
    expect(block.statuses('Block Hash')).toEqual(['fail'])
  })
})

describe('structure', () => {
  it('names every malformed field, wherever it is', async () => {
    const { rows } = await verified('item_block_path', {
      '/block_path/0/merkle_root': 'x',
      '/block_path/1/signing_key_id': 7,
      '/signing_key_event/block/previous_block_hash': '',
      '/signing_key_event/commitments/1/transaction_hash': 'AB',
      '/commitments/0/block_merkle_root': [],
      '/subject/metadata/witnesses/moon': null,
    })
    const row = rows('Structure')[1]
    expect(row).toMatchObject({ status: 'fail', category: 'structural' })
    for (const name of [
      'block_path[0].merkle_root',
      'block_path[1].signing_key_id',
      'signing_key_event.block.previous_block_hash',
      'signing_key_event.commitments[1].transaction_hash',
      'commitments[0].block_merkle_root',
      'subject.metadata.witnesses.moon',
    ])
      expect(row?.message).toContain(name)
  })
})

describe('the signature', () => {
  it.each([
    '2027-01-01T00:03:50.000Z',
    '2027-01-01T01:03:50+01:00',
    '2027-01-01T00:03:50z',
    '2027-01-01 00:03:50Z',
    ' 2027-01-01T00:03:50Z',
    '1969-12-31T23:59:59Z',
  ])('does not take the time %s for the one that was signed', async (time) => {
    const { report, statuses } = await verified('item', { '/generated_at': time })
    expect(statuses('Proof Signature')).toEqual(['fail'])
    expect(report.generated_at).toBe(time)
  })

  it('is checked once, by whom it is given to', async () => {
    const digests: Uint8Array[] = []
    const verifySignature = (_: Uint8Array, digest: Uint8Array) => digests.push(digest) > 0
    await verifyBundle(readBundleObject(knownDocument('item')), { keyrings: [knownKeyring], verifySignature })
    expect(digests).toEqual([fromHex(vectors.bundles.item?.digest_hex ?? '')])
  })
})

describe('witnesses', () => {
  it('a link that is missing, broken or of no blocks fails', async () => {
    for (const path of [undefined, null, 5, [], [5], [{}]]) {
      const { rows } = await verified('item_block_path', { '/block_path': path })
      expect(rows('Witnesses').filter(({ status }) => status === 'fail')).toHaveLength(1)
    }
  })

  it('one that is no map fails, and so does a list of them', async () => {
    expect(
      (await verified('item', { '/subject/witnesses/entropy_nist': 5 })).statuses('Witnesses'),
    ).toContain('fail')
    expect((await verified('item', { '/subject/witnesses': [] })).statuses('Witnesses')[0]).toBe('fail')
    expect((await verified('item', { '/subject/witnesses/entropy_nist': null })).report.passed).toBe(true)
  })

  it('one that was published after the item is odd', async () => {
    const earlier = { '/subject/id': '01MB78VTFGY7TZHKNWE7WA3Z57' }
    const { rows } = await verified('item', earlier)
    const late = rows('Witnesses').filter(({ status }) => status === 'warn')
    expect(late.map(({ message }) => message).join()).toContain('entropy_stellar')
    expect(late.map(({ message }) => message).join()).not.toContain('block')
  })

  it('one that does not match is not counted', async () => {
    const { rows } = await verified('item', { '/subject/witnesses/entropy_stellar/sequence': 1 })
    const after = rows('Submitted After').map(({ message }) => message)
    expect(after[3]).toContain('not counted')
    expect(after[4]).toContain('2027-01-01T00:02:00Z') // the next latest: the block
  })
})

describe('the key event', () => {
  const event = (changes: JsonObject) => verified('item', { '/signing_key_event': changes })
  it('fails in one row when it is none', async () => {
    for (const broken of [{}, { block: {} }, { block: { metadata: { key_event: { type: 'x' } } } }])
      expect((await event(broken)).statuses('Signing Key Event')).toEqual(['fail'])
    expect((await verified('item', { '/signing_key_event': 5 })).statuses('Signing Key Event')).toEqual([
      'fail',
    ])
  })

  it('ends where its block has no hash', async () => {
    const { statuses } = await verified('item', { '/signing_key_event/block/id': undefined })
    expect(statuses('Signing Key Event')).toEqual(['pass', 'pass', 'info', 'fail'])
  })

  it('has one row for a malformed commitment, and goes on', async () => {
    const { statuses } = await verified('item_block_path', {
      '/signing_key_event/commitments/0/chain': 'moon',
    })
    expect(statuses('Signing Key Event')).toEqual(['pass', 'pass', 'info', 'pass', 'fail', 'pass', 'skip'])
  })

  it('shows of the bytes of a Bitcoin entry only what speaks against it', async () => {
    const { statuses } = await verified('item_block_path', {
      '/signing_key_event/commitments/0/raw_transaction': '00',
    })
    expect(statuses('Signing Key Event')).toEqual([
      'pass',
      'pass',
      'info',
      'pass',
      'pass',
      'fail',
      'fail',
      'skip',
      'pass',
      'skip',
    ])
  })
})

describe('Bitcoin bytes', () => {
  it.each([
    ['none', { raw_transaction: null, txoutproof: null, block_merkle_root: null }, ['skip']],
    ['only a root', { raw_transaction: null, txoutproof: null }, ['skip', 'skip', 'skip']],
    ['no transaction', { raw_transaction: null }, ['skip', 'info', 'info', 'skip']],
    ['no proof', { txoutproof: null }, ['info', 'info', 'skip', 'skip']],
    ['no root', { block_merkle_root: null }, ['info', 'info', 'info', 'skip', 'skip']],
    ['no hash', { transaction_hash: null }, ['info', 'skip', 'skip', 'info', 'skip']],
    ['an undecodable transaction', { raw_transaction: 'zz' }, ['fail', 'fail', 'info', 'info', 'skip']],
    [
      'an undecodable one and no hash',
      { raw_transaction: 5, transaction_hash: null },
      ['fail', 'skip', 'skip', 'info', 'skip'],
    ],
    ['an undecodable proof', { txoutproof: '!' }, ['info', 'info', 'fail', 'skip']],
  ])('with %s', async (_, changes, expected) => {
    const pointers = Object.entries(changes).map(
      ([name, value]) => [`/commitments/0/${name}`, value] as const,
    )
    const { statuses } = await verified('item', Object.fromEntries(pointers))
    expect(statuses('Bitcoin Commitment')).toEqual(expected)
  })

  it.each(['mainnet', 'testnet'])('of regtest are not taken for those of %s', async (network) => {
    for (const changes of [{}, { '/commitments/0/transaction_hash': undefined }]) {
      const { report, statuses } = await verified('item', { '/commitments/0/network': network, ...changes })
      expect(statuses('Bitcoin Commitment')[2]).toBe('fail')
      expect(report.passed).toBe(false)
    }
    const compact = await verified('item', { '/cx/0/net': network }, { layout: 'compact' })
    expect(compact.statuses('Bitcoin Commitment')).toEqual(['info', 'info', 'fail', 'info', 'skip'])
    const event = await verified('item_block_path', {
      '/signing_key_event/commitments/0/network': network,
    })
    expect(event.statuses('Signing Key Event')).toContain('fail')
  })

  it('with a header that misses its own target do not agree', async () => {
    const [entry] = vectors.bundles.item?.published.commitments ?? []
    const proof = entry?.chain === 'bitcoin' ? entry.txoutproof : ''
    // The nonce is the last number of the header. 2 is the first that meets the target.
    const statusesWith = async (nonce: string) => {
      const txoutproof = `${proof.slice(0, 152)}${nonce}${proof.slice(160)}`
      return (await verified('item', { '/commitments/0/txoutproof': txoutproof })).statuses(
        'Bitcoin Commitment',
      )
    }
    expect(await statusesWith('02000000')).toEqual(['info', 'info', 'info', 'info', 'skip'])
    for (const nonce of ['00000000', '01000000'])
      expect(await statusesWith(nonce)).toEqual(['info', 'info', 'fail', 'info', 'skip'])
  })

  it('may be base64url as well', async () => {
    const [entry] = vectors.bundles.item?.published.commitments ?? []
    const carried = (name: 'raw_transaction' | 'txoutproof') =>
      entry?.chain === 'bitcoin' ? entry[name] : ''
    const inBase64Url = (hex: string) => Buffer.from(hex, 'hex').toString('base64url')
    const { statuses } = await verified('item', {
      '/commitments/0/raw_transaction': inBase64Url(carried('raw_transaction')),
      '/commitments/0/txoutproof': inBase64Url(carried('txoutproof')),
    })
    expect(statuses('Bitcoin Commitment')).toEqual(['info', 'info', 'info', 'info', 'skip'])
  })
})

describe('times', () => {
  it('an id without a time, or a time nobody can read, leaves them out', async () => {
    const { report, statuses } = await verified('item', {
      '/block/id': '01a2ce8e-9320-4630-bb7f-73edc8868b1d',
      '/subject/claims/timestamp': 5,
      '/commitments/0/timestamp': 'x',
      '/commitments/1/timestamp': null,
    })
    expect(report.temporal).toEqual({ submitted_at: '2027-01-01T00:02:30Z' })
    expect(statuses('Submission Window')).toEqual([])
    expect(statuses('Submitted Before')).toEqual(['info'])
  })

  it('a subject made after its block fails', async () => {
    const { statuses } = await verified('item', { '/subject/id': '01MB79W7FGY7TZHKNWE7WA3Z57' })
    expect(statuses('Submission Window')).toEqual(['fail'])
  })
})
