// The script that makes bash complete the words of `pharos`. Nothing in it is newer than bash 4.
import {
  type CompletedOption,
  type CompletionRow,
  firstWords,
  inQuotes,
  optionWords,
  verbsByNoun,
} from './rows.ts'

export function bashScript(rows: readonly CompletionRow[]): string {
  const nouns = verbsByNoun(rows)
  const values = rows.flatMap(({ name, options }) =>
    options.flatMap((option) => {
      if (option.value === undefined) return []
      const pattern = optionWords(option)
        .map((word) => inQuotes(`${name} ${word}`))
        .join('|')
      return [`    ${pattern}) ${bashValue(option.value)}; return ;;`]
    }),
  )
  return `
# bash completion of pharos: source <(pharos completion bash)
_pharos() {
  local word=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} name=\${COMP_WORDS[1]} at=2
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then _pharos_words ${inQuotes(firstWords(rows).join(' '))}; return; fi
  case $name in
${[...nouns]
  .map(([noun, verbs]) => {
    const words = inQuotes(verbs.map(({ verb }) => verb).join(' '))
    return `    ${noun}) if ((COMP_CWORD == 2)); then _pharos_words ${words}; return; fi; name+=" \${COMP_WORDS[2]}" at=3 ;;`
  })
  .join('\n')}
  esac
  case "$name $previous" in
${values.join('\n')}
  esac
  if [[ $word == -* ]]; then
    case $name in
${rows.map(({ name, options }) => `      ${inQuotes(name)}) _pharos_words ${inQuotes(options.flatMap(optionWords).join(' '))} ;;`).join('\n')}
    esac
    return
  fi
  case "$name $((COMP_CWORD - at))" in
${rows
  .filter(({ choices }) => choices.length > 0)
  .map(
    ({ name, choices }) =>
      `    ${inQuotes(`${name} 0`)}) _pharos_words ${inQuotes(choices.join(' '))}; return ;;`,
  )
  .join('\n')}
  esac
  _pharos_files -f
}
_pharos_words() { COMPREPLY=($(compgen -W "$1" -- "$word")); }
_pharos_files() { local IFS=$'\\n'; compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen "$1" -- "$word")); }
complete -F _pharos pharos
`
}

const VALUES = { file: '_pharos_files -f', folder: '_pharos_files -d', text: ':' } as const

const bashValue = (value: NonNullable<CompletedOption['value']>): string =>
  typeof value === 'string' ? VALUES[value] : `_pharos_words ${inQuotes(value.join(' '))}`
