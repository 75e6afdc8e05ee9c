// The files that operators install from name what exists: programs, flags, settings, routes, folders.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { SETTING_NAMES } from '../../server/settings/settings.ts'

const ROOT = resolve(import.meta.dirname, '..', '..')
const read = (name: string): string => readFileSync(join(ROOT, 'deploy', name), 'utf8')
const settings = new Set(SETTING_NAMES)
const flags = manifest.scripts.start.split(' ').filter((word) => word.startsWith('--'))

/** Names of the environment that are not ours. */
const OTHERS = new Set(['NODE_ENV', 'PATH'])

it('the unit starts the server as npm start does', () => {
  const command = /^ExecStart=(.*)$/m.exec(read('pharos.service'))?.[1] ?? ''
  expect(command.split(' ').slice(1)).toEqual([...flags, 'server/start.js', 'server/main.ts'])
})

it('the image starts the server as npm start does', () => {
  const command: unknown = JSON.parse(/^CMD (\[.*\])$/m.exec(read('Dockerfile'))?.[1] ?? '')
  expect(command).toEqual(['node', ...flags, 'server/start.js', 'server/main.ts'])
})

it('the unit and the image set only settings that exist', () => {
  const set = [
    ...(/^Environment=(.*)$/m.exec(read('pharos.service'))?.[1] ?? '').split(' '),
    ...(/^ENV (.*)$/m.exec(read('Dockerfile'))?.[1] ?? '').split(' '),
  ].map((pair) => pair.split('=')[0] ?? '')
  expect(set.length).toBeGreaterThan(4)
  expect(set.filter((name) => !settings.has(name) && !OTHERS.has(name))).toEqual([])
})

it('the image is made from files that are there, and from nothing that it does not say', () => {
  const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) =>
    names.split(' '),
  )
  const admitted = [...read('Dockerfile.dockerignore').matchAll(/^!(.+)$/gm)].map(([, name]) => name)
  expect(copied.filter((name) => !existsSync(join(ROOT, name)))).toEqual([])
  expect(admitted.sort()).toEqual(copied.sort())
})

it('the image runs as an account without rights, and stops as long as a stop may take', () => {
  const lines = read('Dockerfile').split('\n')
  expect(lines.indexOf('USER pharos')).toBeGreaterThan(lines.findLastIndex((line) => line.startsWith('RUN')))
  const patience = Number(/^TimeoutStopSec=(\d+)$/m.exec(read('pharos.service'))?.[1])
  // The longest STOP_DELAY, and the ceiling of a stop after it.
  expect(patience).toBeGreaterThan(60 + 7.5)
})
