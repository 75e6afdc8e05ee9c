// A program of several commands, and which of them the words of a person name.
import type { CommandText, Options, Values } from './command.ts'

export interface Program<Command extends CommandText = CommandText> {
  /** How the person started it. */
  readonly self: string
  readonly version: string
  /** By their names, which are one word or two: `verify`, `profile ls`. In the order in which help lists them. */
  readonly commands: Readonly<Record<string, Command>>
  /** Those that only print what is known of the program itself. */
  readonly texts: Readonly<Record<string, TextCommand>>
  /** Those that every command takes. */
  readonly options: Options
  /** Lines below the list of commands. */
  readonly footer: readonly string[]
  /** What to do with a command that another program has. Undefined when none has it. */
  readonly elsewhere?: (args: readonly string[]) => string | undefined
}

export interface TextCommand extends CommandText {
  readonly text: (program: Program, values: Values, words: readonly string[]) => string
}

export const tableOf = <Command extends CommandText>({
  commands,
  texts,
}: Program<Command>): Readonly<Record<string, Command | TextCommand>> => ({ ...commands, ...texts })

/** The longest name that the words begin with, and in `rest` the words behind it. */
export function commandIn<Command>(table: Readonly<Record<string, Command>>, args: readonly string[]) {
  for (const length of [2, 1]) {
    const name = args.slice(0, length).join(' ')
    const command = Object.hasOwn(table, name) ? table[name] : undefined
    if (command !== undefined) return { name, command, rest: args.slice(length) }
  }
  return undefined
}

/** The commands of two words that begin with this one, by their names. */
export const commandsOf = <Command>(
  table: Readonly<Record<string, Command>>,
  noun: string,
): Readonly<Record<string, Command>> =>
  Object.fromEntries(Object.entries(table).filter(([name]) => name.startsWith(`${noun} `)))

/** The name that mistyped words are nearest to. Undefined when none is near. */
export function nearestName(names: readonly string[], typed: readonly string[]): string | undefined {
  const distances = names.map((name) => {
    const length = name.split(' ').length
    return { name, changes: changesBetween(typed.slice(0, length).join(' '), name) }
  })
  return distances
    .filter(({ name, changes }) => changes <= MOST_CHANGES && changes < name.length)
    .sort((one, other) => one.changes - other.changes)[0]?.name
}

const MOST_CHANGES = 2

/** How many letters must be put, taken or replaced to make one word of the other (Levenshtein). */
function changesBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1]
    for (let at = 1; at <= other.length; at += 1) {
      const replaced = (row[at - 1] ?? 0) + (other[at - 1] === letter ? 0 : 1)
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
