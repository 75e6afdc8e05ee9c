// What can be set is told where people look for it, and what is told is read.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../server/settings/read_settings.ts'
import { settingRows } from '../../server/settings/rules.ts'
import { SETTING_NAMES, SETTING_SECTIONS } from '../../server/settings/settings.ts'
import { expectCommitted } from '../surfaces/http/golden.ts'
import { exampleEnvironment, settingsReference } from './tell_settings.ts'

const root = resolve(import.meta.dirname, '..', '..')

/** The default of each, as it would be set; empty where there is none. */
const defaults = new Map(
  Object.values(SETTING_SECTIONS)
    .flatMap(settingRows)
    .map(({ setting, byDefault = '' }) => [setting, byDefault] as const),
)

const rows = (readFileSync(join(root, 'README.md'), 'utf8').split('\n## Configuration\n')[1] ?? '')
  .split('\n## ')[0]
  ?.split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) =>
    line.split('|').map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text ?? '')),
  )

describe('the settings', () => {
  it('stand in the configuration reference, which is made from them', () => {
    expectCommitted('deploy/CONFIGURATION.md', settingsReference())
  })

  it('stand in .env.example, which is made from them', () => {
    expectCommitted('.env.example', exampleEnvironment())
  })

  it('are read as .env.example shows them', () => {
    const shown = [...exampleEnvironment().matchAll(/^#([A-Z_]+)=(.*)$/gm)]
    for (const [, name = '', value = ''] of shown)
      expect(() => readConfig({ [name]: value.replaceAll(/<\w+>/g, 'x') }, root), name).not.toThrow(
        new RegExp(`${name} (?!is required)`),
      )
  })

  it('that README tells are there, with the defaults that they have', () => {
    const told = (rows ?? []).flatMap(([, names = [], values = []]) =>
      names.map((name, index) => [name, names.length === values.length ? values[index] : undefined] as const),
    )
    expect(told.length).toBeGreaterThan(8)
    for (const [name, value] of told) {
      expect(defaults.has(name), name).toBe(true)
      if (value !== undefined && defaults.get(name) !== '')
        expect([name, value]).toEqual([name, defaults.get(name)])
    }
  })

  it('are all told', () => {
    expect(SETTING_NAMES.filter((name) => !defaults.has(name))).toEqual([])
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
    const unread = [...defaults.keys()].filter((name) => !asked.has(name))
    expect(
      unread.map(
        (name) =>
          `${name} is told in a section of server/settings/settings.ts, and stands not among SETTINGS there`,
      ),
    ).toEqual([])
  })
})
