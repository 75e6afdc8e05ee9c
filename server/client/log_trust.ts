// Whose checkpoints count: verifier keys and a policy, as they are named on the command line.
import type { LogTrust } from '../../shared/audit/checkpoint_audit.ts'
import { POLICY_CEILINGS, readPolicy } from '../../shared/log/log_policy.ts'
import { readVerifierKey, SIGNATURE_TYPES, type VerifierKey } from '../../shared/log/verifier_key.ts'
import { textOption, textOptions, type Values } from './command.ts'
import { Complaint } from './complaint.ts'
import { readInput } from './read_input.ts'

export const TRUST_OPTIONS = {
  key: { type: 'string', multiple: true },
  policy: { type: 'string' },
} as const

export const TRUST_HELP = `  --key <verifier key>    whose log it is, as its operator's "log key" prints it: name+id+key. May be repeated
  --policy <file>         logs and witnesses in the form of tlog-policy: the checkpoint must meet its quorum`

/** @throws Complaint for a key or a policy that cannot be read */
export async function logTrust(values: Values): Promise<LogTrust> {
  const keys = textOptions(values, 'key').map(logKey)
  const file = textOption(values, 'policy')
  if (file === undefined) return { keys, policy: undefined }
  const bytes = await readInput(file, POLICY_CEILINGS.bytes)
  try {
    return { keys, policy: readPolicy(bytes) }
  } catch (error) {
    if (error instanceof RangeError)
      throw new Complaint(`${file} is not a policy that can be read here: ${error.message}.`)
    throw error
  }
}

function logKey(text: string): VerifierKey {
  try {
    const key = readVerifierKey(text)
    if (key.type === SIGNATURE_TYPES.ed25519) return key
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  throw new Complaint(`${text} is not the verifier key of a log.`, {
    advice:
      'Its operator prints it: npm run -s pharos -- log key. It stands in a policy too, after the word log.',
  })
}
