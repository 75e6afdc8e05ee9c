// The policy of the operator about our own log: its witnesses, whom to ask, and how many must have cosigned.
import {
  type LogPolicy,
  meetsQuorum,
  type PolicyWitness,
  readPolicy,
  writePolicy,
} from '../../../shared/log/log_policy.ts'
import { isSameKey, keyLabel, type VerifierKey, writeVerifierKey } from '../../../shared/log/verifier_key.ts'
import { bytesEqual } from '../../../shared/proof/bytes.ts'

export interface Witnessing {
  /** The key of our own log for which it was read. */
  readonly logKey: VerifierKey
  readonly policy: LogPolicy
  readonly witnesses: readonly Witness[]
  /** Those that can be asked, by their address. One address may answer for several keys. */
  readonly asked: readonly AskedWitness[]
}

export interface Witness {
  /** Its name in the policy. */
  readonly name: string
  readonly key: VerifierKey
  /** `name+id` of its key. */
  readonly label: string
}

export interface AskedWitness {
  /** The prefix of its addresses, without a slash at the end. */
  readonly prefix: string
  readonly witnesses: readonly Witness[]
}

/** @throws RangeError with the reason, when the policy cannot be used for the log with this key */
export function readWitnessing(bytes: Uint8Array, logKey: VerifierKey): Witnessing {
  const policy = readPolicy(bytes)
  if (!policy.logs.some(({ key }) => isSameKey(key, logKey) && bytesEqual(key.publicKey, logKey.publicKey)))
    throw new RangeError(`the policy has no line for our own log: log ${writeVerifierKey(logKey)}`)
  const asked = new Map<string, Witness[]>()
  for (const one of policy.witnesses) {
    if (one.url === undefined) continue
    const prefix = prefixOf(one.url)
    asked.set(prefix, [...(asked.get(prefix) ?? []), witnessOf(one)])
  }
  const names = new Set([...asked.values()].flat().map(({ name }) => name))
  if (!meetsQuorum(policy, names))
    throw new RangeError('the witnesses that have an address are too few for the quorum')
  return {
    logKey,
    policy,
    witnesses: policy.witnesses.map(witnessOf),
    asked: [...asked].map(([prefix, witnesses]) => ({ prefix, witnesses })),
  }
}

/** The policy as we show it: our own log, and no addresses of witnesses, because they may be internal ones. */
export function publishedPolicy(
  witnessing: Witnessing | undefined,
  log: { readonly key: VerifierKey; readonly url: string },
): Uint8Array {
  const { witnesses = [], groups = [], quorum } = witnessing?.policy ?? {}
  return writePolicy({
    logs: [log],
    witnesses: witnesses.map(({ name, key }) => ({ name, key })),
    groups,
    quorum,
  })
}

const witnessOf = ({ name, key }: PolicyWitness): Witness => ({ name, key, label: keyLabel(key) })

function prefixOf(address: string): string {
  const url = URL.parse(address)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new RangeError('the address of a witness is not an http or https address')
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new RangeError('the address of a witness has a user, a password, a query or a fragment')
  return url.href.replace(/\/+$/, '')
}
