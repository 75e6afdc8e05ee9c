// The table of utilities. Routes, GraphQL queries, agent tools and documents are derived from it.
import { hashUtility } from './hash.ts'
import { jcsCanonicalizeUtility } from './jcs_canonicalize.ts'
import type { ReadAction } from './read_action.ts'
import { resolveIdUtility } from './resolve_id.ts'
import { serverTimeUtility } from './server_time.ts'
import { ulidTimestampUtility } from './ulid_timestamp.ts'
import { uuidv7TimestampUtility } from './uuidv7_timestamp.ts'
import { verifyHashUtility } from './verify_hash.ts'

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
