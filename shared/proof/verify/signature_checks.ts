// The checks of the bundle's key and signature.
import { toHex } from '../bytes.ts'
import { instantMs } from '../instant.ts'
import { signedPayloadDigest, TYPE_CODES } from '../signed_payload.ts'
import { base64Bytes, hexBytes, shown, textOf } from './carried_values.ts'
import type { Examination } from './examination.ts'
import { type Finding, fail, pass } from './report.ts'

export function signingKey({ facts }: Examination): Finding[] {
  return facts.keyId === undefined
    ? [fail('The public key is not base64 of 32 bytes.')]
    : [pass(`The public key has the key id ${toHex(facts.keyId)}.`)]
}

export function proofSignature({ bundle, facts, verifySignature }: Examination): Finding[] {
  const { publicKey } = facts
  const signature = base64Bytes(bundle.signature, 64)
  const digest = signedDigest({ bundle, facts })
  if (publicKey === undefined || signature === undefined || digest === undefined)
    return [
      fail(
        'The signature cannot be checked: something it covers, the key or the signature itself is broken.',
      ),
    ]
  return verifySignature(publicKey, digest, signature)
    ? [
        pass(
          'The signature covers type, time, subject, block and epoch roots, and is that of the public key.',
        ),
      ]
    : [fail('The signature is not that of the public key over this bundle.')]
}

export function keyBinding({ bundle, facts, keyrings }: Examination): Finding[] {
  if (facts.keyId === undefined)
    return [fail('Without a public key there is nothing to look for in a keyring.')]
  const keyId = toHex(facts.keyId)
  const isItsOwn = (key: { key_id: string; public_key: string }): boolean =>
    key.key_id === keyId && key.public_key === bundle.publicKey
  const holders = keyrings.filter((keyring) => keyring.keys.some(isItsOwn))
  const holder = holders.find((keyring) => keyring.own === true) ?? holders[0]
  if (holder !== undefined) return [pass(`Key ${keyId} is in the keyring of ${nameOf(holder)}.`)]
  const rival = keyrings.find((keyring) => keyring.keys.some((key) => key.key_id === keyId))
  if (rival !== undefined)
    return [fail(`The keyring of ${nameOf(rival)} has another public key under the key id ${keyId}.`)]
  const missing = keyrings.filter((keyring) => keyring.unloaded === true).map(({ name }) => shown(name))
  const excuse = missing.length === 0 ? '' : ` These keyrings could not be loaded: ${missing.join(', ')}.`
  return [fail(`Key ${keyId} is not known here: it is in no keyring that is trusted.${excuse}`)]
}

function nameOf(keyring: { readonly name: string; readonly own?: true }): string {
  return keyring.own === true ? 'this service' : shown(keyring.name)
}

/** Undefined when a part of the payload is missing or malformed. */
function signedDigest({ bundle, facts }: Pick<Examination, 'bundle' | 'facts'>): Uint8Array | undefined {
  const { keyId, subjectHash, blockHash } = facts
  const generatedAtMs = signingTime(textOf(bundle.generatedAt))
  const epochRoots: Uint8Array[] = []
  for (const entry of bundle.commitments) {
    const root = hexBytes(entry.epochMerkleRoot, 32)
    if (root === undefined) return undefined
    epochRoots.push(root)
  }
  if (bundle.surplus.includes('commitments')) return undefined
  if (bundle.version !== 1 || epochRoots.length > MOST_COMMITMENTS || generatedAtMs === undefined)
    return undefined
  if (keyId === undefined || subjectHash === undefined || blockHash === undefined) return undefined
  const typeCode = TYPE_CODES[bundle.type]
  return signedPayloadDigest({ typeCode, keyId, generatedAtMs, subjectHash, blockHash, epochRoots })
}

/** The signed payload holds the number of commitments in 16 bits. */
const MOST_COMMITMENTS = 0xffff

/**
 * Accepts whole seconds in one spelling only, because any other spelling would be the same time in other
 * bytes.
 */
function signingTime(text: string | undefined): number | undefined {
  if (text === undefined || text.length !== 'YYYY-MM-DDTHH:MM:SSZ'.length) return undefined
  const ms = text.endsWith('Z') ? instantMs(text) : undefined
  return ms !== undefined && ms >= 0 ? ms : undefined
}
