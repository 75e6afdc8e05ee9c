// How long the built command line takes from its start to its end, compared with a Node that does nothing.
import { spawnSync } from 'node:child_process'
import { BUILT_FILE } from '../../server/client/build.ts'
import { type Measure, medianMs } from './measurement.ts'

const RUNS = 31
const WARM_UP = 3
const AIM_MS = 100

const run = (...args: readonly string[]): void => {
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' })
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}.`)
}

export const startClient: Measure = async (_ground, say) => {
  const nothing = () => run('-e', '0')
  const help = () => run(BUILT_FILE, 'help')
  say('  starting both')
  for (let warm = 0; warm < WARM_UP; warm += 1) {
    nothing()
    help()
  }
  const bare = await medianMs(RUNS, nothing)
  const ours = await medianMs(RUNS, help)
  return {
    what: 'start the command line, and print its help',
    baseline: `${bare.toFixed(0)} ms for node -e 0`,
    ours: `${ours.toFixed(0)} ms median of ${RUNS}`,
    ratio: ours / bare,
    aim: `<= ${AIM_MS} ms more`,
    met: ours - bare <= AIM_MS,
  }
}
