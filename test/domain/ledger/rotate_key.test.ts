// Keys follow each other as published: committed to beforehand, introduced by a block, used from then on.
import { afterEach, describe, expect, it } from 'vitest'
import { rewrapSecrets } from '../../../server/commands/key.ts'
import { auditLedger } from '../../../server/domain/ledger/audit/audit_ledger.ts'
import { makeGenesis } from '../../../server/domain/ledger/insert_block.ts'
import { recordObservation } from '../../../server/domain/ledger/observation.ts'
import {
  createSigner,
  rotateKey,
  type SigningKey,
  signingKeys,
} from '../../../server/domain/ledger/signing_key.ts'
import { Refusal } from '../../../server/kernel/refusal.ts'
import { masterKey as masterKeyOf, SealBroken } from '../../../server/kernel/sealed.ts'
import { genesisPreviousHash, prerotationCommitment } from '../../../shared/proof/composites.ts'
import { verifySignature } from '../../../shared/proof/ed25519.ts'
import { EMPTY_ROOT } from '../../../shared/proof/merkle.ts'
import { row, rows } from '../../support/rows.ts'
import { freshLedger } from '../../support/test_ledger.ts'
import { hold } from './until.ts'

interface BlockRow {
  id: string
  height: number
  metadata: string
  block_hash: Buffer
  merkle_root: Buffer
  previous_block_id: string
  previous_block_hash: Buffer
  signing_key_id: Buffer
  signature: Buffer
  leaf_count: number
}

const ledger = freshLedger()
const audited = async () => {
  const { store, masterKey } = ledger
  expect((await auditLedger({ em: store.em(), masterKey })).disagreements).toEqual([])
}
const keys = () => signingKeys(ledger.store.em())
const head = () => row<BlockRow>(ledger.store.em(), 'SELECT * FROM blocks ORDER BY height DESC LIMIT 1')
const rotate = (emergency: boolean) =>
  rotateKey({ em: ledger.store.em(), masterKey: ledger.masterKey }, { emergency })
const keyOfItem = async () => (await ledger.submit({}))[0]?.signingKeyId.toString('hex')
const eventOf = (key: SigningKey | undefined, type: string, next: SigningKey | undefined) => ({
  key_event: {
    key_id: key?.keyId.toString('hex'),
    prerotation_commitment: Buffer.from(prerotationCommitment(next?.publicKey ?? Buffer.alloc(32))).toString(
      'hex',
    ),
    public_key: key?.publicKey.toString('base64'),
    sequence: key?.sequence,
    type,
  },
})
const signedBy = async (key: SigningKey | undefined) => {
  const { block_hash, signature, signing_key_id } = await head()
  expect(signing_key_id).toEqual(key?.keyId)
  expect(verifySignature(key?.publicKey ?? Buffer.alloc(32), block_hash, signature)).toBe(true)
}

describe('genesis', () => {
  afterEach(audited)

  it('has no predecessor, no subjects, and introduces key 0 while it commits to key 1', async () => {
    const [key, next, ...more] = await keys()
    const genesis = await head()
    expect(more).toEqual([])
    expect(genesis).toMatchObject({ height: 0, previous_block_id: genesis.id, leaf_count: 0 })
    expect(genesis.previous_block_hash).toEqual(Buffer.from(genesisPreviousHash('pharos:genesis:v1')))
    expect(genesis.merkle_root).toEqual(Buffer.from(EMPTY_ROOT))
    expect(JSON.parse(genesis.metadata)).toEqual(eventOf(key, 'genesis', next))
    expect([key, next]).toMatchObject([
      { rotation: 'genesis', introducedAtHeight: 0 },
      { rotation: null, introducedAtHeight: null },
    ])
    await signedBy(key)
  })

  it('is made once, also by several servers that start at the same moment', async () => {
    const { store, masterKey, signer } = ledger
    expect(await makeGenesis({ em: store.em(), masterKey, signer })).toBe('exists')
    await rows(store.em(), 'TRUNCATE blocks, signing_keys, facts, log_tiles CASCADE')
    const made = await Promise.all(
      Array.from({ length: 4 }, () =>
        makeGenesis({ em: store.em(), masterKey, signer: createSigner({ masterKey }) }),
      ),
    )
    expect(made.toSorted()).toEqual(['exists', 'exists', 'exists', 'made'])
    expect(await row(store.em(), 'SELECT count(*)::int AS n FROM blocks')).toEqual({ n: 1 })
  })
})

