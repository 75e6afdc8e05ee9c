// Has digests accepted without an account, by the door that is open to everybody. They belong to nobody then.
import { Complaint } from '../../../shared/cli/terminal.ts'
import type { TreeEntry } from '../../../shared/evidence/digest_tree.ts'
import {
  type EvidenceItem,
  type EvidenceTree,
  readEvidenceValue,
  shownDigest,
} from '../../../shared/evidence/evidence.ts'
import { bytesEqual, toHex } from '../../../shared/proof/bytes.ts'
import { memberAt } from '../../../shared/proof/json_value.ts'
import { type Service, ServiceRefused } from '../service/ask_service.ts'
import { postOnce, strange } from './ask_once.ts'

export interface Accepted {
  readonly item: EvidenceItem
  /** Of the service, from the entry upwards. Empty when the item is about the entry itself. */
  readonly trees: readonly EvidenceTree[]
}

/**
 * The place of each entry in a round, in their order.
 * @throws Complaint, EvidenceRejected for what is no receipt
 */
export async function byDoor(service: Service, entries: readonly TreeEntry[]): Promise<Accepted[]> {
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
