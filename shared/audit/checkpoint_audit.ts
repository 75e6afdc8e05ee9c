// Checks a checkpoint: its form, the signature of its log, and the cosignatures that a policy asks for.
import { readSignedCheckpoint, type SignedCheckpoint, type TreeHead } from '../log/checkpoint.ts'
import { verifyCosignature } from '../log/cosignature.ts'
import { type LogPolicy, meetsQuorum } from '../log/log_policy.ts'
import { isSignedBy, type SignedNote, signatureBy } from '../log/signed_note.ts'
import { isSameKey, type VerifierKey } from '../log/verifier_key.ts'
import { type CopyFinding, fileFinding } from './copy_reader.ts'

/** Whose word counts. */
export interface LogTrust {
  /** Keys of logs, besides those of the policy. */
  readonly keys: readonly VerifierKey[]
  readonly policy: LogPolicy | undefined
}

export interface CheckedCheckpoint {
  readonly head: TreeHead
  readonly text: string
  /** The key of its log. Undefined when no key of a log is known, or none of them has signed. */
  readonly signer: VerifierKey | undefined
  /** Witnesses of the policy whose cosignatures hold, by their names there. */
  readonly cosigned: readonly string[]
  /** Signatures by keys that are not known here. They mean nothing. */
  readonly ignored: number
}

/** Yields what is wrong with it. Returns undefined when it is not a checkpoint. */
export function* auditCheckpoint(
  file: string,
  bytes: Uint8Array,
  { keys, policy }: LogTrust,
): Generator<CopyFinding, CheckedCheckpoint | undefined, undefined> {
  const read = readOrReason(bytes)
  if (typeof read === 'string') {
    yield fileFinding(file, 'a checkpoint', read)
    return undefined
  }
  const { note, ...head } = read
  const wrong = (field: string, expected: string): CopyFinding => ({ file, height: null, field, expected })
  const logKeys = [...keys, ...(policy?.logs ?? []).map(({ key }) => key)]
  let signer: VerifierKey | undefined
  for (const key of logKeys.filter((one) => hasSigned(note, one))) {
    if (isSignedBy(note, key)) signer = key
    else yield wrong(`the signature of ${key.name}`, 'one over this text')
  }
  if (signer === undefined && logKeys.length > 0)
    yield wrong('the signatures', `one by ${logKeys.map(({ name }) => name).join(' or ')}`)
  if (signer !== undefined && signer.name !== head.origin)
    yield wrong('the origin', `${signer.name}, whose key signed it`)
  const cosigned: string[] = []
  for (const { name, key } of (policy?.witnesses ?? []).filter((one) => hasSigned(note, one.key))) {
    const cosignature = signatureBy(note.signatures, key)
    if (cosignature !== undefined && verifyCosignature(key, note.text, cosignature) !== undefined)
      cosigned.push(name)
    else yield wrong(`the cosignature of ${key.name}`, 'one over this text')
  }
  if (policy !== undefined && !meetsQuorum(policy, new Set(cosigned)))
    yield wrong('the cosignatures', `the quorum of the policy: ${policy.quorum ?? 'none'}`)
  const known = [...logKeys, ...(policy?.witnesses ?? []).map(({ key }) => key)]
  const ignored = note.signatures.filter((one) => !known.some((key) => isSameKey(one, key))).length
  return { head, text: note.text, signer, cosigned, ignored }
}

const hasSigned = (note: SignedNote, key: VerifierKey): boolean =>
  signatureBy(note.signatures, key) !== undefined

function readOrReason(bytes: Uint8Array): SignedCheckpoint | string {
  try {
    return readSignedCheckpoint(bytes)
  } catch (error) {
    if (error instanceof RangeError) return error.message
    throw error
  }
}
