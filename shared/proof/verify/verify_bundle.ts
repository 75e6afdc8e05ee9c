// Verifies a bundle: runs every check in order. Each check adds rows, and none stops the run.
import type { Carried } from '../bundle/bundle_parts.ts'
import type { ReadBundle } from '../bundle/read_bundle.ts'
import { verifySignature as ourVerifySignature } from '../ed25519.ts'
import type { Lookups } from '../lookups/lookup.ts'
import { integerOf, textOf } from './carried_values.ts'
import { answersOf, type Examination, type VerifySignature } from './examination.ts'
import { asksTheWorld, factsOf } from './facts.ts'
import type { NamedKeyring } from './keyring.ts'
import type { Report, Row, RowStatus } from './report.ts'
import { STEPS } from './steps.ts'
import { claimedHash, isSameHash } from './subject_checks.ts'
import { temporalOf } from './timing_checks.ts'

interface VerifyOptions {
  /** The expected digest of the item's content. Surrounding white space and case are ignored. */
  readonly expectedHash?: string | undefined
  readonly keyrings: readonly NamedKeyring[]
  /** When absent, nothing is looked up. */
  readonly lookups?: Lookups | undefined
  /** A faster Ed25519, which must be as strict as `verifySignature` of `ed25519.ts`. */
  readonly verifySignature?: VerifySignature | undefined
}

/** Never throws because of what a bundle holds: every problem is a row. */
export async function verifyBundle(
  read: ReadBundle,
  { expectedHash, keyrings, lookups, verifySignature = ourVerifySignature }: VerifyOptions,
): Promise<Report> {
  const normalized = expectedHash?.trim().toLowerCase()
  const temporal = temporalOf(read)
  const answers = await answersOf(read, lookups)
  const examination = {
    bundle: read,
    expectedHash: normalized,
    keyrings,
    verifySignature,
    temporal,
    ...answers,
  }
  const steps = rowsOf(examination)
  const count = (status: RowStatus): number => steps.filter((row) => row.status === status).length
  const id = shortText((read.subject ?? read.block).id)
  const claimed = read.type === 'item' ? claimedHash(read.subject) : undefined
  const failed = count('fail')
  return {
    id,
    source: read.type,
    subject_id: id,
    subject_type: read.type,
    proof_version: integerOf(read.version) ?? null,
    generated_at: shortText(read.generatedAt),
    passed: failed === 0,
    skipped_external: lookups === undefined,
    hash_provided: normalized ?? null,
    expected_hash_provided: normalized !== undefined,
    hash_matched: normalized !== undefined && claimed !== undefined && isSameHash(normalized, claimed),
    temporal,
    steps,
    pass_count: count('pass'),
    failed_count: failed,
    warn_count: count('warn'),
    skip_count: count('skip'),
    info_count: count('info'),
  }
}

/** Whether a verification with lookups would ask a public service. Such verifications use another budget. */
export function wouldLookUp(read: ReadBundle): boolean {
  return asksTheWorld(factsOf(read))
}

/** Null for a value that is not text, and for text longer than any id or time. */
function shortText(value: Carried): string | null {
  const text = textOf(value)
  return text === undefined || text.length > LONGEST_TEXT ? null : text
}

const LONGEST_TEXT = 64

function rowsOf(examination: Examination): Row[] {
  return STEPS.flatMap(({ group, category, findings }) =>
    findings(examination).map((finding) => ({
      group,
      category: finding.category ?? category,
      status: finding.status,
      message: finding.message,
    })),
  )
}
