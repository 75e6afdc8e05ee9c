// `pharos tail`: what the service makes, as it is made.
import { once } from 'node:events'
import process from 'node:process'
import {
  type ClientCommand,
  type Surroundings,
  textOption,
  type Values,
} from '../../../shared/cli/command.ts'
import { endless } from '../../../shared/cli/interrupt.ts'
import { Complaint, plural, printable, type Terminal } from '../../../shared/cli/terminal.ts'
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import { SERVICE_OPTIONS, type Service, serviceFrom } from '../ask/ask_service.ts'
import { type Going, going } from '../ask/patience.ts'
import { quoted } from '../files.ts'
import {
  JSON_OPTION,
  jsonLine,
  LARGEST_PAGE,
  type ListedRow,
  rowLine,
  sinceTime,
  textIn,
} from '../read/rows.ts'
import {
  type ChainEvent,
  chainStart,
  FOLLOWED_FIELDS,
  type FollowedBlock,
  followChain,
} from './follow_chain.ts'
import { followList } from './follow_list.ts'
import { readProgram, runForRow } from './run_for_row.ts'

export const tail: ClientCommand = {
  usage: '[beacons|blocks|items|deliveries] [--since <place>] [-n <rows>] [--exec <program>]',
  meaning: 'prints what the service makes, as it is made',
  help: `
Beacons, unless other rows are named. The newest ten come first, and then each as it is made.

Beacons and blocks are read by their height, so none is left out and none comes twice, whatever becomes of the service
meanwhile. --since a height, a hash or an id goes on behind that one; --since a time begins with what was made then or
later. Where no block was made for long, one line says so, and another where the service shows another chain, or a block
that does not continue the one before.

Items and deliveries are read by their time: each once, as it is when it is first read. Their --since is a time.

With --exec a program is run for each row, one after the other, instead of printing it. It gets the row as JSON on
its standard input. It is run without a shell: what follows its name is split at spaces. When it fails, this command
ends too, and says how to go on from there.

Times: 2026-11-26, 2026-11-26T18:00:00Z, 14:02, yesterday, "2 hours ago"; all in UTC.`,
  options: {
    since: { takes: '<place>', meaning: 'where to begin, instead of the newest rows' },
    rows: { short: 'n', takes: '<rows>', meaning: 'newest rows to begin with: 10' },
    exec: { takes: '<program>', meaning: 'is run for each row' },
    every: { takes: '<seconds>', meaning: 'time between two looks: 5' },
    ...JSON_OPTION,
    ...SERVICE_OPTIONS,
  },
  exits: {
    0: 'nobody reads its output any more',
    1: 'the service said no, or the program of --exec failed',
    4: 'sign in first',
  },
  run: async (surroundings, [noun = 'beacons', ...more]) => {
    const what = Object.hasOwn(FOLLOWERS, noun) && more.length === 0 ? FOLLOWERS[noun] : undefined
    if (what === undefined) throw new Complaint(`Name one of ${Object.keys(FOLLOWERS).join(', ')}.`)
    const options = readOptions(surroundings.values)
    const found = await serviceFrom(surroundings)
    return endless(async (stopped) => {
      const reader = { ...going(surroundings.terminal, stopped), service: { ...found, signal: stopped } }
      const show = outlet(surroundings, noun, stopped)
      for await (const shown of what({ ...reader, everyMs: options.everyMs }, options)) await show(shown)
    })
  },
}

type TailOptions = ReturnType<typeof readOptions>

function readOptions(values: Values) {
  const since = textOption(values, 'since')
  if (since !== undefined && values.rows !== undefined)
    throw new Complaint('--since says where to begin, so -n has nothing to say.')
  return {
    since,
    rows: wholeOption(values, 'rows', { usual: 10, least: 0, most: LARGEST_PAGE }),
    everyMs: 1_000 * wholeOption(values, 'every', { usual: 5, least: 1, most: 86_400 }),
  }
}

function wholeOption(
  values: Values,
  name: string,
  { usual, least, most }: Readonly<Record<'usual' | 'least' | 'most', number>>,
): number {
  const text = textOption(values, name) ?? String(usual)
  if (!/^\d{1,6}$/.test(text) || Number(text) < least || Number(text) > most)
    throw new Complaint(`--${name} takes a whole number from ${least} to ${most}.`)
  return Number(text)
}

/** A row, or what is said between two rows. */
interface Shown {
  readonly row?: ListedRow
  /** For a program. */
  readonly document: JsonObject
  /** For a person. */
  readonly line: (terminal: Terminal) => string
  /** A `--since` that goes on with this row, if it is needed again. */
  readonly again: string
}

type Reader = Going & { readonly service: Service; readonly everyMs: number }
type Follower = (reader: Reader, options: TailOptions) => AsyncGenerator<Shown>

