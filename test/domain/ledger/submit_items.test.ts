// What is submitted is recorded exactly: id, witnesses, hashes, signature and fact, or a refusal that names the member.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { submittedClaims } from '../../../server/domain/ledger/claims.ts'
import { draftItem } from '../../../server/domain/ledger/item.ts'
import { recordObservation } from '../../../server/domain/ledger/observation.ts'
import { publicKeyFromRaw } from '../../../server/domain/ledger/signing_key.ts'
import { submitItems } from '../../../server/domain/ledger/submit_items.ts'
import { Refusal } from '../../../server/kernel/refusal.ts'
import { canonicalTextHash, itemHash } from '../../../shared/proof/composites.ts'
import { verifySignature } from '../../../shared/proof/ed25519.ts'
import { isUlid, ulidTime } from '../../../shared/proof/ids.ts'
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import { claimsOf, openTestLedger, type TestLedger } from '../../support/ledger.ts'
import { row, rows } from '../../support/rows.ts'
import { FULL_CLAIMS } from './every_kind.ts'

interface Stored {
  id: string
  claims: string
  claims_hash: Buffer
  hash: string | null
  metadata: string
  metadata_hash: Buffer
  item_hash: Buffer
  signing_key_id: Buffer
  signature: Buffer
  state: string
  visibility: string
  tags: string[]
  display_name: string | null
  display_description: string | null
  block_id: string | null
  expires_ms: number | null
  inserted_ms: number
  updated_ms: number
}

describe('a submitted item', () => {
  let ledger: TestLedger
  beforeAll(async () => {
    ledger = await openTestLedger()
  })
  afterAll(() => ledger.close())
  const stored = (id: string) =>
    row<Stored>(
      ledger.store.em(),
      `SELECT *, unix_ms(expires_at) AS expires_ms, unix_ms(inserted_at) AS inserted_ms,
              unix_ms(updated_at) AS updated_ms FROM shown_items WHERE id = $1`,
      [id],
    )

  it('is stored with the hashes, the signature and the columns that follow from its claims', async () => {
    const expiresAt = new Date('2099-01-01T00:00:00.000Z')
    const [item] = await ledger.submit({
      claims: submittedClaims({ ...FULL_CLAIMS, url: null }),
      visibility: 'team',
      tags: ['b', 'a'],
      expiresAt,
    })
    const kept = await stored(item?.id ?? '')
    expect(isUlid(kept.id)).toBe(true)
    expect(JSON.parse(kept.claims)).not.toHaveProperty('url')
    expect(kept.claims_hash).toEqual(Buffer.from(canonicalTextHash('items_claims', kept.claims)))
    expect(kept.metadata_hash).toEqual(Buffer.from(canonicalTextHash('items_metadata', kept.metadata)))
    const parts = {
      claimsHash: kept.claims_hash,
      metadataHash: kept.metadata_hash,
      keyId: kept.signing_key_id,
    }
    expect(kept.item_hash).toEqual(Buffer.from(itemHash({ id: kept.id, ...parts })))
    const { public_key } = await row<{ public_key: Buffer }>(
      ledger.store.em(),
      'SELECT public_key FROM signing_keys WHERE key_id = $1 AND sequence = 0',
      [kept.signing_key_id],
    )
    expect(publicKeyFromRaw(public_key).asymmetricKeyType).toBe('ed25519')
    expect(verifySignature(public_key, kept.item_hash, kept.signature)).toBe(true)
    expect(kept).toMatchObject({
      hash: FULL_CLAIMS.hash,
      display_name: FULL_CLAIMS.name,
      display_description: FULL_CLAIMS.description,
      state: 'created',
      visibility: 'team',
      tags: ['b', 'a'],
      block_id: null,
      expires_ms: expiresAt.getTime(),
    })
    expect(kept.inserted_ms).toBe(ulidTime(kept.id))
    expect(kept.updated_ms).toBe(ulidTime(kept.id))
    expect(item).toMatchObject({
      metadata: kept.metadata,
      timeMs: ulidTime(kept.id),
      signature: kept.signature,
    })
  })

  it('is private, without tags and without an end, unless it says otherwise', async () => {
    const [item] = await ledger.submit({})
    expect(await stored(item?.id ?? '')).toMatchObject({ visibility: 'private', tags: [], expires_ms: null })
  })

  it('witnesses the head, and the newest observation of each source, finalized or not', async () => {
    const { store, signer } = ledger
    const em = store.em()
    const observe = (source: 'entropy_nist' | 'entropy_bitcoin', height: number) =>
      recordObservation({ em, signer }, { source, payload: { height }, publishedAt: null })
    const witnessesNow = async () => {
      const [item] = await ledger.submit({})
      return JSON.parse(item?.metadata ?? '').witnesses
    }
    const head = async () =>
      (
        await row<{ hash: string }>(
          em,
          `SELECT encode(block_hash, 'hex') AS hash FROM blocks ORDER BY height DESC LIMIT 1`,
        )
      ).hash
    const hashOf = (height: number) =>
      Buffer.from(canonicalTextHash('entropy', `{"height":${height}}`)).toString('hex')

    expect(await witnessesNow()).toEqual({ block: await head() })
    await observe('entropy_nist', 1)
    await observe('entropy_bitcoin', 2)
    expect(await witnessesNow()).toEqual({
      block: await head(),
      entropy_nist: hashOf(1),
      entropy_bitcoin: hashOf(2),
    })
    await ledger.finalize()
    await observe('entropy_nist', 3)
    expect(await witnessesNow()).toEqual({
      block: await head(),
      entropy_nist: hashOf(3),
      entropy_bitcoin: hashOf(2),
    })
    expect(await observe('entropy_nist', 1)).toEqual({ outcome: 'known' })
    expect(await witnessesNow()).toMatchObject({ entropy_nist: hashOf(3) })
  })

  it('is told of in one fact, which has everything but the claims', async () => {
    const [item] = await ledger.submit({
      claims: submittedClaims(FULL_CLAIMS),
      visibility: 'public',
      tags: ['x'],
    })
    const facts = await rows<{
      kind: string
      creator_id: string
      team_id: string
      visibility: string
      data: JsonObject
    }>(
      ledger.store.em(),
      'SELECT kind, creator_id, team_id, visibility, data FROM facts WHERE subject_id = $1',
      [item?.id],
    )
    expect(facts).toEqual([
      {
        kind: 'item.created',
        creator_id: ledger.userId,
        team_id: ledger.teamId,
        visibility: 'public',
        data: {
          id: item?.id,
          state: 'created',
          visibility: 'public',
          tags: ['x'],
          team_id: ledger.teamId,
          block_id: null,
          committed_at: null,
          redacted_at: null,
          claims_hash: Buffer.from(item?.draft.claimsHash ?? []).toString('hex'),
          metadata_hash: Buffer.from(item?.metadataHash ?? []).toString('hex'),
          item_hash: Buffer.from(item?.itemHash ?? []).toString('hex'),
          inserted_at: new Date(item?.timeMs ?? 0).toISOString(),
        },
      },
    ])
  })

  it('is refused alone when its end lies in the past; its neighbours are recorded', async () => {
    const { store, signer, userId: creatorId, teamId } = ledger
    const of = (name: string, expiresAt?: Date) =>
      draftItem({
        claims: submittedClaims(claimsOf(name)),
        creatorId,
        teamId,
        ...(expiresAt === undefined ? {} : { expiresAt }),
      })
    const outcomes = await submitItems({ em: store.em(), signer }, [
      of('one'),
      of('two', new Date(0)),
      of('three'),
    ])
    expect(
      outcomes.map((outcome) => ('item' in outcome ? 'recorded' : outcome.refusal.problems)),
    ).toMatchObject(['recorded', [{ code: 'invalid_attribute', path: ['expires_at'] }], 'recorded'])
    for (const outcome of outcomes)
      if ('item' in outcome) expect((await stored(outcome.item.id)).state).toBe('created')
  })

  it('of a group where nothing is accepted, or of no group, writes nothing', async () => {
    const { store, signer } = ledger
    const count = () => row(store.em(), 'SELECT count(*) FROM items')
    const before = await count()
    expect(await submitItems({ em: store.em(), signer }, [])).toEqual([])
    expect(await count()).toEqual(before)
  })
})

