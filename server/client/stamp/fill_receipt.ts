// Puts the proof into a receipt, once the service has one: only what is valid and belongs to it, and the file is replaced in
// whole or stays as it was. Waits for it where one wants to.
import { realpath, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Surroundings, textOption, timeOption } from '../../../shared/cli/command.ts'
import { Complaint, codeOf, printable, wordsOf } from '../../../shared/cli/terminal.ts'
import { LARGEST_EVIDENCE_BYTES, writeEvidence } from '../../../shared/evidence/evidence.ts'
import type { EvidenceTrust } from '../../../shared/evidence/trust.ts'
import {
  checkReceipt,
  type Filling,
  filled,
  fillingOf,
  hasMore,
  UpgradeRefused,
} from '../../../shared/evidence/upgrade.ts'
import { ulidTime } from '../../../shared/proof/ids.ts'
import { pauseAfter } from '../ask/patience.ts'
import { isUntouched, piecesOf, replaceFile, statRegular } from '../files.ts'
import { readGiven } from '../given_proof.ts'
import { askFor, type NotYet, type ProofAnswer } from './ask_proof.ts'

export interface How {
  readonly trust: EvidenceTrust
  /** Asks and checks, and changes nothing. */
  readonly isDry?: boolean
  /** Asks about a file that has its proof, too: another public chain, or the proof of the log, may have come since. */
  readonly isAgain?: boolean
}

/** It has its valid proof already, and stays as it is. */
export interface Had {
  readonly kind: 'had'
  /** As the file names it. */
  readonly service: string
  /** Milliseconds since 1970. */
  readonly acceptedAt: number
}

/** `there`: it could be filled, and was not. */
export type FillOutcome = Had | { readonly kind: 'filled' | 'there' } | NotYet

/** How one waits for a proof. */
export interface Wait {
  /** When it is in a block the file stays as it is. */
  readonly until: 'block' | 'committed'
  /** Milliseconds since 1970. */
  readonly deadline: number
}

/** Whether what was waited for is there. */
export const isFilled = (tried: FillOutcome, wait?: Wait): boolean =>
  tried.kind !== 'not_yet' || (wait?.until === 'block' && tried.isInBlock)

/**
 * @param wait asks again and again. Without it there is one question.
 * @returns not yet also when the time is over
 * @throws Complaint, and the file is as it was then
 */
export async function fillReceipt(
  surroundings: Surroundings,
  file: string,
  how: How,
  wait?: Wait,
): Promise<FillOutcome> {
  try {
    const receipt = await readReceipt(surroundings, file, how)
    const { bundle, item } = receipt.evidence
    const had: Had = { kind: 'had', service: item.service, acceptedAt: ulidTime(item.id) }
    if (bundle !== undefined && how.isAgain !== true) return had
    const asked = await (wait === undefined
      ? askFor(surroundings, file, receipt.evidence)
      : askUntil(surroundings, receipt, wait))
    if (asked.kind === 'not_yet') return bundle === undefined ? asked : had
    const filling = await fillingOf(receipt.evidence, asked.answer, how.trust)
    if (bundle !== undefined && !hasMore(receipt.evidence, filling)) return had
    if (how.isDry === true) return { kind: 'there' }
    await fill(receipt, filling)
    return { kind: 'filled' }
  } catch (error) {
    throw error instanceof UpgradeRefused ? refusedWords(error) : error
  }
}

type Receipt = Awaited<ReturnType<typeof readReceipt>>

async function readReceipt({ terminal }: Surroundings, file: string, { trust }: How) {
  if (file === '-') throw new Complaint('What comes from standard input is no file that can be replaced.')
  // As it was before it was read.
  const found = await statRegular(file)
  const given = await readGiven(terminal, file)
  if (given.kind !== 'evidence') throw new Complaint('It is no receipt: there is nothing to put into it.')
  await checkReceipt(given.evidence, trust)
  return { file, found, evidence: given.evidence, manifest: given.manifest }
}

