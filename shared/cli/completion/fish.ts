// The script that makes fish complete the words of `pharos`, and tell what they mean.
import { type CompletedOption, type CompletionRow, firstWords, verbsByNoun } from './rows.ts'

export function fishScript(rows: readonly CompletionRow[]): string {
  const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, '\\$&')}'`
  const nouns = verbsByNoun(rows)
  const line = (condition: string, ...words: readonly string[]): string =>
    ['complete -c pharos', '-n', quoted(condition), ...words].join(' ')
  const lines = [
    ...firstWords(rows).map((noun) => {
      const meaning = rows.find(({ name }) => name === noun)?.meaning
      const verbs = (nouns.get(noun) ?? []).map(({ verb }) => verb).join(', ')
      return line('__pharos_stands_behind', '-f', '-a', noun, '-d', quoted(meaning ?? verbs))
    }),
    ...[...nouns].flatMap(([noun, verbs]) =>
      verbs.map(({ verb = '', meaning }) =>
        line(`__pharos_stands_behind ${noun}`, '-f', '-a', verb, '-d', quoted(meaning)),
      ),
    ),
    ...rows.flatMap(({ name, options, choices }) => [
      ...(choices.length === 0
        ? []
        : [line(`__pharos_stands_behind ${name}`, '-f', '-a', quoted(choices.join(' ')))]),
      ...options.map(({ name: option, short, meaning, value }) =>
        line(
          `__pharos_is ${name}`,
          '-l',
          option,
          ...(short === undefined ? [] : ['-s', short]),
          ...(value === undefined ? [] : fishValue(value)),
          '-d',
          quoted(meaning),
        ),
      ),
    ]),
  ]
  return `
# fish completion of pharos: pharos completion fish | source
function __pharos_is
  set -l words (commandline -opc)
  set -e words[1]
  string match -q -- "$argv *" "$words "
end
function __pharos_stands_behind
  set -l words (commandline -opc)
  set -e words[1]
  test "$words" = "$argv"
end
${lines.join('\n')}
`
}

const VALUES = {
  file: ['-r', '-F'],
  folder: ['-x', '-a', `'(__fish_complete_directories)'`],
  text: ['-x'],
} as const

const fishValue = (value: NonNullable<CompletedOption['value']>): readonly string[] =>
  typeof value === 'string' ? VALUES[value] : ['-x', '-a', `'${value.join(' ')}'`]
