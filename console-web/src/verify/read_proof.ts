// What every kind of proof is to the verifier: what a file is compared with, how it is verified, and what comes of it.
import type { EvidenceFile } from '../../../shared/evidence/evidence.ts'
import type { EvidenceVerdict } from '../../../shared/evidence/verify_evidence.ts'
import type { OtsVerdict } from '../../../shared/evidence/verify_ots.ts'
import type { TimeStampVerdict } from '../../../shared/evidence/verify_time_stamp.ts'
import { hexOrUndefined, toHex } from '../../../shared/proof/bytes.ts'
import { type HashType, isHashType } from '../../../shared/proof/claims.ts'
import { utcSeconds } from '../../../shared/proof/verify/carried_values.ts'
import type { NamedKeyring } from '../../../shared/proof/verify/keyring.ts'
import type { Row } from '../../../shared/proof/verify/report.ts'
import { namedTimes } from '../../../shared/verifier/report_summary.ts'
import { type Judgement, shownTime, type Verdict } from '../../../shared/verifier/verdict.ts'
import { dayAndTime } from '../ui/format.ts'

export type GivenProof =
  | { readonly kind: 'reading'; readonly name: string; readonly entries: number }
  | { readonly kind: 'unreadable'; readonly name: string; readonly why: string }
  | ReadProof

export type ReadProof = {
  readonly kind: 'read'
  readonly name: string
  /** Undefined for a proof that is about no file at all, such as one of a block. */
  readonly question: FileQuestion | undefined
  /** In this browser, and asks nobody. @throws the reason of the signal */
  readonly verify: (given: Given) => Promise<Findings>
  /** It is evidence of the token of a time stamp. */
  readonly ofToken?: EvidenceFile | undefined
  /** A time stamp has no such evidence yet. Both are one proof together. */
  readonly withEvidence?: ((evidence: EvidenceFile) => ReadProof) | undefined
}

/** What a file can be compared with. */
export type FileQuestion =
  | {
      readonly kind: 'digest'
      readonly types: readonly [HashType]
      readonly hex: string
      readonly whose: string
    }
  /** Of a manifest: the types of all its entries. */
  | { readonly kind: 'entry'; readonly types: readonly HashType[]; readonly entries: number }
  | { readonly kind: 'nothing'; readonly why: string }

/** A digest of the file at hand. One that the person entered may be of any type, and no digest at all. */
type GivenDigest = { readonly type?: HashType; readonly hex: string }

export type Given = {
  readonly keyrings: readonly NamedKeyring[]
  /** For a manifest one of each type in it; otherwise the first counts. */
  readonly digests: readonly GivenDigest[]
  /** Of Bitcoin blocks by their heights, as the person entered them. */
  readonly merkleRoots: ReadonlyMap<number, string>
  /** Of the service that served this page: whether it commits to a development chain only. */
  readonly isTrial: boolean
  readonly signal: AbortSignal
}

export type Findings = {
  readonly judgement: Judgement<Verdict | EvidenceVerdict | OtsVerdict | TimeStampVerdict>
  readonly steps: readonly Row[]
  /** What the verifier prints with --json. */
  readonly document: object
  /** What it states. What is not valid, or signed by nobody known, states nothing. */
  readonly facts: readonly Fact[]
  /** When what it is about existed, ISO 8601, or what the first block that says so is called. Only if it is valid. */
  readonly existedAt?: string | undefined
  readonly existedInBlock?: string | undefined
  /** Where keyrings say whose word counts: which key it names. */
  readonly signedBy?: { readonly keyId: string | undefined }
  /** The digest of a file that an item claims. */
  readonly claimedHash?: { readonly type: HashType; readonly hex: string } | undefined
  /** What the Bitcoin blocks that it names are called, by their heights. */
  readonly bitcoinBlocks?: ReadonlyMap<number, string>
}

export type Fact = {
  /** Foreign text, as the value and the title. */
  readonly name: string
  readonly value: string
  /** What people call it. */
  readonly title?: string | undefined
  /** Its page in the console. */
  readonly path?: string | null
  /** An id or a digest, which needs a line of its own. */
  readonly isWide?: boolean
}

export type Verified = Findings & {
  readonly proof: ReadProof
  /** Of the file that was compared. Null when none was. */
  readonly fileName: string | null
}

export const questionOf = (type: string, digest: Uint8Array): FileQuestion =>
  isHashType(type)
    ? { kind: 'digest', types: [type], hex: toHex(digest), whose: 'The proof is about' }
    : NOTHING

export const NOTHING: FileQuestion = {
  kind: 'nothing',
  why: 'This is about no digest that a file can be compared with here.',
}

/** What is no hex is the digest of no file. */
export const bytesOf = ({ hex }: GivenDigest): Uint8Array =>
  hexOrUndefined(hex.trim().toLowerCase()) ?? new Uint8Array()

export const firstOf = ([digest]: Given['digests']): Uint8Array | undefined => digest && bytesOf(digest)

export const timesOf = (...of: Parameters<typeof namedTimes>): readonly Fact[] =>
  namedTimes(...of).map(({ name, time }) => ({ name, value: shownTime(time) }))

/** In sentences. What is listed has it as the records do. */
export const sayTime = (time: string): string => dayAndTime(time, true)

export const readableTime = (ms: number): string => shownTime(utcSeconds(ms) ?? 'at no readable time')

/**
 * The console page of the subject of a proof. Null when there is none. A beacon's page is found by its hash, which the proof does
 * not carry under that name.
 */
export const subjectPath = (type: string, id: string | null): string | null => {
  if (id === null || !/^[0-9A-Za-z-]{26,36}$/.test(id)) return null
  if (type === 'item') return `/items/${id}`
  if (type === 'block' || type === 'beacon') return `/blocks/${id}`
  return type.startsWith('entropy_') ? `/entropy/${id}` : null
}
