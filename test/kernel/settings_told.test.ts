// What can be set is told where people look for it, with the defaults there are, and what is told is read.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ADDRESS_SETTINGS } from '../../server/address_settings.ts'
import { readConfig } from '../../server/config.ts'
import { LIMIT_SETTINGS } from '../../server/domain/limits/budgets.ts'
import { CEILINGS, ceilingNames, ceilings } from '../../server/kernel/ceilings.ts'
import { SETTINGS } from '../../server/settings.ts'

const root = resolve(import.meta.dirname, '..', '..')
const read = (name: string): string => readFileSync(join(root, name), 'utf8')

/** The default of each, as it would be set; empty where there is none. */
const defaults = new Map<string, string>([
  ...Object.entries(SETTINGS).map(([name, { byDefault }]) => [name, byDefault ?? ''] as const),
  ...[...ADDRESS_SETTINGS].map(([name, { byDefault }]) => [name, byDefault] as const),
  ...[...LIMIT_SETTINGS].map(([name, { byDefault }]) => [name, String(byDefault)] as const),
  ...ceilingNames.map((name) => [CEILINGS[name].setting, String(ceilings()[name])] as const),
])
const settings = [...defaults.keys()].sort()

const rows = (read('README.md').split('\n## Configuration\n')[1] ?? '')
  .split('\n## ')[0]
  ?.split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) =>
    line.split('|').map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text ?? '')),
  )

describe('the settings', () => {
  it('stand in README, every one and no other', () => {
    expect(rows?.flatMap(([, names = []]) => names).sort()).toEqual(settings)
  })

  it('stand in .env.example, every one and no other', () => {
    const told = [...read('.env.example').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name)
    expect(told.sort()).toEqual(settings)
  })

  it('have their defaults in .env.example as they are', () => {
    const example = read('.env.example')
    for (const [name, byDefault] of defaults)
      if (byDefault !== '') expect(example).toContain(`#${name}=${byDefault}\n`)
  })

  it('have their defaults in README as they are, where they are told there', () => {
    let compared = 0
    for (const [, names = [], told = []] of rows ?? [])
      if (names.length === told.length)
        for (const [index, name] of names.entries()) {
          const byDefault = defaults.get(name)
          if (byDefault === undefined || byDefault === '') continue
          expect([name, told[index]]).toEqual([name, byDefault])
          compared += 1
        }
    expect(compared).toBeGreaterThanOrEqual(30)
  })

  it('are all read', () => {
    const asked = new Set<string>()
    const environment = new Proxy<Record<string, string | undefined>>(
      {},
      {
        get: (_, name) => {
          asked.add(String(name))
          return undefined
        },
      },
    )
    readConfig(environment, root)
    expect(settings.filter((name) => !asked.has(name))).toEqual([])
  })
})
