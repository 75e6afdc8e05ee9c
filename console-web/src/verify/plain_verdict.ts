// What the proof and the file come to together, in one sentence that needs no glossary.
import { dayAndTime } from '../ui/format.ts'
import { shownText } from '../ui/shown_text.tsx'
import type { Verified } from './read_proof.ts'

/** `warn`: not wrong, and not shown either. */
export type Tone = 'good' | 'warn' | 'bad'

type PlainVerdict = {
  readonly tone: Tone
  readonly sentence: string
  readonly proof: Part
  readonly file: Part
}

type Part = { readonly tone: Tone; readonly words: string }

export const plainVerdict = (verified: Verified): PlainVerdict => {
  const { fileName, proof } = verified
  const what = fileName === null ? nameless(proof.question?.kind) : shownText(fileName)
  const { tone, sentence, proof: words } = OUTCOMES[verified.judgement.verdict]
  const failed = verified.steps.filter(({ status }) => status === 'fail')
  if (tone === 'bad' && failed.every(({ group }) => OF_FILE.has(group)))
    return {
      tone,
      sentence:
        fileName === null ? 'This is another file’s proof.' : `${what} is not the file of this proof.`,
      proof: { tone: 'warn', words: 'Nothing wrong was found in it' },
      file: { tone, words: 'It is another one' },
    }
  return { tone, sentence: sentence(what, verified), proof: { tone, words }, file: fileWords(verified) }
}

const nameless = (kind = 'nothing'): string =>
  kind === 'nothing' ? 'What it is about' : `${kind === 'entry' ? 'Every' : 'The'} file of this proof`

/** The steps that compare the file. */
const OF_FILE: ReadonlySet<string> = new Set(['Hash Comparison', 'Digest'])

type Outcome = {
  readonly tone: Tone
  readonly sentence: (what: string, verified: Verified) => string
  /** What is said of the proof alone. */
  readonly proof: string
}

const WRONG: Outcome = {
  tone: 'bad',
  sentence: () => 'This proof does not hold: something in it was changed after it was signed, or is missing.',
  proof: 'It does not hold',
}

const OUTCOMES: Readonly<Record<Verified['judgement']['verdict'], Outcome>> = {
  valid: { tone: 'good', sentence: (what, verified) => `${what} ${existed(verified)}`, proof: 'It holds' },
  preserved: {
    tone: 'good',
    sentence: (what, verified) =>
      `${what} ${existed(verified)} That holds whatever becomes of the certificate.`,
    proof: 'It holds',
  },
  not_yet: {
    tone: 'warn',
    sentence: (what) =>
      `${what} was handed in, and is not on a public chain yet, as far as this proof knows.`,
    proof: 'Not complete yet',
  },
  not_asked: {
    tone: 'warn',
    sentence: () => 'It holds if the block has the Merkle root that stands below.',
    proof: 'The chain was not asked',
  },
  unsupported: {
    tone: 'warn',
    sentence: () => 'The signature fits, and nothing here shows that it was made at the time that it says.',
    proof: 'Its certificate is not trusted here',
  },
  key_open: {
    tone: 'warn',
    sentence: () => 'Everything fits, but nobody here knows whose key signed it.',
    proof: 'Its key is not known here',
  },
  invalid: WRONG,
  not_valid: WRONG,
}

const existed = ({ existedAt, existedInBlock }: Verified): string => {
  if (existedInBlock !== undefined) return `existed when ${existedInBlock} was made.`
  return existedAt === undefined ? 'is as it was signed.' : `existed on ${dayAndTime(existedAt)}.`
}

const fileWords = ({ proof, fileName }: Verified): Part => {
  if (proof.question === undefined) return { tone: 'warn', words: 'It is about none' }
  if (fileName === null) return { tone: 'warn', words: 'Not compared yet' }
  return { tone: 'good', words: 'It is the very one' }
}
