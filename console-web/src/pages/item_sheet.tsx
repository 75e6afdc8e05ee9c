// The sheet for the printer of one item: its name and digest, its times, the transaction, and how to check it.
import { fileNameOf } from '../../../shared/verifier/read_any_bundle.ts'
import { isDevelopment } from '../commitments/commitment.ts'
import type { Item } from '../items/item.ts'
import { PrintSheet } from '../proofs/print_sheet.tsx'
import type { Carried } from '../proofs/use_way.ts'
import { keyringName, verifyCommand } from '../proofs/verifier_file.ts'
import { chainName } from '../proofs/way.ts'
import { count } from '../ui/format_count.ts'
import { utc } from '../ui/format_time.ts'

export const ItemSheet = ({ item, carried }: { item: Item; carried: Carried | null }) => (
  <PrintSheet
    kind="Timestamp"
    title={item.name ?? item.id}
    facts={factsOf(item, carried)}
    link={`${window.location.origin}/verify/item/${item.id}`}
    command={verifyCommand(fileNameOf({ id: item.id, type: 'item' }), keyringName(window.location.host))}
  />
)

const PRACTICE: [string, string] = [
  'Trial mode',
  'This proof is for practice: the development chain proves nothing to outsiders.',
]

const isPractice = (carried: Carried | null): boolean => {
  const confirmed = (carried?.commitments ?? []).filter(({ state }) => state === 'confirmed')
  return confirmed.length > 0 && confirmed.every(isDevelopment)
}

const factsOf = (item: Item, carried: Carried | null): [string, string][] => {
  const hashType = item.claims?.hash_type
  return [
    ...(item.digest === null
      ? []
      : [[typeof hashType === 'string' ? hashType : 'Digest', item.digest] satisfies [string, string]]),
    ['Handed in', `${utc(item.insertedAt)} UTC`],
    ...(carried === null || carried.height === null
      ? []
      : [
          [
            `Block ${count(carried.height)}`,
            carried.at === null ? (item.blockId ?? '') : `${utc(carried.at)} UTC`,
          ] satisfies [string, string],
        ]),
    ...(carried?.commitments ?? [])
      .filter(({ state }) => state === 'confirmed')
      .flatMap((one): [string, string][] => [
        [`On ${chainName(one)}`, one.confirmedAt === null ? 'confirmed' : `${utc(one.confirmedAt)} UTC`],
        ...(one.transactionHash === null
          ? []
          : [['Transaction', one.transactionHash] satisfies [string, string]]),
      ]),
    ...(isPractice(carried) ? [PRACTICE] : []),
    ['Item', item.id],
    ['Signed by key', item.keyId],
  ]
}
