// Reads a compact bundle: gives its members their published names. Hashes stand in place of the metadata
// maps.
import { ENTROPY_NAMES } from '../entropy_names.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json_value.ts'
import { type ProofType, TYPE_CODES } from '../signed_payload.ts'
import { carried } from './bundle_parts.ts'
import { COMPACT_BLOCK, COMPACT_CHAINS, COMPACT_SUBJECT, COMPACT_TOP } from './compact_names.ts'
import { renamedMembers } from './present_members.ts'

/**
 * Leaves out members with other names, so that a compact bundle cannot carry a published name. A part of the
 * wrong kind is passed on unchanged.
 */
export function publishedNames(compact: JsonObject): JsonObject {
  const document = renamedMembers(compact, Object.entries(COMPACT_TOP))
  const type = typeOfCode(document.type)
  delete document.type
  if (type !== undefined) document.type = type
  if (isJsonObject(document.subject)) {
    const data = carried(document.subject, 'd')
    document.subject = renamedMembers(document.subject, Object.entries(COMPACT_SUBJECT))
    if (data !== undefined) document.subject[type === 'item' ? 'claims' : 'entropy'] = data
  }
  if (isJsonObject(document.block))
    document.block = renamedMembers(document.block, Object.entries(COMPACT_BLOCK))
  if (Array.isArray(document.commitments)) document.commitments = document.commitments.map(publishedEntry)
  return document
}

function typeOfCode(code: JsonValue | undefined): ProofType | undefined {
  for (const type of PROOF_TYPES) if (TYPE_CODES[type] === code) return type
  return undefined
}

const PROOF_TYPES: readonly ProofType[] = ['block', 'beacon', 'item', ...ENTROPY_NAMES]

function publishedEntry(entry: JsonValue): JsonValue {
  if (!isJsonObject(entry)) return entry
  const code = carried(entry, 't')
  const kind = COMPACT_CHAINS.find((chain) => chain.code === code)
  return kind === undefined ? {} : { ...renamedMembers(entry, Object.entries(kind.names)), chain: kind.chain }
}
