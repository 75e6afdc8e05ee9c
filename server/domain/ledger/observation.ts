// What a public source said at a moment, recorded like an item: hashed, signed, put in a block.
import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { ENTROPY_NAMES, type EntropyName } from '../../../shared/proof/entropy_names.ts'
import { Block } from './block.ts'

const [first = ENTROPY_NAMES[0], ...others] = ENTROPY_NAMES.toSorted()

/** In ascending order. */
export const ENTROPY_SOURCES = [first, ...others] as const
export type EntropySource = EntropyName

export const CAPTURE_METHODS = ['poll'] as const
export type CaptureMethod = (typeof CAPTURE_METHODS)[number]

/** `entropy` and `metadata` are canonical JSON text. */
export const Observation = defineEntity({
  name: 'Observation',
  tableName: 'entropy_observations',
  properties: {
    id: p.string().primary(),
    source: p.string().$type<EntropySource>(),
    state: p.string().$type<'created' | 'committed'>(),
    entropy: p.text(),
    entropyHash: p.blob(),
    metadata: p.text(),
    metadataHash: p.blob(),
    observationHash: p.blob(),
    signingKeyId: p.blob(),
    signature: p.blob(),
    captureMethod: p.string().$type<CaptureMethod>(),
    sourcePublishedAt: p.datetime(3).nullable(),
    block: () => p.manyToOne(Block).ref().nullable(),
    leafIndex: p.integer().nullable(),
    insertedAt: p.datetime(3),
  },
})

export type Observation = InferEntity<typeof Observation>