/** @throws Complaint for what does not pass, and for what did not pass in time */
async function askUntil(
  surroundings: Surroundings,
  { file, evidence }: Receipt,
  { until, deadline }: Wait,
): Promise<ProofAnswer> {
  const { terminal } = surroundings
  // Whom it asks is told once.
  const silent = { ...surroundings, terminal: { ...terminal, note: () => undefined } }
  for (let attempt = 1; ; attempt += 1) {
    const asked = await askFor(attempt === 1 ? surroundings : silent, file, evidence).catch(
      (error: unknown): NotYet => {
        const pauseMs = pauseAfter(error, attempt - 1)
        if (pauseMs === undefined || !(error instanceof Complaint) || Date.now() >= deadline) throw error
        return { kind: 'not_yet', why: error.message, isInBlock: false, retryAfterSeconds: pauseMs / 1_000 }
      },
    )
    const left = deadline - Date.now()
    if (asked.kind === 'answer' || (until === 'block' && asked.isInBlock) || left <= 0) return asked
    terminal.progress?.(printable(`${file}: ${asked.why}`))
    const seconds = Math.min(asked.retryAfterSeconds ?? USUAL_SECONDS, MOST_SECONDS[until])
    await sleep(Math.min(left, Math.max(1, seconds) * 1_000))
    terminal.progress?.('')
  }
}

const USUAL_SECONDS = 5
/** A service says when it expects a proof. It may be there earlier, and a block is. */
const MOST_SECONDS = { block: 3, committed: 60 } as const

const refusedWords = ({ reason, message }: UpgradeRefused): Complaint => {
  const { words, advice } = REFUSED[reason]
  return new Complaint(`${words} ${message}`, { exitCode: 1, advice })
}

const REFUSED: Readonly<
  Record<UpgradeRefused['reason'], { readonly words: string; readonly advice?: string }>
> = {
  receipt: { words: 'It is not valid, so nobody was asked.' },
  key: {
    words: 'Whose key is it?',
    advice: 'Name the keyring of the service that you trust: --keyring <its keyring file, or https address>',
  },
  answer: { words: 'The proof that was answered is not that of this receipt.' },
}

/** @throws Complaint when it was changed since it was read, would be too large or cannot be written; it stays as it is then */
async function fill({ file, found, evidence, manifest }: Receipt, filling: Filling): Promise<void> {
  const text = writeEvidence(filled((manifest?.header ?? evidence).document, filling))
  if (Buffer.byteLength(text) > LARGEST_EVIDENCE_BYTES)
    throw new Complaint(`With its proof it would be larger than ${LARGEST_EVIDENCE_BYTES / 1024} KiB.`, {
      exitCode: 1,
    })
  try {
    // A link stays a link: what it leads to is replaced.
    const path = await realpath(file)
    await replaceFile(path, manifest === undefined ? text : withFirstLine(text, path), {
      mode: Number(found.mode & 0o7777n),
      check: async () => {
        if (!isUntouched(found, await stat(path, { bigint: true })))
          throw new Complaint('It was changed while it was upgraded, and stays as it is now.')
      },
    })
  } catch (error) {
    if (error instanceof Complaint || codeOf(error) === undefined) throw error
    throw new Complaint(`It could not be written: ${wordsOf(error)}`)
  }
}

/** The lines of the file, with another first one. */
async function* withFirstLine(line: string, path: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(line)
  let isBehind = false
  for await (const bytes of piecesOf(path)) {
    const end = isBehind ? -1 : bytes.indexOf(LINE_FEED)
    if (isBehind) yield bytes
    else if (end >= 0) {
      isBehind = true
      yield bytes.subarray(end + 1)
    }
  }
}

const LINE_FEED = 0x0a

/** Undefined without `--wait`. @throws Complaint for what is no time or no stage */
export function waitOf({ values }: Surroundings): Wait | undefined {
  const until = textOption(values, 'until') ?? 'committed'
  if (until !== 'block' && until !== 'committed') throw new Complaint('--until is block or committed.')
  const most = timeOption(values, 'timeout') ?? USUAL_MS[until]
  if (values.wait === true) return { until, deadline: Date.now() + most }
  const lonely = ['until', 'timeout'].find((name) => values[name] !== undefined)
  if (lonely === undefined) return undefined
  throw new Complaint(`--${lonely} says how one waits, and nobody waits without --wait.`)
}

const USUAL_MS = { block: 180_000, committed: 10_800_000 } as const
