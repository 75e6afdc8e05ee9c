// Looks at the public log once: its checkpoint beside what was seen here before, then its newest blocks.
import { openCheckpoint } from '../../../shared/log/checkpoint.ts'
import { readVerifierKey } from '../../../shared/log/verifier_key.ts'
import { utf8 } from '../../../shared/proof/bytes.ts'
import { checkLog, type LogCheck } from '../log/check_log.ts'
import type { SeenLog } from '../log/seen_log.ts'
import type { LogFiles } from './log_files.ts'
import { type LogBlock, LogContradiction, newestBlocks } from './newest_blocks.ts'

export type LogLook =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'checked'
      readonly check: Extract<LogCheck, { kind: 'first' | 'consistent' }>
      /** The name and id of the key that signed. */
      readonly signer: string
      /** Newest first. Everything about them was computed here. */
      readonly blocks: readonly LogBlock[]
    }
  | { readonly kind: 'alarm'; readonly check: Extract<LogCheck, { kind: 'split' | 'strange' }> }
  | { readonly kind: 'contradiction'; readonly why: string }

const SHOWN_BLOCKS = 9

/** @throws ApiFailure when something could not be read */
export const lookAtLog = async (
  files: LogFiles,
  before: SeenLog | null,
  seenAt: string,
): Promise<LogLook> => {
  const check = await checkLog(files, before, seenAt)
  if (check.kind === 'none') return { kind: 'none' }
  if (check.kind === 'split' || check.kind === 'strange') return { kind: 'alarm', check }
  const key = readVerifierKey(check.seen.key)
  try {
    const blocks = await newestBlocks(files, openCheckpoint(utf8(check.seen.checkpoint), key), SHOWN_BLOCKS)
    return { kind: 'checked', check, signer: `${key.name}+${key.id.toString(16).padStart(8, '0')}`, blocks }
  } catch (error) {
    if (error instanceof LogContradiction) return { kind: 'contradiction', why: error.message }
    throw error
  }
}