const followsChain = (fields: string | undefined, rowOf: (block: FollowedBlock) => ListedRow): Follower =>
  async function* (reader, { since, rows }) {
    const chain = { ...reader, ...(fields === undefined ? {} : { fields }) }
    const first = await chainStart(chain, since === undefined ? { newest: rows } : { since })
    for await (const event of followChain(chain, first)) yield shownOfChain(event, rowOf)
  }

const followsList = (path: string): Follower =>
  async function* (reader, { since, rows }) {
    const start = since === undefined ? { newest: rows } : { since: sinceTime(since) }
    for await (const row of followList({ ...reader, path }, start))
      yield { ...shownRow(row), again: textIn(row, 'inserted_at') }
  }

const FOLLOWERS: Readonly<Record<string, Follower>> = {
  beacons: followsChain(FOLLOWED_FIELDS, beaconOf),
  blocks: followsChain(undefined, ({ row }) => row),
  items: followsList('/api/json/items'),
  deliveries: followsList('/api/json/webhook-deliveries'),
}

/** The four fields of a beacon, and its height. */
function beaconOf({ height, hash, previousHash, at, row }: FollowedBlock): ListedRow {
  return { type: 'beacon', id: row.id, height, hash, timestamp: at, previous_hash: previousHash }
}

const shownRow = (row: ListedRow) => ({
  row,
  document: row,
  line: ({ paint }: Terminal) => rowLine(row, paint),
})

function shownOfChain(event: ChainEvent, rowOf: (block: FollowedBlock) => ListedRow): Shown {
  switch (event.kind) {
    case 'block':
      return { ...shownRow(rowOf(event.block)), again: placeBefore(event.block) }
    case 'absence': {
      const { from, until } = event
      const seconds = Math.round((Date.parse(until) - Date.parse(from)) / 1_000)
      return {
        document: { type: 'absence', from, until, seconds },
        line: between('yellow', `no block for ${duration(seconds)}: ${from} to ${until}`),
        again: until,
      }
    }
    case 'break': {
      const [lost, head] = [event.lost, event.head].map(({ height, hash }) => ({ height, hash }))
      return {
        document: { type: 'break', lost: { ...lost }, head: { ...head } },
        line: between(
          'red',
          `the service shows another chain: block ${lost?.height} (${lost?.hash}) is gone, and the newest is block ${head?.height} (${head?.hash})`,
        ),
        again: String(event.head.height),
      }
    }
    case 'misfit': {
      const { last, next } = event
      const { height, hash, previousHash: previous_hash } = next
      return {
        document: {
          type: 'misfit',
          last: { height: last.height, hash: last.hash },
          next: { height, hash, previous_hash },
        },
        line: between(
          'red',
          `block ${height} (${hash}) does not continue block ${last.height} (${last.hash}): it names ${previous_hash} as the one before it`,
        ),
        again: placeBefore(next),
      }
    }
    default:
      return event satisfies never
  }
}

/** What is said between two rows. Words of the service are in it. */
const between =
  (colour: 'red' | 'yellow', words: string) =>
  ({ paint }: Terminal): string =>
    paint[colour](printable(`--- ${words}`))

/** A height that is named was read. Before the first block there is only its time. */
const placeBefore = ({ height, at }: FollowedBlock): string => (height === 0 ? at : String(height - 1))

const duration = (seconds: number): string =>
  seconds < 120 ? plural(seconds, 'second') : plural(Math.round(seconds / 60), 'minute')

/** What is to be typed again to go on with the same service and the same program. */
const typedOf = (values: Values): string =>
  ['exec', 'every', 'url', 'tenant', 'profile']
    .flatMap((name) => {
      const text = textOption(values, name)
      return text === undefined ? [] : [` --${name} ${quoted(text)}`]
    })
    .join('')

/** Prints what comes, or runs a program for it. */
function outlet({ terminal, self, values }: Surroundings, noun: string, stopped: AbortSignal) {
  const exec = textOption(values, 'exec')
  const program = exec === undefined ? undefined : readProgram(exec)
  return async ({ row, document, line, again }: Shown): Promise<void> => {
    if (program === undefined || row === undefined) {
      const text = values.json === true ? jsonLine(document) : line(terminal)
      if (program === undefined) terminal.say(text)
      else terminal.note(text)
      // Who reads slowly is waited for.
      if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain', { signal: stopped })
      return
    }
    const end = await runForRow(program, jsonLine(document))
    if (end !== undefined)
      throw new Complaint(`${program[0]} ended with ${end} for ${row.type.replaceAll('_', ' ')} ${row.id}.`, {
        exitCode: 1,
        advice: `Nothing was passed over. To go on with it: ${self} tail ${noun} --since ${again}${typedOf(values)}`,
      })
  }
}
