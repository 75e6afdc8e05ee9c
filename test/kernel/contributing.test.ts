// CONTRIBUTING.md sends people to files and commands: all of them are there.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }

const root = resolve(import.meta.dirname, '..', '..')
const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
const inBackticks = [...text.matchAll(/`([^`\n]+)`/g)].map(([, word = '']) => word)

it('names files and folders that are there', () => {
  const links = [...text.matchAll(/\]\(([^)#]+)/g)].map(([, path = '']) => path)
  const paths = inBackticks.filter(
    (word) => /^[\w.-]+(\/[\w.-]*)+$/.test(word) || /\.(md|ts|example)$/.test(word),
  )
  const named = [...links, ...paths.filter((word) => word !== '.ts' && !word.startsWith('npx '))]
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

it('names every golden file that is made anew', () => {
  const made = readdirSync(join(root, 'test/golden')).filter((name) => name !== 'client_schema.graphql')
  expect(made.filter((name) => !inBackticks.includes(`test/golden/${name}`))).toEqual([])
})

it('names commands that are there', () => {
  const scripts = inBackticks.flatMap((word) =>
    [...word.matchAll(/^npm run ([\w:]+)/g)].map(([, name]) => name),
  )
  expect(scripts).toContain('golden')
  expect(scripts.filter((name) => !Object.hasOwn(manifest.scripts, name ?? ''))).toEqual([])
})
