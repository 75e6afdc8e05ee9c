// What a shell may complete, read from the table of commands.
import type { CommandText, Options, OptionText } from '../command.ts'

export type CompletionRow = Readonly<ReturnType<typeof rowOf>>

export type CompletedOption = Readonly<CompletionRow['options'][number]>

/** `verb` is undefined for a name of one word. */
export function rowOf(name: string, { usage, meaning, options }: CommandText, common: Options) {
  const [noun = name, verb] = name.split(' ')
  return {
    ...{ name, noun, verb, meaning },
    /** Words that may stand behind the name. Files where there are none. */
    choices: choicesIn(usage),
    options: Object.entries({ ...options, ...common }).map(([option, text]) => ({
      ...text,
      name: option,
      meaning: text.meaning ?? '',
      /** What it is. Undefined when it takes none. */
      value: valueTaken(text),
    })),
  }
}

function valueTaken({ takes }: OptionText): 'file' | 'folder' | 'text' | string[] | undefined {
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
