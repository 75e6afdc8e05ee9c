// The operator command that checks a running installation and says what is wrong and what to do.
import type { Values } from '../../shared/cli/command.ts'
import { paintFor } from '../../shared/cli/terminal.ts'
import { databaseChecks, reachable } from '../doctor/check_database.ts'
import { ledgerChecks } from '../doctor/check_ledger.ts'
import { machineChecks } from '../doctor/check_machine.ts'
import { serverChecks } from '../doctor/check_server.ts'
import {
  type Check,
  type CheckFinding,
  type Examined,
  examine,
  findingLines,
  type InstalledSettings,
  ok,
  wrong,
} from '../doctor/examine.ts'
import { openStore } from '../store/open_store.ts'

export const DOCTOR = {
  usage: '[--json]',
  meaning:
    'checks a running installation: settings, database, keys, clocks, queues, chains, the way from outside; exit code 1 when something is wrong',
  options: { json: { meaning: 'prints every finding as one JSON document' } },
  exits: { 0: 'nothing is wrong', 1: 'something is wrong' },
  words: 0,
  examine: (installation: Examined, values: Values): Promise<number> => runDoctor(installation, values),
} as const

/** @returns the exit code: 1 when something is wrong */
export async function runDoctor(
  installation: Examined,
  values: Values,
  out: { readonly write: (text: string) => void; readonly isTTY?: boolean } = process.stdout,
): Promise<number> {
  const paint = paintFor(out, process.env)
  const all: CheckFinding[] = []
  for await (const found of findings(installation)) {
    all.push(found)
    if (values.json !== true) out.write(`${findingLines(found, paint)}\n`)
  }
  const isSound = all.every(({ state }) => state !== 'wrong')
  if (values.json === true) out.write(`${JSON.stringify({ sound: isSound, findings: all }, null, 2)}\n`)
  return isSound ? 0 : 1
}

async function* findings({ mistakes, settings, secrets }: Examined): AsyncGenerator<CheckFinding> {
  const run = (checks: readonly Check[]) => examine(checks, { secrets })
  const judged = mistakes.map((text) =>
    wrong(text, 'Correct it in the environment or in .env; deploy/CONFIGURATION.md has every setting.'),
  )
  const found = judged.length === 0 ? ok('Every setting can be read.') : judged
  yield* run([{ name: 'settings', run: async () => found }])
  if (settings === undefined) return
  yield* run([...machineChecks(settings), ...serverChecks(settings)])
  yield* withDatabase(settings, run)
}

async function* withDatabase(
  settings: InstalledSettings,
  run: (checks: readonly Check[]) => AsyncGenerator<CheckFinding>,
): AsyncGenerator<CheckFinding> {
  let isReached = false
  const first: Check = {
    name: 'database',
    run: async () => {
      const answer = await reachable(await settings.database())
      isReached = true
      return answer
    },
  }
  yield* run([first])
  // The other checks would each say the same.
  if (!isReached) return
  const reached = await settings.database()
  yield* run(databaseChecks(settings, reached))
  const store = openStore({ url: reached.url, poolSize: 3 })
  try {
    yield* run(ledgerChecks(settings, { em: () => store.em('watch'), url: reached.url }))
  } finally {
    await store.close()
  }
}
