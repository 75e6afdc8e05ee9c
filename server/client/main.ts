// The command line for everybody, as a program: how it starts and ends. Bundled into dist/pharos.mjs.
import { basename, relative } from 'node:path'
import process from 'node:process'
import { isMainThread } from 'node:worker_threads'
import { endOnInterrupt } from '../../shared/cli/interrupt.ts'
import { readOrder } from '../../shared/cli/order.ts'
import { Complaint, codeOf, openTerminal, quieted, tellComplaint } from '../../shared/cli/terminal.ts'
import { programOf } from './commands.ts'
import { quoted } from './files.ts'

/** npx and a global install link the file as `pharos`. A downloaded file is run with node. */
const selfOf = (env: NodeJS.ProcessEnv, file: string): string => {
  if (basename(file) === 'cli.ts') return 'npm run pharos --'
  if (!file.endsWith('.mjs')) return env.npm_command === 'exec' ? 'npx --no pharos' : basename(file)
  const near = relative(process.cwd(), file)
  return `node ${quoted(near.length < file.length ? near : file)}`
}

async function run(): Promise<void> {
  const { argv, env, stdout, stderr } = process
  const args = argv.slice(2)
  const self = selfOf(env, argv[1] ?? '')
  const heard = openTerminal(stdout, stderr, env)
  let terminal = isQuiet(args) ? quieted(heard) : heard
  // A reader may close the pipe early, such as `head`. What is left to say is dropped, and the exit code still counts.
  for (const stream of [stdout, stderr])
    stream.on('error', (error) => {
      if (codeOf(error) !== 'EPIPE') process.exit(2)
    })
  endOnInterrupt(() => terminal.progress?.(''))
  let help = `${self} help lists the commands.`
  try {
    const order = readOrder(programOf(self), args)
    if (order.kind === 'text') return terminal.say(order.text)
    const { name, command, values, words } = order
    help = `${self} ${name} --help`
    // Among other letters, as in -qo FILE.
    if (values.quiet === true) terminal = quieted(heard)
    process.exitCode = await command.run({ terminal, env, self, values }, words)
  } catch (error) {
    process.exitCode = error instanceof Complaint ? error.exitCode : 2
    if (error instanceof Complaint) tellComplaint(terminal, error, { help })
    // A defect of this program. Without this line Node would exit with 1, which means that a proof is not
    // valid.
    else stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  }
}

/** Read before the words are, because what is wrong with them is not told then either. */
const isQuiet = (args: readonly string[]): boolean => {
  const end = args.indexOf('--')
  return args.slice(0, end < 0 ? args.length : end).some((word) => word === '-q' || word === '--quiet')
}

// A thread that hashes begins with this file too.
if (isMainThread) await run()
