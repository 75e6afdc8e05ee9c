// A small ledger in which every kind of thing has happened once, for those who look at it as a whole.
import { deleteItem } from '../../../server/domain/ledger/change_item.ts'
import { submittedClaims } from '../../../server/domain/ledger/claims.ts'
import type { draftItem } from '../../../server/domain/ledger/item.ts'
import { recordObservation } from '../../../server/domain/ledger/observation.ts'
import { rotateKey } from '../../../server/domain/ledger/signing_key.ts'
import type { EntropyName } from '../../../shared/proof/entropy_names.ts'
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import type { TestLedger } from '../../support/ledger.ts'
import { redactItem, unredactItem } from '../../support/redaction.ts'
import { change } from '../../support/rows.ts'

/** Ids by what happened to them, and the height of the block they are in (null: waiting). */
export interface EveryKind {
  readonly items: Readonly<Record<string, Kept>>
  readonly tombstones: Readonly<Record<string, Kept>>
  readonly observations: Readonly<Record<string, Kept>>
  readonly heights: {
    readonly rotation: number
    readonly emergency: number
    readonly large: number
    readonly head: number
  }
}

export interface Kept {
  readonly id: string
  readonly height: number | null
}

/** More than a tile's 256, so that its tree has two levels of tiles. */
export const LARGE_BLOCK = 260

export const FULL_CLAIMS: JsonObject = {
  name: 'The whole “form” 😀',
  description: 'Everything that claims may hold, with characters of every size: é ‐ 😀.',
  hash: 'cd'.repeat(32),
  hash_type: 'sha256',
  url: 'https://example.com/a?b=c',
  timestamp: '2027-01-01T00:01:40Z',
  location: { latitude: -52.5, longitude: 1e-7 },
  metadata: { none: null, nested: [1, -0, 1e21, { b: true, a: '\u0000' }] },
}

export async function makeEveryKind(ledger: TestLedger): Promise<EveryKind> {
  const { store, userId, signer, masterKey } = ledger
  const em = store.em()
  const of = (id: string) => ({ id, userId })
  const submit = async (submission: Partial<Parameters<typeof draftItem>[0]> = {}): Promise<string> => {
    const [item] = await ledger.submit(submission)
    if (item === undefined) throw new Error('nothing was submitted')
    return item.id
  }
  const block = async (): Promise<number> => {
    const made = await ledger.finalize()
    if (made.outcome !== 'finalized') throw new Error(`no block: ${made.outcome}`)
    return made.height
  }
  const observe = async (source: EntropyName, payload: JsonObject): Promise<string> => {
    const made = await recordObservation({ em, signer }, { source, payload, publishedAt: new Date(0) })
    if (made.outcome !== 'recorded') throw new Error('the observation is known')
    return made.id
  }
  await block() // an empty one

  const nist = await observe('entropy_nist', {
    pulse: { chainIndex: 2, outputValue: 'AB'.repeat(64), pulseIndex: 7 },
  })
  const stellar = await observe('entropy_stellar', {
    closed_at: '2027-01-01T00:00:00Z',
    hash: 'ef'.repeat(32),
    sequence: 5,
  })
  const plain = await submit({})
  const full = await submit({
    claims: submittedClaims(FULL_CLAIMS),
    visibility: 'team',
    tags: ['a', 'b'],
    expiresAt: new Date('2099-01-01'),
  })
  const redacted = await submit({ claims: submittedClaims(FULL_CLAIMS) })
  const restored = await submit({ claims: submittedClaims(FULL_CLAIMS) })
  const deletedAfter = await submit({})
  const deletedBefore = await submit({})
  const redactedBefore = await submit({ claims: submittedClaims(FULL_CLAIMS) })
  await deleteItem(em, of(deletedBefore))
  await redactItem(em, of(redactedBefore))
  const mixed = await block()
  await redactItem(em, of(redacted))
  await redactItem(em, of(restored))
  await unredactItem(em, { ...of(restored), claims: submittedClaims(FULL_CLAIMS) })
  await deleteItem(em, of(deletedAfter))

  const acrossRotation = await submit({})
  await rotateKey({ em, masterKey }, { emergency: false })
  const rotation = await block()
  const afterRotation = await submit({})
  const bitcoin = await observe('entropy_bitcoin', {
    hash: '00'.repeat(32),
    height: 840_000,
    time: 1_713_571_767,
  })
  const later = await block()
  await rotateKey({ em, masterKey }, { emergency: true })
  const emergency = await block()
  const afterEmergency = await submit({})
  const last = await block()
  const many = await ledger.submit(...Array.from({ length: LARGE_BLOCK }, () => ({})))
  const large = await block()
  await deleteItem(em, of(many[10]?.id ?? ''))
  const head = await block()

  const waiting = await submit({ claims: submittedClaims(FULL_CLAIMS) })
  const waitingRedacted = await submit({ claims: submittedClaims(FULL_CLAIMS) })
  await redactItem(em, of(waitingRedacted))
  const waitingObservation = await observe('entropy_nist', { pulse: { chainIndex: 2, pulseIndex: 8 } })
  const waitingWitness = await submit({})
  await rotateKey({ em, masterKey }, { emergency: false })
  // What confirming a commitment will do.
  await change(em, `UPDATE blocks SET state = 'committed', committed_at = pharos_now() WHERE height = $1`, [
    mixed,
  ])

  return {
    items: {
      plain: { id: plain, height: mixed },
      full: { id: full, height: mixed },
      redacted: { id: redacted, height: mixed },
      restored: { id: restored, height: mixed },
      redactedBefore: { id: redactedBefore, height: mixed },
      acrossRotation: { id: acrossRotation, height: rotation },
      afterRotation: { id: afterRotation, height: later },
      afterEmergency: { id: afterEmergency, height: last },
      inLargeBlock: { id: many[259]?.id ?? '', height: large },
      waiting: { id: waiting, height: null },
      waitingWitness: { id: waitingWitness, height: null },
      waitingRedacted: { id: waitingRedacted, height: null },
    },
    tombstones: {
      deletedAfter: { id: deletedAfter, height: mixed },
      deletedFromLarge: { id: many[10]?.id ?? '', height: large },
      deletedBefore: { id: deletedBefore, height: null },
    },
    observations: {
      nist: { id: nist, height: mixed },
      stellar: { id: stellar, height: mixed },
      bitcoin: { id: bitcoin, height: later },
      waitingObservation: { id: waitingObservation, height: null },
    },
    heights: { rotation, emergency, large, head },
  }
}
