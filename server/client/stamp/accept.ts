// Has digests accepted by a service, and checks its receipts.
import { Complaint } from '../../../shared/cli/terminal.ts'
import type { TreeEntry } from '../../../shared/evidence/digest_tree.ts'
import { EvidenceRejected, readEvidenceValue, receiptOf } from '../../../shared/evidence/evidence.ts'
import type { EvidenceTrust } from '../../../shared/evidence/trust.ts'
import { checkReceipt, UpgradeRefused } from '../../../shared/evidence/upgrade.ts'
import type { Service } from '../service/ask_service.ts'
import { asItems, claimedBy, type Labels } from './as_items.ts'
import { strange } from './ask_once.ts'
import { type Accepted, byDoor } from './by_door.ts'

export interface Acceptor {
  readonly service: Service
  readonly trust: EvidenceTrust
  /** The file with the keys of the service. Undefined when they could not be remembered. */
  readonly keyring: string | undefined
  readonly labels: Labels
}

/** Without a credential it is what anybody may ask. */
export const isSignedIn = ({ headers }: Service): boolean => headers.authorization !== undefined

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
      ? (await asItems(service, labels, { entries, files })).map((item) => ({ item, trees: [] }))
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
