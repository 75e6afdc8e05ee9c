// Has digests accepted by a service, as items of an account or by the door that is open to everybody, and checks its receipts.
import { Complaint } from '../../../shared/cli/terminal.ts'
import type { TreeEntry } from '../../../shared/evidence/digest_tree.ts'
import {
  type EvidenceItem,
  EvidenceRejected,
  type EvidenceTree,
  readEvidenceValue,
  receiptOf,
  shownDigest,
} from '../../../shared/evidence/evidence.ts'
import type { EvidenceTrust } from '../../../shared/evidence/trust.ts'
import { checkReceipt, UpgradeRefused } from '../../../shared/evidence/upgrade.ts'
import { bytesEqual, toHex } from '../../../shared/proof/bytes.ts'
import { memberAt } from '../../../shared/proof/json_value.ts'
import { type Service, ServiceRefused } from '../ask/ask_service.ts'
import { asItems, claimedBy, type Labels } from './as_items.ts'
import { postOnce, strange } from './ask_once.ts'

export interface Acceptor {
  readonly service: Service
  readonly trust: EvidenceTrust
  /** The file with the keys of the service. Undefined when they could not be remembered. */
  readonly keyring: string | undefined
  readonly labels: Labels
}

/** Without a credential it is what anybody may ask. */
export const isSignedIn = ({ credential }: Service): boolean => credential !== undefined

/** As many as a service takes in one request. */
export const mostAtOnce = (service: Service): number => (isSignedIn(service) ? 250 : 256)

/**
 * In the order of the entries. To an account the same entries with the same labels get the same items for a day.
 * @param files how many there are in each entry
 * @throws Complaint
 */
export async function acceptAll(
  { service, trust, labels }: Acceptor,
  entries: readonly TreeEntry[],
  files = 1,
): Promise<Accepted[]> {
  try {
    const accepted = isSignedIn(service)
      ? (await asItems(service, labels, entries, files)).map((item) => ({ item, trees: [] }))
      : await byDoor(service, entries)
    for (const [at, { item, trees }] of accepted.entries()) {
      const entry = entries[at]
      if (entry === undefined) throw new Error('An answer has no entry.')
      const digest = isSignedIn(service) ? claimedBy(entry) : entry
      await checkReceipt(readEvidenceValue(receiptOf({ digest, trees, item })), trust)
    }
    return accepted
  } catch (error) {
    if (error instanceof EvidenceRejected) throw strange(service, error.message)
    if (error instanceof UpgradeRefused)
      throw new Complaint(`${service.url.origin} sent a receipt that is not valid. ${error.message}`, {
        exitCode: 1,
      })
    throw error
  }
}

export interface Accepted {
  readonly item: EvidenceItem
  /** Of the service, from the entry upwards. Empty when the item is about the entry itself. */
  readonly trees: readonly EvidenceTree[]
}

/**
 * Without an account: the place of each entry in a round, in their order. It belongs to nobody then.
 * @throws Complaint, EvidenceRejected for what is no receipt
 */
async function byDoor(service: Service, entries: readonly TreeEntry[]): Promise<Accepted[]> {
  const digests = entries.map((entry) => ({
    ...shownDigest(entry),
    ...(entry.salt === undefined ? {} : { salt: toHex(entry.salt) }),
  }))
  const answer = await postOnce(service, '/stamp', { digests }).catch((error: unknown) => {
    if (error instanceof ServiceRefused && error.status === 404)
      throw new Complaint(`${service.url.origin} takes nothing without an account.`, {
        exitCode: 4,
        advice: service.signIn,
      })
    throw error
  })
  const receipts = memberAt(answer, 'evidence')
  if (!Array.isArray(receipts) || receipts.length !== entries.length)
    throw strange(service, 'it is about another number of digests')
  return entries.map((entry, at) => {
    const { digest, item, trees } = readEvidenceValue(receipts[at] ?? null)
    if (digest.type !== entry.type || !bytesEqual(digest.value, entry.value) || !isSameSalt(digest, entry))
      throw strange(service, 'it is about another digest')
    return { item, trees }
  })
}

const isSameSalt = (a: TreeEntry, b: TreeEntry): boolean =>
  a.salt === undefined || b.salt === undefined ? a.salt === b.salt : bytesEqual(a.salt, b.salt)
