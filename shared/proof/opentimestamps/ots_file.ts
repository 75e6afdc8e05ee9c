// Writes the proof of an item as an .ots file, which the ordinary OpenTimestamps client verifies.
import { readTransaction, transactionBytes } from '../bitcoin/transaction.ts'
import { readTxoutproof } from '../bitcoin/txoutproof.ts'
import type { ReadEntry } from '../bundle/bundle_parts.ts'
import type { ReadBundle } from '../bundle/read_bundle.ts'
import { bytesEqual, concatBytes, u8 } from '../bytes.ts'
import { isJsonObject } from '../json_value.ts'
import { hexOrBase64Url, integerOf } from '../verify/carried_values.ts'
import { blockSteps, claimsPath, fileDigest, itemSteps, merkleSteps } from './item_path.ts'
import { OTS_HASHES, OTS_HEAD } from './ots_format.ts'
import { NotExpressible, type TimestampPath } from './timestamp_path.ts'

/** An attestation names no network, so a file has the commitment of one: of the first in this list. */
export const BITCOIN_NETWORKS = ['mainnet', 'testnet', 'regtest'] as const
export type BitcoinNetwork = (typeof BITCOIN_NETWORKS)[number]

export type OtsFile = ReturnType<typeof otsFileOf>

export const OTS_CONTENT_TYPE = 'application/vnd.opentimestamps.ots'

/** Such as `pharos-item-<id>.ots`; of a network for trials `pharos-item-<id>.regtest.ots`. */
export const otsFileName = (id: string, network: BitcoinNetwork): string =>
  `pharos-item-${id}${network === 'mainnet' ? '' : `.${network}`}.ots`

/** @throws as `bitcoinTimestampOf` does */
export function otsFileOf(bundle: ReadBundle) {
  const { hashType, digest, bytes, ...attested } = bitcoinTimestampOf(bundle)
  return { ...attested, bytes: concatBytes(OTS_HEAD, u8(OTS_HASHES[hashType].tag), digest, bytes) }
}

/**
 * The timestamp alone, as a calendar answers it.
 * @param bundle of an item; it must have passed verification
 * @throws NotExpressible
 * @throws RangeError when the parts do not lead to a Bitcoin block, which verification would have found
 */
export function bitcoinTimestampOf({ subject, inclusionProof, block, commitments }: ReadBundle) {
  const claims = subject?.data
  if (subject === undefined || inclusionProof === undefined || !isJsonObject(claims))
    throw new NotExpressible('no_file_digest')
  const { hashType, bytes: digest } = fileDigest(claims)
  const path = merkleSteps(itemSteps(claimsPath(claims), subject), inclusionProof)
  const commitment = bitcoinCommitment(commitments)
  const { entry, network, height } = commitment
  bitcoinSteps(merkleSteps(blockSteps(path, block), entry.epochProof), commitment)
  return {
    /** What the timestamp begins with: the digest in the claims. */
    ...{ hashType, digest },
    /** Of the Bitcoin block that attests. */
    ...{ network, height },
    /** From the digest to the attestation. */
    operations: path.operations,
    bytes: path.attestedAt(height),
  }
}

/** Entries of other programs may lack members, and then lead nowhere. */
function bitcoinCommitment(entries: readonly ReadEntry[]) {
  for (const network of BITCOIN_NETWORKS)
    for (const entry of entries) {
      const { rawTransaction, txoutproof } = entry
      const height = integerOf(entry.blockHeight)
      if (entry.chain !== 'bitcoin' || entry.network !== network || height === undefined) continue
      if (typeof rawTransaction !== 'string' || typeof txoutproof !== 'string') continue
      return {
        ...{ entry, network, height },
        transaction: hexOrBase64Url(rawTransaction),
        txoutproof: hexOrBase64Url(txoutproof),
      }
    }
  throw new NotExpressible('no_bitcoin_commitment')
}

/** From the root of an epoch to the Merkle root of the Bitcoin block whose transaction carries it. */
function bitcoinSteps(
  path: TimestampPath,
  { transaction, txoutproof }: ReturnType<typeof bitcoinCommitment>,
): void {
  const hashed = transactionBytes(readTransaction(transaction))
  const root = path.message
  const place = placeIn(hashed, root)
  path
    .prepend(hashed.subarray(0, place))
    .append(hashed.subarray(place + root.length))
    .sha256()
    .sha256()
  const proof = readTxoutproof(txoutproof)
  for (const { side, hash } of proof.path)
    (side === 'left' ? path.prepend(hash) : path.append(hash)).sha256().sha256()
  if (!proof.isValid || !bytesEqual(path.message, proof.fields.merkleRoot))
    throw new RangeError('the transaction does not lead to the header')
}

/** Any place of the root in the transaction proves the same. */
function placeIn(bytes: Uint8Array, part: Uint8Array): number {
  for (let place = 0; place + part.length <= bytes.length; place++)
    if (bytesEqual(bytes.subarray(place, place + part.length), part)) return place
  throw new RangeError('the transaction does not carry the root of the epoch')
}
