// What the service depends on, in sentences, asked for again each minute. Another part of the page shows that the service is
// unreachable.
import './outside.css'
import { Link } from 'wouter'
import { ENTROPY_WORDS, isEntropyName } from '../../../shared/proof/entropy_names.ts'
import { capital, dayAndTime, plural } from '../ui/format.ts'
import { type ChainStanding, isForTrials, type Outside, useOutside } from './readiness.ts'

type OutsideWorldProps = {
  /** Only what needs attention or matters to a person who relies on it. The page of the connection tells the rest. */
  readonly isShort?: boolean
}

export const OutsideWorld = ({ isShort = false }: OutsideWorldProps) => {
  const outside = useOutside(freshMs)
  if (outside === null) return null
  const lines = outsideLines(outside).filter(({ tone }) => !isShort || tone !== 'well')
  return (
    <ul
      className={isShort ? 'outside outside-line' : 'outside'}
      aria-label="The outside world"
      data-testid="outside"
    >
      {lines.map(({ tone, words }) => (
        <li key={words} data-tone={tone}>
          {words}
        </li>
      ))}
      {isShort && (
        <li>
          <Link to="/connection">
            {lines.length === 0 ? 'All outside services answer' : 'All outside services'}
          </Link>
        </li>
      )}
    </ul>
  )
}

const freshMs = (): number => 60_000

/** `note`: nothing is broken, but it matters to a person who relies on it. */
type Tone = 'well' | 'note' | 'failing'
type Line = { readonly tone: Tone; readonly words: string }

const line = (tone: Tone, words: string): Line => ({ tone, words })

export const outsideLines = ({ sources, chains, witnesses }: Outside): readonly Line[] => [
  ...sourceLines(sources),
  ...(chains.length === 0 ? [NO_CHAIN] : chains.flatMap(chainLines)),
  ...witnessLines(witnesses),
]

const NO_CHAIN = line(
  'note',
  'No public chain is in use: blocks are linked and signed, but not proven to outsiders.',
)

const sourceLines = (sources: Outside['sources']): readonly Line[] => {
  if (sources.length === 0) return [line('note', 'No public source of entropy is in use.')]
  const failing = Object.groupBy(
    sources.filter(({ state }) => state === 'failing'),
    failureOf,
  )
  const others = sources.filter(({ state }) => state === 'answering').map(nameOf)
  const asked = sources.filter(({ state }) => state === 'waiting').map(nameOf)
  return [
    ...Object.entries(failing).map(([failure, group = []]) => failingLine(group.map(nameOf), failure)),
    ...(others.length === 0 ? [] : [line('well', `Entropy from ${LIST.format(others)}.`)]),
    ...(asked.length === 0 ? [] : [line('well', `Asking ${LIST.format(asked)} for the first time.`)]),
  ]
}

type Source = Outside['sources'][number]

/** Sources that fail in one way since one minute are told of together: mostly this server cannot reach any. */
const failureOf = ({ failure, failingSince }: Source): string => {
  const since = failingSince === null ? '' : ` since ${dayAndTime(failingSince)}`
  return `${FAILURES.get(failure ?? '') ?? 'failed'}${since}`
}

const failingLine = (names: readonly string[], failure: string): Line => {
  const [has, them] = names.length === 1 ? ['has', 'it'] : ['have', 'them']
  return line('failing', `${capital(LIST.format(names))} ${has} ${failure}. Blocks go on without ${them}.`)
}

const chainLines = (chain: ChainStanding): readonly Line[] => {
  const { error, waiting, waitingSince, confirmedAt } = chain
  const name = chain.network === null ? chain.chain : `${chain.chain} ${chain.network}`
  const epochs = plural(waiting, 'epoch has waited', 'epochs have waited')
  const since = waitingSince === null ? '' : ` ${epochs} since ${dayAndTime(waitingSince)}.`
  const last = confirmedAt === null ? '' : `, last confirmed on ${dayAndTime(confirmedAt)}`
  const broken =
    error === null ? [] : [line('failing', `Committing to ${name} does not work: ${error}.${since}`)]
  // Said whether the chain works or not, because proofs on a development chain convince no outsider.
  if (isForTrials(chain)) return [...broken, line('note', `Commits to ${name}, ${DEVELOPMENT}`)]
  return error === null ? [line('well', `Commits to ${name}${last}.`)] : broken
}

const witnessLines = (witnesses: Outside['witnesses']): readonly Line[] => {
  const here = witnesses.filter(({ missingSince }) => missingSince === null).length
  return [
    ...(here === 0 ? [] : [line('well', `${plural(here, 'witness cosigns', 'witnesses cosign')} the log.`)]),
    ...witnesses.flatMap(({ witness, missingSince, trouble }) => {
      if (missingSince === null) return []
      const why = WITNESS_TROUBLES.get(trouble ?? '') ?? 'has not cosigned'
      const since = dayAndTime(missingSince)
      return [line('failing', `Witness ${witness} ${why} since ${since}. Blocks go on without it.`)]
    }),
  ]
}

const WITNESS_TROUBLES = new Map([
  ['unreachable', 'has been out of reach'],
  ['too_slow', 'has not answered in time'],
  ['unknown_log', 'has not known our log'],
  ['refused', 'has refused our checkpoints'],
  ['invalid_answer', 'has answered something else than a cosignature'],
  ['claims_larger_size', 'has claimed a larger log than ours'],
  ['saw_another_tree', 'has claimed that it saw another log under our name'],
])

const DEVELOPMENT = 'a development chain inside this service. It proves nothing to outsiders.'

const nameOf = ({ source }: Source): string =>
  isEntropyName(source) ? ENTROPY_WORDS[source].inSentence : source

const FAILURES = new Map([
  ['timeout', 'not answered in time'],
  ['unreachable', 'been out of reach'],
  ['too_large', 'answered too much'],
  ['bad_status', 'answered with errors'],
  ['bad_answer', 'answered something else than expected'],
])

/** Such as `A, B and C`. */
const LIST = new Intl.ListFormat('en-GB')
