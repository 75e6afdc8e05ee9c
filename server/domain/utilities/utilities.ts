// The table of utilities. Routes, GraphQL queries, agent tools and documents are derived from it.
import { hashUtility, verifyHashUtility } from './hash.ts'
import { ulidTimestampUtility, uuidv7TimestampUtility } from './id_timestamp.ts'
import { jcsCanonicalizeUtility } from './jcs_canonicalize.ts'
import type { ReadAction } from './read_action.ts'
import { resolveIdUtility } from './resolve_id.ts'
import { serverTimeUtility } from './server_time.ts'

/** Stateless, read-only, in the order documents list them. */
export const UTILITIES: readonly ReadAction[] = Object.freeze([
  hashUtility,
  verifyHashUtility,
  uuidv7TimestampUtility,
  ulidTimestampUtility,
  resolveIdUtility,
  jcsCanonicalizeUtility,
  serverTimeUtility,
])
