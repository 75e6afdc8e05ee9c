// Names that people read in articles and README are the names there are: each table is told whole, and nothing else is.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RESOURCE_SCOPES } from '../../server/domain/accounts/scope.ts'
import { PROOF_TYPES } from '../../server/domain/proofs/proof_request.ts'
import { UTILITIES } from '../../server/domain/utilities/utilities.ts'
import { METRICS } from '../../server/kernel/metrics.ts'
import { REFUSALS } from '../../server/kernel/refusal.ts'
import { LOOKUP_PLACE_NAMES, LOOKUP_PLACES } from '../../shared/proof/lookups/lookup.ts'
import { NOT_EXPRESSIBLE } from '../../shared/proof/opentimestamps/timestamp_path.ts'
import { CHAIN_NAMES } from '../../shared/proof/public_chains.ts'
import { EVENT_NAMES, EVENTS } from '../../shared/wire/webhook_events.ts'

const root = resolve(import.meta.dirname, '..', '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const ARTICLES = 'server/domain/knowledge/articles'
const article = (slug: string): string => read(pageOf(slug))

/** A sentence for each name that the page lacks. */
const untold = (names: readonly string[], told: readonly string[], page: string): string[] =>
  names.filter((name) => !told.includes(name)).map((name) => `${page} does not tell ${name}`)
const pageOf = (slug: string): string => join(ARTICLES, `${slug}.md`)

const cellsOf = (line: string): string[] => line.split('|').map((cell) => cell.trim())
const inBackticks = (text: string): string[] =>
  [...text.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name)

describe('the article', () => {
  it('on errors has every code, and no code that is none', () => {
    const told = inBackticks(article('errors'))
    const codes = Object.keys(REFUSALS)
    expect(untold(codes, told, pageOf('errors'))).toEqual([])
    const inTable = article('errors')
      .split('\n')
      .filter((line) => /^\| [45]\d\d/.test(line))
      .flatMap((line) => {
        const [, statuses = '', names = ''] = cellsOf(line)
        return inBackticks(names).map((code) => ({ code, statuses: statuses.split(', ').map(Number) }))
      })
    expect(inTable.length).toBeGreaterThan(20)
    const table: Readonly<Record<string, { readonly status: number }>> = REFUSALS
    for (const { code, statuses } of inTable) expect(statuses, code).toContain(table[code]?.status)
  })

  it('on OAuth has every scope', () => {
    const told = inBackticks(article('oauth'))
    expect(untold(Object.values(RESOURCE_SCOPES).flat(), told, pageOf('oauth'))).toEqual([])
  })

  it('on webhooks has every event with its meaning', () => {
    const told = article('webhooks')
      .split('\n')
      .filter((line) => /^\| `(item|webhook_endpoint)\./.test(line))
      .map((line) => cellsOf(line).slice(1, 3))
    expect(told, pageOf('webhooks')).toEqual(
      EVENT_NAMES.map((event) => [`\`${event}\``, EVENTS[event].meaning]),
    )
  })

  it('on utilities has every utility', () => {
    const told = article('utilities')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .flatMap((line) => inBackticks(cellsOf(line)[1] ?? ''))
    const paths = UTILITIES.map(({ http }) => http.replace('POST /utilities/', ''))
    expect(untold(paths, told, pageOf('utilities'))).toEqual([])
    expect(told.toSorted()).toEqual(paths.toSorted())
  })

  it('on proofs has every type of proof, and every reason why there is no .ots file', () => {
    const told = (heading: string) =>
      (article('proofs').split(`## ${heading}\n`)[1] ?? '')
        .split('\n## ')[0]
        ?.split('\n')
        .filter((line) => line.startsWith('| `'))
        .flatMap((line) => inBackticks(cellsOf(line)[1] ?? ''))
        .slice(1)
    expect(told('What can be proven'), pageOf('proofs')).toEqual(PROOF_TYPES)
    expect(told('As an .ots file'), pageOf('proofs')).toEqual(Object.keys(NOT_EXPRESSIBLE))
  })

  it('on operating has every public chain that can be named', () => {
    expect(untold(CHAIN_NAMES, inBackticks(article('operating')), pageOf('operating'))).toEqual([])
  })
})

it('README names every mirror that the command-line verifier can be given', () => {
  const told = [...read('README.md').matchAll(/`(PHAROS_[A-Z_]+)`/g)].map(([, name]) => name)
  const settings = LOOKUP_PLACE_NAMES.map((place) => LOOKUP_PLACES[place].verifierSetting)
  expect(told.filter((name) => !/URL|API_KEY/.test(name ?? '')).toSorted(), 'README.md').toEqual(
    settings.toSorted(),
  )
})

const PAGES = ['README.md', ...readdirSync(join(root, ARTICLES)).map((file) => join(ARTICLES, file))]

it('nobody is told a command with which npx installs a package that only has our name', () => {
  const told = [...PAGES, 'server/cli.ts', 'server/client/main.ts'].flatMap(
    (page) => read(page).match(/npx (-\S+ )*pharos/g) ?? [],
  )
  expect(told.length).toBeGreaterThan(10)
  expect(told.filter((line) => line !== 'npx --no pharos')).toEqual([])
})

it('a metric that is named anywhere is one', () => {
  const named = PAGES.flatMap((page) => [...read(page).matchAll(/\bpharos_\w+/g)].map(([name]) => name))
  expect(named.filter((name) => !Object.hasOwn(METRICS, name))).toEqual([])
})
