// The script that makes zsh complete the words of `pharos`, and tell what they mean.
import {
  type CompletedOption,
  type CompletionRow,
  firstWords,
  inQuotes,
  optionWords,
  verbsByNoun,
} from './rows.ts'

export function zshScript(rows: readonly CompletionRow[]): string {
  const described = (word: string, meaning: string): string =>
    inQuotes(`${word.replaceAll(':', '\\:')}:${meaning}`)
  const nouns = verbsByNoun(rows)
  const first = firstWords(rows).map((noun) => {
    const row = rows.find(({ name }) => name === noun)
    return described(noun, row?.meaning ?? (nouns.get(noun) ?? []).map(({ verb }) => verb).join(', '))
  })
  return `
#compdef pharos
# zsh completion of pharos: source <(pharos completion zsh)
_pharos() {
  local -a words_of
  if ((CURRENT == 2)); then
    words_of=(${first.join(' ')})
    _describe command words_of
    return
  fi
  local name=$words[2]
  case $name in
${[...nouns]
  .map(
    ([noun, verbs]) => `    ${noun})
      if ((CURRENT == 3)); then
        words_of=(${verbs.map(({ verb = '', meaning }) => described(verb, meaning)).join(' ')})
        _describe command words_of
        return
      fi
      name+=" $words[3]"
      shift words
      ((CURRENT--)) ;;`,
  )
  .join('\n')}
  esac
  shift words
  ((CURRENT--))
  case $name in
${rows.map(({ name, options, choices }) => `    ${inQuotes(name)}) _arguments ${[...options.flatMap(zshOption), ...zshWords(choices)].join(' ')} ;;`).join('\n')}
  esac
}
if [[ $funcstack[1] == _pharos ]]; then _pharos "$@"; else compdef _pharos pharos; fi
`
}

const zshWords = (choices: readonly string[]): string[] =>
  choices.length > 0 ? [inQuotes(`1: :(${choices.join(' ')})`)] : [inQuotes('*: :_files')]

function zshOption(option: CompletedOption): string[] {
  const { meaning, value, multiple } = option
  const words = optionWords(option)
  const told = `[${meaning.replaceAll(/[[\]\\]/g, '\\$&')}]`
  const taken = value === undefined ? '' : `: :${zshValue(value)}`
  // Each form rules the others out, unless the option may be repeated.
  const others = multiple === true ? '*' : `(${words.join(' ')})`
  return words.map((word) => inQuotes(`${others}${word}${told}${taken}`))
}

const VALUES = { file: '_files', folder: '_files -/', text: ' ' } as const

const zshValue = (value: NonNullable<CompletedOption['value']>): string =>
  typeof value === 'string' ? VALUES[value] : `(${value.join(' ')})`
