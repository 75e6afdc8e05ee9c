// The catalog and its language say nothing to the compiler that the compiler cannot check: what kinds judge has a type from then on.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const SERVER = join(import.meta.dirname, '..', '..', 'server')

const SOURCES = ['catalog', 'contract', 'domain/utilities', 'domain/knowledge'].flatMap((folder) =>
  readdirSync(join(SERVER, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name)),
)

const QUOTED_OR_COMMENT = /'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g
const IMPORTED = /^(?:import|export) [^;]*? from $/gm

/** A mapped type may give its members other names. */
const RENAMED = /\[\s*\w+ in keyof \w+ as /g

/** `as const` narrows what stands there and `satisfies` checks it; everything else overrules the compiler. */
const CASTS = [/\bas\b(?!\s+const\b)/, /[\w)\]]!(?!=)/, /@ts-/, /(?::|<|\|)\s*any\b/]

function castsIn(source: string): string[] {
  const told = source.match(/@ts-[\w-]+/g) ?? []
  const code = source.replace(QUOTED_OR_COMMENT, '').replace(IMPORTED, '')
  return [
    ...told,
    ...code
      .replace(RENAMED, '')
      .split('\n')
      .filter((line) => CASTS.some((cast) => cast.test(line))),
  ]
}

it.each(SOURCES)('%s has no cast', (name) => {
  expect(castsIn(readFileSync(join(SERVER, name), 'utf8'))).toEqual([])
})

it('every way to overrule the compiler is found, and nothing else', () => {
  for (const cast of [
    'const a = b as string',
    'run(given as unknown as Row)',
    'f(x as never)',
    'const id = row!.id',
    'const id = rows[0]!',
    'g(find(it)!)',
    '// @ts-expect-error it knows better',
    'const all: any = 5',
  ])
    expect(castsIn(cast), cast).not.toEqual([])
  for (const sound of [
    "import { type Action as Described } from './action.ts'",
    "import {\n  one,\n  type Two as Three,\n} from './two.ts'",
    "const AS = ['a', 'b'] as const",
    "const x = { a: 'as seen' } satisfies Y // as told by any of them!",
    'const text = `as shown, any!`',
    'if (a !== b && !c) return',
  ])
    expect(castsIn(sound), sound).toEqual([])
})
