// What submissions weigh in units of work; the request they come with has one for itself.
import { MAX_CANONICAL_CLAIMS_BYTES } from '../../../shared/proof/claims.ts'

/** One that is as large as claims may be weighs one unit. */
const UNIT_BYTES = MAX_CANONICAL_CLAIMS_BYTES
const UNIT_ITEMS = 25

/** @param bytes of the canonical claims of all of them together */
export const submissionUnits = (items: number, bytes: number): number =>
  Math.max(1, Math.ceil(items / UNIT_ITEMS), Math.ceil(bytes / UNIT_BYTES))
