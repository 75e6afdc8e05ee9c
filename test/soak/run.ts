// `npm run soak`: the soak tests in full size, then what the others feel. For one part alone see `--help`.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { floodDoors } from './door_flood.ts'
import { tryEvenHands } from './even_hands.ts'
import { besetWithHanging } from './hanging_receivers.ts'
import { leaveOpen } from './idle_console.ts'
import { showLargeLists } from './large_console.ts'
import { laySiege } from './lay_siege.ts'
import { readPullEndpoints } from './pull_readers.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const given = process.argv.slice(2)
const say = (line: string) => void process.stderr.write(`${line}\n`)

const minutesAt = given.indexOf('--minutes')
const minutes = minutesAt < 0 ? undefined : Number(given[minutesAt + 1])
const wanted = {
  tests: given.length === 0 || given.includes('tests'),
  callers: given.length === 0 || given.includes('callers'),
  receivers: given.length === 0 || given.includes('receivers'),
  pullers: given.length === 0 || given.includes('pullers'),
  console: given.length === 0 || given.includes('console'),
  pages: given.length === 0 || given.includes('pages'),
  doors: given.length === 0 || given.includes('doors'),
  siege: given.length === 0 || given.includes('siege') || (minutesAt >= 0 && !given.includes('console')),
}

if (
  given.includes('--help') ||
  !(minutes === undefined || minutes > 0) ||
  !Object.values(wanted).includes(true)
) {
  say(
    'Usage: npm run soak [-- tests | callers | receivers | pullers | console | pages | doors | siege] [--minutes N]\n' +
      '  tests      the tests of the project `soak`, in full sizes\n' +
      '  callers    what callers feel of others who read large pages, or keep expensive reads going: some ten minutes\n' +
      '  receivers  webhooks of an account of whose receivers 60, then 260, never answer: some three minutes\n' +
      '  pullers    what callers feel of 1,000 pull endpoints that are read as often as they may be: some three minutes\n' +
      '  console    the first page left open, with a block each minute, for N minutes (60 when not said) after a quarter of that\n' +
      '  pages      the first row of each list of the console, and scrolling, with 10,000 items and 5,000 blocks: some five minutes\n' +
      '  doors      what callers feel of a flood at each door that needs no account: some four minutes\n' +
      '  siege      a hostile caller for N minutes (10 when not said), and up to a minute before it in peace\n' +
      '  All when none is named; --minutes alone means the siege.',
  )
  process.exit(given.includes('--help') ? 0 : 1)
}

function runTests(): boolean {
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  const { status } = spawnSync(process.execPath, [vitest, 'run', '--project', 'soak'], {
    cwd: ROOT,
    env: { ...process.env, SOAK: 'full' },
    stdio: 'inherit',
  })
  return status === 0
}

const held = [
  wanted.tests ? runTests() : true,
  wanted.callers ? await tryEvenHands(say) : true,
  wanted.receivers ? await besetWithHanging(say) : true,
  wanted.pullers ? await readPullEndpoints(say) : true,
  wanted.console ? await leaveOpen(minutes ?? 60, say) : true,
  wanted.pages ? await showLargeLists(say) : true,
  wanted.doors ? await floodDoors(say) : true,
  wanted.siege ? await laySiege(minutes ?? 10, say) : true,
]
process.exitCode = held.every(Boolean) ? 0 : 1
