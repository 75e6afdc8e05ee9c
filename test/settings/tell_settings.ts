// Tells all settings to operators: the configuration reference and `.env.example`, both made from the tables that
// the settings are read by.
import { formOf, settingRows } from '../../server/settings/rules.ts'
import { SETTING_SECTIONS } from '../../server/settings/settings.ts'

/** A Markdown document with a table for each section. */
export const settingsReference = (): string =>
  [
    '# Configuration',
    '',
    'Every setting is an environment variable, or a line of a `.env` file beside `package.json`; the environment goes',
    'before the file. Mistakes are reported all at once, before anything starts. `npm run golden` makes this page from',
    'the tables that the settings are read by.',
    ...Object.entries(SETTING_SECTIONS).flatMap(([section, settings]) => [
      '',
      `## ${section}`,
      '',
      '| variable | default | form | meaning |',
      '|---|---|---|---|',
      ...settingRows(settings).map(
        ({ setting, byDefault, rule, meaning }) =>
          `| \`${setting}\` | ${byDefault ? `\`${byDefault}\`` : 'none'} | ${formOf(rule)} | ${meaning} |`,
      ),
    ]),
    '',
  ].join('\n')

/** A `.env` file in which every line is a comment: each setting with its default, or with an example. */
export const exampleEnvironment = (): string =>
  [
    '# Every setting has a default; copy this file to .env and uncomment what you want to change.',
    ...Object.entries(SETTING_SECTIONS).flatMap(([section, settings]) => [
      '',
      `# === ${section} ===`,
      ...settingRows(settings).flatMap(({ setting, byDefault, example = '', meaning }) => [
        '',
        `# ${meaning.slice(0, 1).toUpperCase()}${meaning.slice(1)}.`,
        `#${setting}=${byDefault || example}`,
      ]),
    ]),
    '',
  ].join('\n')