describe('what cannot be recorded is refused with the path of the member', () => {
  const problemsOf = (claims: JsonObject) => {
    try {
      draftItem({ claims: submittedClaims(claims), creatorId: 'c', teamId: 't' })
    } catch (error) {
      if (error instanceof Refusal)
        return error.problems.map(({ code, path, meta }) =>
          [code, path?.join('.'), meta?.reason].filter(Boolean).join(' '),
        )
      throw error
    }
    return []
  }
  const good = claimsOf('good')

  it.each<[string, JsonObject, string[]]>([
    ['nothing', {}, ['required claims.name required', 'required claims.hash required']],
    ['a null name', { ...good, name: null }, ['required claims.name required']],
    ['an empty name', { ...good, name: '' }, ['invalid_attribute claims.name too_short']],
    ['a long name', { ...good, name: '😀'.repeat(65) }, ['invalid_attribute claims.name too_long']],
    ['U+0000 in the name', { ...good, name: 'a\0' }, ['invalid_attribute claims.name nul_character']],
    [
      'an uppercase hash',
      { ...good, hash: 'AB'.repeat(32) },
      ['invalid_attribute claims.hash uppercase_hex'],
    ],
    [
      'a hash of another length',
      { ...good, hash: 'ab'.repeat(16) },
      ['invalid_attribute claims.hash wrong_length'],
    ],
    ['a hash without its type', { name: 'a', hash: 'ab'.repeat(32) }, ['required claims.hash_type required']],
    ['an unknown member', { ...good, colour: 'red' }, ['invalid_attribute claims.colour unknown_member']],
    [
      'half a location',
      { ...good, location: { latitude: 1 } },
      ['required claims.location.longitude required'],
    ],
    [
      'a large integer deep inside',
      { ...good, metadata: { a: [1, 2 ** 53] } },
      ['invalid_attribute claims.metadata.a.1 integer_out_of_range'],
    ],
    [
      'several things at once',
      { ...good, name: '', url: 'http://a' },
      ['invalid_attribute claims.name too_short', 'invalid_attribute claims.url not_https'],
    ],
  ])('%s', (_, claims, problems) => expect(problemsOf(claims)).toEqual(problems))

  it('claims whose canonical form is too large', () => {
    expect(problemsOf({ ...good, metadata: { a: 'é'.repeat(32_700) } })).toEqual([])
    expect(problemsOf({ ...good, metadata: { a: 'é'.repeat(32_768) } })).toEqual([
      'invalid_attribute claims too_large',
    ])
  })
})
