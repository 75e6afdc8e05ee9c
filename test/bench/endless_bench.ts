// A bench for tests, whose first measure starts a process, prints its id and goes on for ever. When it is stopped it says
// so and ends the process once a line arrives on standard input.
import { once } from 'node:events'
import { interruptible } from '../../shared/cli/interrupt.ts'
import { exitCodeOf, type MeasureOn, runMeasures } from './run_measures.ts'
import { startBaseline } from './server_process.ts'
import type { Started } from './started.ts'

const say = (line: string) => void process.stdout.write(`${line}\n`)

const endless: MeasureOn<{ readonly started: Started }> = async (ground) => {
  const { base, pid } = await startBaseline(ground, 'bare_koa.ts')
  ground.started.add('the wait', () => {
    say('ending')
    return once(process.stdin, 'data')
  })
  say(String(pid))
  for (;;) await (await fetch(base)).text()
}

const rows = await interruptible(new Error('The bench was stopped.'), (stopped) =>
  runMeasures(
    { first: endless, second: endless },
    {
      openGround: async (started) => ({ started }),
      watchMachine: async () => async () => undefined,
      say: () => undefined,
      stopped,
    },
  ),
)
for (const row of rows) say('failure' in row ? row.failure : row.measured.what)
process.exit(exitCodeOf(rows))
