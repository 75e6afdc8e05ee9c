// Checks in this browser that the public log continues what it showed here before, and remembers that.
import { openCheckpoint, readSignedCheckpoint } from '../../../shared/log/checkpoint.ts'
import { readPolicy } from '../../../shared/log/log_policy.ts'
import { isSignedBy, readHashLines } from '../../../shared/log/signed_note.ts'
import { compareCheckpoints } from '../../../shared/log/tree_proofs.ts'
import { readVerifierKey, type VerifierKey, writeVerifierKey } from '../../../shared/log/verifier_key.ts'
import { readOrUndefined, utf8 } from '../../../shared/proof/bytes.ts'
import type { Api } from '../data/api_client.ts'
import { ApiFailure, unreadable } from '../data/api_failure.ts'
import { drop, keepJson, keptJson } from '../data/kept/browser_storage.ts'
import { shape, text } from '../data/shape.ts'

/** What this browser remembers of the log of its server: the key, and the last checkpoint that held. */
const readSeen = shape({
  /** The verifier key. It is believed at first sight. */
  key: text,
  /** The note, as it was shown. */
  checkpoint: text,
  /** ISO 8601. */
  seenAt: text,
})

export type SeenLog = ReturnType<typeof readSeen>

const NAME = 'pharos.log'

/** Null before the first visit, and where the browser keeps nothing. */
export const readSeenLog = (): SeenLog | null => keptJson('device', NAME, readSeen)

export const keepSeenLog = ({ key, checkpoint, seenAt }: SeenLog): void =>
  keepJson('device', NAME, { key, checkpoint, seen_at: seenAt })

export const dropSeenLog = (): void => drop('device', NAME)

export type LogCheck =
  /** There is no checkpoint that may be shown yet. */
  | { readonly kind: 'none' }
  | { readonly kind: 'first' | 'consistent'; readonly size: number; readonly seen: SeenLog }
  /** Two signed checkpoints of which neither continues the other. */
  | { readonly kind: 'split'; readonly before: SeenLog; readonly now: string }
  /** What is shown cannot be compared: it is not signed by the key, or it is of a log of another name. */
  | { readonly kind: 'strange'; readonly why: string; readonly before: SeenLog | null; readonly now: string }

/** @throws ApiFailure when the log cannot be read */
export const checkLog = async (
  { text }: Pick<Api, 'text'>,
  before: SeenLog | null,
  seenAt: string,
): Promise<LogCheck> => {
  const now = await textOrNull(text('/log/checkpoint'))
  if (now === null) return { kind: 'none' }
  const shown = readable(() => readSignedCheckpoint(utf8(now)))
  const remembered = before === null ? null : readable(() => rememberedIn(before))
  const key = remembered?.key ?? (await namedKey(text, shown.origin))
  const strange = (why: string): LogCheck => ({ kind: 'strange', why, before, now })
  if (key === null) return strange('Its policy names no key for it.')
  if (shown.origin !== key.name)
    return strange(`It goes under the name ${shown.origin} now, not ${key.name}.`)
  if (!isSignedBy(shown.note, key)) return strange('It has no valid signature of the key remembered here.')
  const seen: SeenLog = { key: writeVerifierKey(key), checkpoint: now, seenAt }
  if (before === null || remembered === null) return { kind: 'first', size: shown.size, seen }
  const ask = async (oldSize: number, newSize: number) => {
    const proof = await text(`/log/consistency/${oldSize}/${newSize}`)
    return readable(() => readHashLines(proof.split('\n').slice(0, -1)))
  }
  const comparison = await compareCheckpoints(remembered.checkpoint, shown, ask)
  if (comparison === 'open') throw unreadable('a proof of its log')
  if (comparison === 'split') return { kind: 'split', before, now }
  // An older checkpoint that fits takes the place of nothing.
  return { kind: 'consistent', size: shown.size, seen: comparison === 'older' ? before : seen }
}

/** @throws RangeError when what is stored is not what was stored: nothing may be concluded from it */
const rememberedIn = ({ key: text, checkpoint }: SeenLog) => {
  const key = readVerifierKey(text)
  return { key, checkpoint: openCheckpoint(utf8(checkpoint), key) }
}

/** The key that the policy of the log names for it. */
export const namedKey = async (text: Api['text'], origin: string): Promise<VerifierKey | null> => {
  const policy = utf8(await text('/log/policy'))
  const logs = readable(() => readPolicy(policy)).logs.map(({ key }) => key)
  return logs.find(({ name }) => name === origin) ?? null
}

/** Null while the log has nothing of the kind. */
export const textOrNull = async (asked: Promise<string>): Promise<string | null> => {
  try {
    return await asked
  } catch (error) {
    if (error instanceof ApiFailure && error.kind === 'not_found') return null
    throw error
  }
}

const readable = <T>(read: () => T): T => {
  const found = readOrUndefined(read)
  if (found === undefined) throw unreadable('something of its log')
  return found
}
