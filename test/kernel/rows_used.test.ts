// What a table declares is used where it has its effect: a row that nothing uses is named, with the file it stands in.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RESOURCE_SCOPES } from '../../server/domain/accounts/scope.ts'
import { FACT_KINDS } from '../../server/domain/ledger/facts.ts'
import { ceilingNames } from '../../server/kernel/ceilings.ts'
import { METRICS } from '../../server/kernel/metrics.ts'
import { REFUSALS } from '../../server/kernel/refusal.ts'
import { readConfig } from '../../server/settings/read_settings.ts'

const SERVER = resolve(import.meta.dirname, '..', '..', 'server')

/** Comments, and what a refusal tells of a number that was passed, are no use of it. */
const ONLY_SAID = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$|\$\{ceilings\.\w+\}|\bmeta: \{[^{}]*\}/gm

const code = new Map(
  readdirSync(SERVER, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => [path, readFileSync(join(SERVER, path), 'utf8').replace(ONLY_SAID, '')] as const),
)

interface Table {
  readonly names: readonly string[]
  /** The code of a use. */
  readonly use: (name: string) => RegExp
  /** The beginnings of paths: files that declare, tell or adjust the rows, and in which nothing has its effect. */
  readonly tellers: readonly string[]
  /** The sentence of a row that nothing uses. */
  readonly unused: (name: string) => string
}

function unusedIn({ names, use, tellers, unused }: Table): string[] {
  const users = [...code].filter(([path]) => !tellers.some((teller) => path.startsWith(teller)))
  return names.filter((name) => !users.some(([, text]) => use(name).test(text))).map(unused)
}

/** Read from a record of this name, or taken out of one of this type or name. */
const memberOf = (record: string, type: string) => (name: string) =>
  new RegExp(
    `\\b${record}\\.${name}\\b|\\{[^{}]*\\b${name}\\b[^{}]*\\}(: (Pick<)?${type}\\b| = ${record}\\b)`,
  )

/** The file that passes the settings on, with what a start opens. */
const PASSES_ON = 'service/app_options.ts'

/** Where other things have options too. */
const OTHER_OPTIONS = ['surfaces/', 'workers/', 'domain/', 'kernel/', 'store/']

function openedNames(): string[] {
  const [, members = ''] = /interface Opened \{(.*?)\n\}/s.exec(code.get(PASSES_ON) ?? '') ?? []
  return [...members.matchAll(/^ {2}readonly (\w+)/gm)].map(([, name = '']) => name)
}

const quoted = (name: string) => new RegExp(`['"]${name.replaceAll('.', '\\.')}['"]`)

describe('every row is used', () => {
  const tables: Readonly<Record<string, Table>> = {
    metric: {
      names: Object.keys(METRICS),
      use: (name) => new RegExp(`\\.(count|set|observe)\\(\\s*'${name}'`),
      tellers: ['kernel/metric'],
      unused: (name) =>
        `${name} of METRICS is never counted, set or observed: call metrics.count, set or observe with it where it happens`,
    },
    ceiling: {
      names: ceilingNames,
      use: (name) =>
        new RegExp(
          `\\bceilings\\.${name}\\b|\\{[^{}]*\\b${name}\\b[^{}]*\\}(: (Pick<)?Ceilings\\b| = ([\\w.]+\\.)?ceilings\\b)`,
        ),
      tellers: ['kernel/ceilings.ts', 'surfaces/openapi/', 'doctor/'],
      unused: (name) =>
        `${name} of server/kernel/ceilings.ts holds nowhere: read ceilings.${name} where more than that is refused`,
    },
    setting: {
      names: Object.keys(readConfig({}, SERVER)),
      use: memberOf('(config|options)', '(Config|AppOptions)'),
      tellers: ['settings/', 'doctor/', ...OTHER_OPTIONS],
      unused: (name) =>
        `${name} of server/settings/settings.ts is read and used nowhere: read config.${name} or options.${name} where it has its effect`,
    },
    'option of a server': {
      names: openedNames(),
      use: memberOf('options', 'AppOptions'),
      tellers: [PASSES_ON, ...OTHER_OPTIONS],
      unused: (name) =>
        `${name} of server/service/app_options.ts is passed to the server and used nowhere: read options.${name} where it has its effect`,
    },
    'error code': {
      names: Object.keys(REFUSALS),
      // Where it is compared with, or one of those that a type allows, nothing is refused.
      use: (name) =>
        new RegExp(`\\b(refus\\w+|problem)\\(\\s*'${name}'|(?<!readonly )\\bcode: '${name}'(?! \\|)`),
      // A ceiling names the code that is refused with elsewhere.
      tellers: ['kernel/refusal.ts', 'kernel/ceilings.ts', 'surfaces/openapi/'],
      unused: (name) =>
        `${name} of server/kernel/refusal.ts refuses nothing: throw refuse('${name}') where it does`,
    },
    fact: {
      names: FACT_KINDS,
      use: quoted,
      tellers: ['domain/ledger/facts.ts', 'surfaces/'],
      unused: (name) =>
        `${name} of server/domain/ledger/facts.ts is recorded nowhere: record it in the verb that makes it true`,
    },
    scope: {
      names: Object.values(RESOURCE_SCOPES).flat(),
      use: quoted,
      tellers: ['domain/accounts/scope.ts', 'surfaces/oauth/resources.ts', 'surfaces/openapi/'],
      unused: (name) =>
        `${name} of server/domain/accounts/scope.ts allows nothing: require it where it is needed, with requireScopes`,
    },
  }
  /** Older clients ask for it, and it allows what `console:read` does. */
  const kept = [tables.scope?.unused('console:write')]

  it.each(Object.entries(tables))('%s', (_, table) => {
    expect(table.names).not.toEqual([])
    expect(unusedIn(table).filter((sentence) => !kept.includes(sentence))).toEqual([])
  })

  it.each(Object.entries(tables))('%s: one that is not there is told', (_, table) => {
    const names = ['pharos_nothing_total', 'nothing_at_all']
    expect(unusedIn({ ...table, names })).toEqual(names.map(table.unused))
  })
})
