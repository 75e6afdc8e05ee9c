// The command line for users: checks proofs anywhere, without the service. Bundled into dist/pharos.mjs.
import { basename, relative } from 'node:path'
import process from 'node:process'
import { type ClientCommand, helpLines, readWords, type Surroundings } from '../../shared/cli/command.ts'
import { Complaint, codeOf, type ExitCode, openTerminal, tellComplaint } from '../../shared/cli/terminal.ts'
import { audit } from './audit.ts'
import { keyring } from './keyring.ts'
import { proof } from './proof.ts'
import { upgrade } from './upgrade.ts'
import { verify } from './verify.ts'
import { watch } from './watch.ts'

const COMMANDS: Readonly<Record<string, ClientCommand>> = { verify, upgrade, proof, keyring, audit, watch }

const overview = (self: string): string =>
  [
    `Usage: ${self} <command> [options]`,
    '',
    ...helpLines(COMMANDS),
    '',
    '  --help with any command explains it.',
    '',
    'Operators of a service have commands of their own: npm run pharos -- --help, in its checkout.',
  ].join('\n')

async function run(surroundings: Surroundings, args: readonly string[]): Promise<ExitCode> {
  const { terminal, self } = surroundings
  const [name = '--help', ...rest] = args
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) {
    if (name === '--help' || name === '-h' || name === 'help') {
      terminal.say(overview(self))
      return 0
    }
    throw new Complaint(`There is no command ${name}.`, {
      advice: OPERATOR_COMMANDS.has(name)
        ? `It is a command for operators, run in the checkout of a service: npm run pharos -- ${args.join(' ')}`
        : `${self} --help lists the commands.`,
    })
  }
  const { values, words } = readWords(`${self} ${name}`, command, rest)
  if (values.help === true) {
    terminal.say(`Usage: ${self} ${name} ${command.usage}\n\n${command.help.trim()}`)
    return 0
  }
  return command.run(surroundings, values, words)
}

/**
 * First words of the operator's commands. When a person types one here, the program says where those commands
 * are.
 */
const OPERATOR_COMMANDS = new Set(['user', 'key', 'flag', 'export', 'log'])

/** npx and a global install link the file as `pharos`. A downloaded file is run with node. */
const selfOf = (env: NodeJS.ProcessEnv, file: string): string => {
  if (basename(file) === 'cli.ts') return 'npm run pharos --'
  if (!file.endsWith('.mjs')) return env.npm_command === 'exec' ? 'npx --no pharos' : basename(file)
  const near = relative(process.cwd(), file)
  return `node ${near.length < file.length ? near : file}`
}

const { argv, env, stdout, stderr } = process
const surroundings = { terminal: openTerminal(stdout, stderr, env), env, self: selfOf(env, argv[1] ?? '') }
// A reader may close the pipe early, such as `head`. What is left to say is dropped, and the exit code still counts.
for (const stream of [stdout, stderr])
  stream.on('error', (error) => {
    if (codeOf(error) !== 'EPIPE') process.exit(2)
  })
try {
  process.exitCode = await run(surroundings, argv.slice(2))
} catch (error) {
  process.exitCode = error instanceof Complaint ? error.exitCode : 2
  if (error instanceof Complaint) tellComplaint(surroundings.terminal, error)
  // A defect of this program. Without this line Node would exit with 1, which means that a proof is not
  // valid.
  else surroundings.terminal.note(error instanceof Error ? `${error.stack}` : String(error))
}
