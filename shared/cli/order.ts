// What the words of a person ask a program for, and the two commands that every program has about itself.
import { type CommandText, type Options, readWords, type Values } from './command.ts'
import { bashScript } from './completion/bash.ts'
import { fishScript } from './completion/fish.ts'
import { rowOf } from './completion/rows.ts'
import { zshScript } from './completion/zsh.ts'
import { commandHelp, commandLines, helpDocument, overview } from './help_text.ts'
import { commandIn, commandsOf, nearestName, type Program, type TextCommand, tableOf } from './program.ts'
import { Complaint } from './terminal.ts'

const SCRIPTS = new Map([
  ['bash', bashScript],
  ['zsh', zshScript],
  ['fish', fishScript],
])

const SHELLS = [...SCRIPTS.keys()]

export type Order<Command> =
  /** This text is the answer. */
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'command'
      readonly name: string
      readonly command: Command
      readonly values: Values
      readonly words: readonly string[]
    }

/** @throws Complaint when there is no such command, or it does not take such options */
export function readOrder<Command extends CommandText>(
  program: Program<Command>,
  args: readonly string[],
): Order<Command> {
  const { self, version } = program
  const [first = '--help', second = ''] = args
  if (isHelp(first)) return { kind: 'text', text: overview(program) }
  if (first === '--version') return { kind: 'text', text: version }
  const table = tableOf(program)
  const found = commandIn(table, args)
  if (found === undefined) {
    if (!isHelp(second)) throw unknownCommand(program, args)
    return { kind: 'text', text: nounHelp(program, first) }
  }
  const { name, command, rest } = found
  const { values, words } = readWords(`${self} ${name}`, { ...program.options, ...command.options }, rest)
  if (values.help === true) return { kind: 'text', text: commandHelp(program, name, command) }
  if ('text' in command) return { kind: 'text', text: command.text(program, values, words) }
  return { kind: 'command', name, command, values, words }
}

export const HELP_OPTION: Options = { help: { short: 'h', meaning: 'prints this' } }

const isHelp = (word: string): boolean => word === '--help' || word === '-h'

/** @throws Complaint when there is none */
function nounHelp(program: Program, noun: string): string {
  const commands = commandsOf(tableOf(program), noun)
  if (Object.keys(commands).length === 0) throw unknownCommand(program, [noun])
  return [`Usage: ${program.self} ${noun} <command> [options]`, '', ...commandLines(commands)].join('\n')
}

function unknownCommand(program: Program, args: readonly string[]): Complaint {
  const { self, elsewhere } = program
  const [first = '', second] = args
  const table = tableOf(program)
  const list = `${self} help lists the commands.`
  if (first.startsWith('-'))
    return new Complaint(`${first} stands where the name of a command is expected.`, { advice: list })
  const ofNoun = Object.keys(commandsOf(table, first)).map((name) => `${self} ${name}`)
  if (ofNoun.length > 0)
    return new Complaint(
      second === undefined ? `${first} needs one more word.` : `There is no command ${first} ${second}.`,
      { advice: `There is: ${ofNoun.join(', ')}.` },
    )
  const near = nearestName(Object.keys(table), args)
  return new Complaint(`There is no command ${first}.`, {
    advice: elsewhere?.(args) ?? (near === undefined ? list : `Did you mean ${self} ${near}? ${list}`),
  })
}

export const HELP: TextCommand = {
  usage: '[<command>] [--json]',
  meaning: 'lists the commands, or explains one',
  options: {
    json: { meaning: 'prints commands, options and exit codes as one JSON document' },
  },
  text: (program, { json }, words) => {
    const named = commandsNamed(program, words)
    if (json === true) return JSON.stringify(helpDocument(program, named), null, 2)
    if (words.length === 0) return overview(program)
    const [only, ...more] = Object.entries(named)
    return only !== undefined && more.length === 0
      ? commandHelp(program, ...only)
      : nounHelp(program, words.join(' '))
  },
}

/** @throws Complaint when the words name no command and no noun */
function commandsNamed(program: Program, words: readonly string[]): Readonly<Record<string, CommandText>> {
  const table = tableOf(program)
  if (words.length === 0) return table
  const name = words.join(' ')
  const found = commandIn(table, words)
  if (found?.rest.length === 0) return { [found.name]: found.command }
  const ofNoun = commandsOf(table, name)
  if (Object.keys(ofNoun).length === 0) throw unknownCommand(program, words)
  return ofNoun
}

export const COMPLETION: TextCommand = {
  usage: SHELLS.join('|'),
  meaning: 'prints what makes a shell complete the words behind pharos',
  help: `
For one session:

  bash   source <(pharos completion bash)
  zsh    source <(pharos completion zsh)
  fish   pharos completion fish | source

For all of them, put that line into ~/.bashrc, into ~/.zshrc below compinit, or into ~/.config/fish/config.fish.
The words of the command pharos are completed, so pharos has to be on your PATH.`,
  options: {},
  text: (program, _, [shell = '', ...more]) => {
    const script = more.length === 0 ? SCRIPTS.get(shell) : undefined
    if (script === undefined)
      throw new Complaint(`Say for which shell: ${SHELLS.join(', ')}.`, {
        advice: `${program.self} completion --help`,
      })
    const commands = Object.entries(tableOf(program))
    return script(commands.map(([name, command]) => rowOf(name, command, program.options))).trim()
  },
}