describe('a rotation', () => {
  afterEach(audited)

  it.each([
    { emergency: false, type: 'rotation', signer: 0 },
    { emergency: true, type: 'emergency_rotation', signer: 1 },
  ])(
    '($type) happens in the next block, signed by key $signer, and everything made later uses key 1',
    async ({ emergency, type, signer }) => {
      const asked = await rotate(emergency)
      const [key0, key1, key2] = await keys()
      expect(asked).toMatchObject({ current: { sequence: 0 }, next: { sequence: 1, rotation: type } })
      expect(await keyOfItem()).toBe(key0?.keyId.toString('hex'))
      expect(await ledger.finalize()).toMatchObject({ outcome: 'finalized', leaves: 1 })
      expect(JSON.parse((await head()).metadata)).toEqual(eventOf(key1, type, key2))
      await signedBy([key0, key1][signer])
      expect((await keys())[1]?.introducedAtHeight).toBe(1)

      expect(await keyOfItem()).toBe(key1?.keyId.toString('hex'))
      await ledger.finalize()
      expect((await head()).metadata).toBe('{}')
      await signedBy(key1)
    },
  )

  it('is refused while another one waits for its block, and possible after it', async () => {
    await rotate(false)
    await expect(rotate(true)).rejects.toThrow(Refusal)
    await ledger.finalize()
    await rotate(true)
    await ledger.finalize()
    expect((await keys()).map(({ sequence, introducedAtHeight }) => [sequence, introducedAtHeight])).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
      [3, null],
    ])
  })

  it('leaves an item its key, however late the item is committed', async () => {
    const { store, signer } = ledger
    const late = await hold(store.em(), (tx) =>
      recordObservation({ em: tx, signer }, { source: 'entropy_nist', payload: { a: 1 }, publishedAt: null }),
    )
    const [item] = await ledger.submit({})
    await rotate(false)
    await ledger.finalize()
    await late.commit()
    await rotate(true)
    await ledger.finalize()
    const [key0] = await keys()
    expect(item?.signingKeyId).toEqual(key0?.keyId)
    const { key } = await row<{ key: Buffer }>(
      store.em(),
      'SELECT signing_key_id AS key FROM entropy_observations',
    )
    expect(key).toEqual(key0?.keyId)
  })

  it('that is rolled back with its block happens in the block that is made instead', async () => {
    await rotate(false)
    const { store } = ledger
    const stop = await hold(store.em(), (tx) =>
      rows(
        tx,
        `CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''stopped''; END';
                CREATE TRIGGER stop BEFORE INSERT ON blocks FOR EACH ROW EXECUTE FUNCTION stop()`,
      ),
    )
    await stop.commit()
    await expect(ledger.finalize()).rejects.toThrow('stopped')
    expect((await keys())[1]?.introducedAtHeight).toBeNull()
    await rows(store.em(), 'DROP TRIGGER stop ON blocks')
    await ledger.finalize()
    expect((await keys())[1]?.introducedAtHeight).toBe(1)
  })
})

describe('a new master key', () => {
  it('opens every signing key, and the old one none', async () => {
    const from = ledger.masterKey
    const to = masterKeyOf(Buffer.alloc(32, 9))
    const em = ledger.store.em()
    await rotate(false)
    expect((await rewrapSecrets({ em, from, to })).sealed?.get('signing_keys')).toBe(3)
    expect((await auditLedger({ em, masterKey: to })).disagreements).toEqual([])
    expect((await auditLedger({ em, masterKey: from })).disagreements).toMatchObject([
      { field: 'sealed_seed' },
    ])
    const digest = Buffer.alloc(32)
    for (const { keyId, publicKey } of await keys()) {
      const signature = await createSigner({ masterKey: to }).sign(em, keyId, digest)
      expect(verifySignature(publicKey, digest, signature)).toBe(true)
      await expect(createSigner({ masterKey: from }).sign(em, keyId, digest)).rejects.toMatchObject({
        code: 'master_key_changed',
      })
    }
  })

  it('is not put in the place of a key that is not in force', async () => {
    const em = ledger.store.em()
    const before = await rows(em, 'SELECT * FROM signing_keys ORDER BY sequence')
    const [wrong, to] = [masterKeyOf(Buffer.alloc(32, 8)), masterKeyOf(Buffer.alloc(32, 9))]
    await expect(rewrapSecrets({ em, from: wrong, to })).rejects.toMatchObject({ code: 'master_key_changed' })
    expect(await rows(em, 'SELECT * FROM signing_keys ORDER BY sequence')).toEqual(before)
  })

  it('is of no use to a seed that was copied into another key’s row', async () => {
    const em = ledger.store.em()
    await rows(
      em,
      `UPDATE signing_keys SET sealed_seed = other.sealed_seed FROM signing_keys other
                     WHERE signing_keys.sequence = 0 AND other.sequence = 1`,
    )
    const [key] = await keys()
    await expect(
      createSigner({ masterKey: ledger.masterKey }).sign(em, key?.keyId ?? Buffer.alloc(4), Buffer.alloc(32)),
    ).rejects.toThrow(SealBroken)
  })
})
