// What can be set is told where people look for it: README and .env.example name every setting, and no other.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ADDRESS_SETTINGS } from '../../server/address_settings.ts'
import { LIMIT_SETTINGS } from '../../server/domain/limits/budgets.ts'
import { CEILINGS, ceilingNames, ceilings } from '../../server/kernel/ceilings.ts'
import { SETTINGS } from '../../server/settings.ts'

const root = resolve(import.meta.dirname, '..', '..')
const read = (name: string): string => readFileSync(join(root, name), 'utf8')

const settings = [
  ...Object.keys(SETTINGS),
  ...ADDRESS_SETTINGS.keys(),
  ...LIMIT_SETTINGS.keys(),
  ...ceilingNames.map((name) => CEILINGS[name].setting),
].sort()

describe('the settings', () => {
  it('stand in README, every one and no other', () => {
    const [, table = ''] = read('README.md').split('\n## Configuration\n')
    const told = table
      .split('\n## ')[0]
      ?.split('\n')
      .filter((line) => line.startsWith('| `'))
      .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name))
    expect(told?.sort()).toEqual(settings)
  })

  it('stand in .env.example, every one and no other', () => {
    const told = [...read('.env.example').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name)
    expect(told.sort()).toEqual(settings)
  })

  it('tell the defaults of the ceilings as they are', () => {
    const example = read('.env.example')
    for (const name of ceilingNames)
      expect(example).toContain(`#${CEILINGS[name].setting}=${ceilings()[name]}\n`)
  })
})
