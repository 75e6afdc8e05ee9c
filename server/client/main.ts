// The command line for everybody, as a program: how it starts and ends. Bundled into dist/pharos.mjs.
import { basename, relative } from 'node:path'
import process from 'node:process'
import { endOnInterrupt } from '../../shared/cli/interrupt.ts'
import { readOrder } from '../../shared/cli/order.ts'
import { Complaint, codeOf, openTerminal, quieted, tellComplaint } from '../../shared/cli/terminal.ts'
import { programOf } from './commands.ts'

/** npx and a global install link the file as `pharos`. A downloaded file is run with node. */
const selfOf = (env: NodeJS.ProcessEnv, file: string): string => {
  if (basename(file) === 'cli.ts') return 'npm run pharos --'
  if (!file.endsWith('.mjs')) return env.npm_command === 'exec' ? 'npx --no pharos' : basename(file)
  const near = relative(process.cwd(), file)
  return `node ${near.length < file.length ? near : file}`
}

const { argv, env, stdout, stderr } = process
const self = selfOf(env, argv[1] ?? '')
let terminal = openTerminal(stdout, stderr, env)
// A reader may close the pipe early, such as `head`. What is left to say is dropped, and the exit code still counts.
for (const stream of [stdout, stderr])
  stream.on('error', (error) => {
    if (codeOf(error) !== 'EPIPE') process.exit(2)
  })
endOnInterrupt(() => terminal.progress?.(''))
try {
  const order = readOrder(programOf(self), argv.slice(2))
  if (order.kind === 'text') terminal.say(order.text)
  else {
    const { command, values, words } = order
    if (values.quiet === true) terminal = quieted(terminal)
    process.exitCode = await command.run({ terminal, env, self }, values, words)
  }
} catch (error) {
  process.exitCode = error instanceof Complaint ? error.exitCode : 2
  if (error instanceof Complaint) tellComplaint(terminal, error)
  // A defect of this program. Without this line Node would exit with 1, which means that a proof is not
  // valid.
  else stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
}
