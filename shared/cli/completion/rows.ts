// What a shell may complete, read from the table of commands.
import type { CommandText, Options, OptionText } from '../command.ts'

export interface CompletionRow {
  readonly name: string
  readonly noun: string
  /** Undefined for a name of one word. */
  readonly verb: string | undefined
  readonly meaning: string
  /** Words that may stand behind the name. Files where there are none. */
  readonly choices: readonly string[]
  readonly options: readonly CompletedOption[]
}

export interface CompletedOption extends Pick<OptionText, 'short' | 'multiple'> {
  readonly name: string
  readonly meaning: string
  /** What its value is. Undefined when it takes none. */
  readonly value: 'file' | 'folder' | 'text' | readonly string[] | undefined
}

export function rowOf(
  name: string,
  { usage, meaning, options }: CommandText,
  common: Options,
): CompletionRow {
  const [noun = name, verb] = name.split(' ')
  return {
    ...{ name, noun, verb, meaning },
    choices: choicesIn(usage),
    options: Object.entries({ ...options, ...common }).map(([option, text]) => ({
      ...text,
      name: option,
      meaning: text.meaning ?? '',
      value: valueTaken(text),
    })),
  }
}

function valueTaken({ takes }: OptionText): CompletedOption['value'] {
  if (takes === undefined) return undefined
  if (/<file\b/.test(takes)) return 'file'
  if (/<folder\b/.test(takes)) return 'folder'
  const choices = choicesIn(takes)
  return choices.length > 0 ? choices : 'text'
}

/** The words of a choice that stands first, such as `[beacons|blocks] …`. */
const choicesIn = (text: string): string[] => /^\[?([\w-]+(?:\|[\w-]+)+)/.exec(text)?.[1]?.split('|') ?? []

export const optionWords = ({ name, short }: CompletedOption): string[] => [
  `--${name}`,
  ...(short === undefined ? [] : [`-${short}`]),
]

/** For bash and zsh. */
export const inQuotes = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The nouns of commands that have two words, with those words. */
export function verbsByNoun(rows: readonly CompletionRow[]): Map<string, CompletionRow[]> {
  const nouns = new Map<string, CompletionRow[]>()
  for (const row of rows)
    if (row.verb !== undefined) nouns.set(row.noun, [...(nouns.get(row.noun) ?? []), row])
  return nouns
}

export const firstWords = (rows: readonly CompletionRow[]): string[] => [
  ...new Set(rows.map(({ noun }) => noun)),
]
