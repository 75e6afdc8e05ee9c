// What help says, for a person and as JSON, made from the table of commands alone.
import type { CommandText, Options, OptionText } from './command.ts'
import { type Program, tableOf } from './program.ts'

/** Every program ends with these in the same cases. A command says in its own words when it ends with another one. */
const EXITS_OF_ALL = { 0: 'done', 2: 'not readable, or wrongly asked', 130: 'interrupted' } as const

export const exitsOf = ({ exits }: CommandText): [code: string, when: string][] =>
  Object.entries({ ...EXITS_OF_ALL, ...exits }).sort(([one], [other]) => Number(one) - Number(other))

export const overview = (program: Program): string =>
  [
    `Usage: ${program.self} <command> [options]`,
    '',
    ...commandLines(tableOf(program)),
    '',
    'Every command takes:',
    ...optionLines(program.options),
    ...program.footer.flatMap((line) => ['', line]),
  ].join('\n')

/** Each command with its usage, and below it what it is for. */
export const commandLines = (commands: Readonly<Record<string, CommandText>>): string[] =>
  Object.entries(commands).flatMap(([name, { usage, meaning }]) => [
    `  ${`${name} ${usage}`.trim()}`,
    ...wrapped(meaning, WIDTH - 6).map((line) => `      ${line}`),
  ])

export function commandHelp({ self, options }: Program, name: string, command: CommandText): string {
  return [
    `Usage: ${`${self} ${name} ${command.usage}`.trim()}`,
    '',
    ...(command.help === undefined ? wrapped(sentence(command.meaning), WIDTH) : [command.help.trim()]),
    '',
    ...optionLines({ ...command.options, ...options }),
    ...(command.exits === undefined ? [] : exitLines(command)),
  ].join('\n')
}

const sentence = (meaning: string): string => `${meaning.slice(0, 1).toUpperCase()}${meaning.slice(1)}.`

const exitLines = (command: CommandText): string[] => [
  '',
  'Exit code:',
  ...exitsOf(command).flatMap(([code, when]) => hung(`  ${code.padStart(3)}`, when, EXIT_AT)),
]

/** Columns that the text of help fills. */
const WIDTH = 110

/** Columns at which the meanings of options and of exit codes begin, and the spaces before them. */
const MEANING_AT = 26
const EXIT_AT = 7
const GAP = 2

const optionLines = (options: Options): string[] =>
  Object.entries(options).flatMap(([name, option]) =>
    option.meaning === undefined ? [] : hung(`  ${shownOption(name, option)}`, option.meaning, MEANING_AT),
  )

const shownOption = (name: string, { short, takes }: OptionText): string =>
  `${short === undefined ? '' : `-${short}, `}--${name}${takes === undefined ? '' : ` ${takes}`}`

/** A text behind what it explains, or below it where that is long. Further lines stand below the first. */
function hung(head: string, text: string, column: number): string[] {
  const lines = wrapped(text, WIDTH - column).map((line) => `${' '.repeat(column)}${line}`)
  const [first = '', ...more] = lines
  return head.length <= column - GAP ? [`${head}${first.slice(head.length)}`, ...more] : [head, ...lines]
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

/** One command, or without a name all of them. */
export const helpDocument = (program: Program, commands = tableOf(program)): object => ({
  version: program.version,
  common_options: optionRows(program.options),
  commands: Object.entries(commands).map(([name, command]) => ({
    name,
    usage: command.usage,
    meaning: command.meaning,
    options: optionRows(command.options),
    exit_codes: Object.fromEntries(exitsOf(command)),
  })),
})

const optionRows = (options: Options) =>
  Object.entries(options).map(([name, { short, multiple, takes, meaning }]) => ({
    name,
    short: short ?? null,
    takes: takes ?? null,
    repeatable: multiple === true,
    meaning: meaning ?? '',
  }))
