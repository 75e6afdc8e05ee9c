// Every command that a text of ours tells people to type is there, with the options that it is told with: in programs,
// README, articles, deploy files, examples and on the pages of the console.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { programOf } from '../../../server/client/commands.ts'
import { PROGRAM as OPERATORS } from '../../../server/commands/commands.ts'
import { commandIn, commandsOf, type Program, tableOf } from '../../../shared/cli/program.ts'

const ROOT = resolve(import.meta.dirname, '..', '..', '..')

const EVERYBODY = programOf('pharos')

/** How a command begins, wherever it is written, and whose it is then. */
const BEGINNINGS: readonly (readonly [RegExp, readonly Program[]])[] = [
  [/npm run (?:-s )?pharos -- /g, [OPERATORS, EVERYBODY]],
  [/(?:npx --no pharos|node (?:[\w./-]+\/)?pharos(?:\.readable)?\.mjs) /g, [EVERYBODY]],
  [/\$\{(?:surroundings\.)?self\} /g, [EVERYBODY]],
  [/node \$\{VERIFIER_NAME\} /g, [EVERYBODY]],
  // In shell scripts and in backticks. In a container of the service the name is that of the operator's commands.
  [/(?:^|[`;|(]|&& |then |do |! )\s*pharos (?=[a-z])/gm, [EVERYBODY, OPERATORS]],
]

/** Where a command that is told ends. */
const END = /[`\n;|)]|&&|\\n|'|"(?=[,)])|\. |, |: /

interface Told {
  readonly place: string
  readonly words: string
  readonly programs: readonly Program[]
}

const TEXTS = /\.(md|tsx?|mjs|js|sh|py|go|yaml|yml|service|cron|cfg|json|example|txt)$|^[^.]+$/

const files = [
  'server',
  'shared',
  'console-web',
  'deploy',
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
]
  .flatMap((top) =>
    top.includes('.')
      ? [join(ROOT, top)]
      : readdirSync(join(ROOT, top), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name)),
  )
  .filter((path) => TEXTS.test(path) && !/\/dist\//.test(path))

const told: readonly Told[] = files.flatMap((path) => {
  const text = readFileSync(path, 'utf8')
  return BEGINNINGS.flatMap(([beginning, programs]) =>
    [...text.matchAll(beginning)].map((match) => {
      const start = match.index + match[0].length
      const line = text.slice(0, start).split('\n').length
      // A command that goes on in the next line.
      const rest = text.slice(start, start + 500).replaceAll(/\\\n\s*/g, ' ')
      const words = rest.slice(0, Math.max(0, rest.search(END))) || rest
      return { place: `${relative(ROOT, path)}:${line}`, words: words.trim(), programs }
    }),
  )
})

/** Undefined when the program knows it. */
function fault(program: Program, words: string): string | undefined {
  const table = tableOf(program)
  const args = words.split(/\s+/)
  const [first = ''] = args
  // A placeholder, or an option of the program itself.
  if (/^(?:<command>|\$|\$\{|--|…|\.\.\.|$)/.test(first)) return undefined
  const found = commandIn(table, args)
  if (found === undefined)
    return Object.keys(commandsOf(table, first)).length > 0 ? undefined : `there is no command ${words}`
  const known = { ...found.command.options, ...program.options }
  const options = [...words.matchAll(/(?<=^|[\s[(])--([a-z][\w-]*)/g)].map(([, name = '']) => name)
  const unknown = options.filter((name) => !Object.hasOwn(known, name))
  return unknown.length === 0 ? undefined : `${found.name} takes no --${unknown.join(', --')}: ${words}`
}

it('every command that is told is there, with its options', () => {
  expect(told.length).toBeGreaterThan(60)
  const faults = told.flatMap(({ place, words, programs }) => {
    const found = programs.map((program) => fault(program, words))
    return found.includes(undefined) ? [] : [`${place}: ${found[0]}`]
  })
  expect(faults).toEqual([])
})

it('a command for operators tells of another one as it is typed', () => {
  const names = Object.keys(OPERATORS.commands).filter((name) => name.includes(' '))
  const bare = new RegExp(`(?<!npm run pharos -- )\\b(?:${names.join('|')}) --[a-z]`, 'g')
  const programs = files.filter((path) => path.startsWith(join(ROOT, 'server', 'commands')))
  const found = programs.flatMap((path) => readFileSync(path, 'utf8').match(bare) ?? [])
  expect(found).toEqual([])
})

it('none is told with npx alone, which would fetch a package of somebody else outside of a checkout', () => {
  const bare = files.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/npx (?:-y |--yes )?pharos\b/g)].map(() => relative(ROOT, path)),
  )
  expect(bare).toEqual([])
})

it('who types a command for operators is told where it is', () => {
  const nouns = new Set(Object.keys(OPERATORS.commands).map((name) => name.split(' ')[0] ?? name))
  const foreign = [...nouns].filter((noun) => commandIn(EVERYBODY.commands, [noun]) === undefined)
  expect(foreign.length).toBeGreaterThan(8)
  expect(foreign.filter((noun) => EVERYBODY.elsewhere?.([noun]) === undefined)).toEqual([])
})
