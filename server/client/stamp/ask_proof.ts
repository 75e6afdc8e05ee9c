// Asks the service that made an item for its proof: by the round that it stands in, or as its owner may.
import type { Surroundings } from '../../../shared/cli/command.ts'
import { isOwnComputer } from '../../../shared/cli/get_bytes.ts'
import { Complaint, printable } from '../../../shared/cli/terminal.ts'
import {
  type EvidenceFile,
  EvidenceRejected,
  LARGEST_EVIDENCE_BYTES,
} from '../../../shared/evidence/evidence.ts'
import {
  checkReceipt,
  readUpgradeAnswer,
  type UpgradeAnswer,
  UpgradeRefused,
} from '../../../shared/evidence/upgrade.ts'
import { carried } from '../../../shared/proof/bundle/bundle_parts.ts'
import { rethrown } from '../../../shared/proof/bytes.ts'
import { isJsonObject } from '../../../shared/proof/json_value.ts'
import { textOf } from '../../../shared/proof/verify/carried_values.ts'
import {
  answerFrom,
  ownService,
  readAnswer,
  type Service,
  ServiceRefused,
  signInAdvice,
} from '../ask/ask_service.ts'
import { generatedProof } from '../ask/fetched_proof.ts'
import { keyringsFor } from '../keyring.ts'

export type ProofAnswer = { readonly kind: 'answer'; readonly answer: UpgradeAnswer } | NotYet

export interface NotYet {
  readonly kind: 'not_yet'
  /** For people. */
  readonly why: string
  /** It is in a block, and what is missing is a public chain. */
  readonly isInBlock: boolean
  readonly retryAfterSeconds: number | undefined
}

/**
 * Asks the service that the evidence names for its proof.
 * @throws Complaint
 */
export async function askFor(
  surroundings: Surroundings,
  file: string,
  evidence: EvidenceFile,
): Promise<ProofAnswer> {
  const { item, trees } = evidence
  const url = addressOf(item.service)
  const own = await ownService(surroundings, url, () => isSignedAt(surroundings, url, evidence))
  const isOfRound = trees.length > 0
  const advice = signInAdvice(surroundings, url)
  if (own === undefined && !isOfRound)
    throw new Complaint(`The proof of this item is asked for with a credential of ${url.origin}.`, {
      exitCode: 4,
      advice,
    })
  if (own === undefined)
    surroundings.terminal.note(`Asking ${url.origin}, which ${printable(file)} names, without a credential.`)
  const ofRound = isOfRound ? await askRound(own ?? { url }, item) : undefined
  if (ofRound?.kind === 'answer') return ofRound
  if (own !== undefined) return askItem(own, item.id)
  if (ofRound?.kind === 'not_yet') return ofRound
  throw new Complaint(
    `${url.origin} has no round with this root, and the proof of the item is asked for with a credential.`,
    { exitCode: 4, advice },
  )
}

/** Whether it is of the service at this address, by the keys that are remembered of that. @throws Complaint */
async function isSignedAt(
  surroundings: Surroundings,
  { host }: URL,
  evidence: EvidenceFile,
): Promise<boolean> {
  const keyrings = (await keyringsFor({ ...surroundings, values: {} })).filter(({ name }) => name === host)
  try {
    await checkReceipt(evidence, { keyrings })
    return true
  } catch (error) {
    if (error instanceof UpgradeRefused) return false
    throw error
  }
}

/** @throws Complaint unless it is an https address, or one of this computer */
function addressOf(service: string): URL {
  const url = URL.canParse(service) ? new URL(service) : undefined
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isOwnComputer(url.hostname))
  if (url === undefined || !isSafe || url.username !== '' || url.password !== '')
    throw new Complaint(`It names ${printable(service)}, which is not asked: only https addresses are.`)
  return url
}

/**
 * Asks for the round with this root. Undefined when the service has none.
 * @throws Complaint
 */
async function askRound(
  service: Service,
  { claims }: EvidenceFile['item'],
): Promise<ProofAnswer | undefined> {
  const root = textOf(carried(claims, 'hash')) ?? ''
  const answer = await answerFrom(service, `/stamp/${root}`, {
    ceilings: { bytes: LARGEST_EVIDENCE_BYTES },
  })
  if (answer.status !== 200) {
    const refused = new ServiceRefused(answer, service)
    if (refused.status !== 404) throw refused
    // With a wait the round is there, and its proof is not; with a reason alone there will be none.
    if (refused.retryAfterSeconds !== undefined) return notYet(refused, refused.reason)
    if (refused.reason !== undefined) throw refused
    return undefined
  }
  const said = readAnswer(answer.bytes, service.url)
  const unread = ({ message }: EvidenceRejected) =>
    new Complaint(`${service.url.origin} answered something else than a proof: ${message}.`)
  return { kind: 'answer', answer: rethrown(() => readUpgradeAnswer(said), EvidenceRejected, unread) }
}

/** Asks for the proof of the item, as its owner may. @throws Complaint */
export async function askItem(service: Service, id: string): Promise<ProofAnswer> {
  try {
    const request = { id, type: 'item', format: 'json', layout: 'published' } as const
    const bundle = await generatedProof(service, request, (result) =>
      isJsonObject(result) ? result : undefined,
    )
    return { kind: 'answer', answer: { bundle, logProof: undefined } }
  } catch (error) {
    if (error instanceof ServiceRefused && isForNow(error)) return notYet(error, error.code)
    throw error
  }
}

/** Without a wait there will be no commitment. */
const isForNow = ({ code, retryAfterSeconds }: ServiceRefused): boolean =>
  code === 'subject_not_ready' || (code === 'no_external_commitments' && retryAfterSeconds !== undefined)

const notYet = ({ message, retryAfterSeconds }: ServiceRefused, reason: string | undefined): NotYet => ({
  kind: 'not_yet',
  why: `${message}${retryAfterSeconds === undefined ? '' : ` Try again in ${retryAfterSeconds} s.`}`,
  isInBlock: reason === 'no_external_commitments',
  retryAfterSeconds,
})
