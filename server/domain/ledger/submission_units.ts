// How many units of work a submission costs. The request itself costs one unit separately.
import { MAX_CANONICAL_CLAIMS_BYTES } from '../../../shared/proof/claims.ts'

/** Claims of the maximum size cost one unit. */
const UNIT_BYTES = MAX_CANONICAL_CLAIMS_BYTES
const UNIT_ITEMS = 25

/** @param bytes canonical claims of all items together, in UTF-8 bytes */
export const submissionUnits = (items: number, bytes: number): number =>
  Math.max(1, Math.ceil(items / UNIT_ITEMS), Math.ceil(bytes / UNIT_BYTES))
