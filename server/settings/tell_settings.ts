// Tells all settings to operators: the configuration reference and `.env.example`, both made from the tables that
// the settings are read by.
import { LIMIT_SETTINGS } from '../domain/limits/budgets.ts'
import { CEILINGS, ceilingNames } from '../kernel/ceilings.ts'
import { ADDRESS_SETTINGS } from './address_settings.ts'
import { formOf, SETTING_SECTIONS, type Setting } from './rules.ts'
import { SETTINGS } from './settings.ts'

interface Told {
  readonly name: string
  readonly form: string
  readonly byDefault: string
  readonly example: string
  readonly meaning: string
}

/** The sections in order, each with its settings. */
export function toldSettings(): ReadonlyMap<string, readonly Told[]> {
  const settings: readonly (readonly [string, Setting])[] = Object.entries(SETTINGS)
  const addresses = [...ADDRESS_SETTINGS].map(([name, { byDefault, meaning }]) =>
    told(name, 'an http(s) address', byDefault, meaning),
  )
  const lookUp = addresses.filter(({ name }) => name.startsWith('LOOKUP_'))
  const sections: (readonly [string, readonly Told[]])[] = SETTING_SECTIONS.map((section) => [
    section,
    settings
      .filter(([, setting]) => setting.section === section)
      .map(([name, { rule, byDefault = '', meaning, example }]) =>
        told(name, formOf(rule), byDefault, meaning, example),
      ),
  ])
  return new Map([
    ...sections,
    ['Addresses of public sources', addresses.filter((one) => !lookUp.includes(one))],
    ['Addresses that verifications ask', lookUp],
    ['Budgets, per minute', [...LIMIT_SETTINGS].map(([name, row]) => numbered(name, row))],
    ['Ceilings', ceilingNames.map((name) => numbered(CEILINGS[name].setting, CEILINGS[name]))],
  ])
}

/** A Markdown document with a table for each section. */
export const settingsReference = (): string =>
  [
    '# Configuration',
    '',
    'Every setting is an environment variable, or a line of a `.env` file beside `package.json`; the environment goes',
    'before the file. Mistakes are reported all at once, before anything starts. `npm run golden` makes this page from',
    'the tables that the settings are read by.',
    ...[...toldSettings()].flatMap(([section, rows]) => [
      '',
      `## ${section}`,
      '',
      '| variable | default | form | meaning |',
      '|---|---|---|---|',
      ...rows.map(
        ({ name, byDefault, form, meaning }) =>
          `| \`${name}\` | ${byDefault === '' ? 'none' : `\`${byDefault}\``} | ${form} | ${meaning} |`,
      ),
    ]),
    '',
  ].join('\n')

/** A `.env` file in which every line is a comment: each setting with its default, or with an example. */
export const exampleEnvironment = (): string =>
  [
    '# Every setting has a default; copy this file to .env and uncomment what you want to change.',
    ...[...toldSettings()].flatMap(([section, rows]) => [
      '',
      `# === ${section} ===`,
      ...rows.flatMap(({ name, byDefault, example, meaning }) => [
        '',
        `# ${meaning.slice(0, 1).toUpperCase()}${meaning.slice(1)}.`,
        `#${name}=${byDefault === '' ? example : byDefault}`,
      ]),
    ]),
    '',
  ].join('\n')

const told = (name: string, form: string, byDefault: string, meaning: string, example = ''): Told => ({
  name,
  form,
  byDefault,
  example,
  meaning,
})

const numbered = (name: string, row: { readonly byDefault: number; readonly meaning: string }): Told =>
  told(name, 'a whole number from 1', String(row.byDefault), row.meaning)
