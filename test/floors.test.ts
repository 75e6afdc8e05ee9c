// The house keeps its floors: a folder imports only from folders below it, and there are no circles.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** A room of the console about one noun, on the parts and the data; the nouns it needs besides are below it. */
const consoleNoun = (name: string, ...lower: readonly string[]): Record<string, readonly string[]> => ({
  [`console-web/src/${name}`]: [
    ...lower.map((noun) => `console-web/src/${noun}`),
    'console-web/src/data',
    'console-web/src/session',
    'console-web/src/ui',
    'shared',
    // The page hands out the command-line verifier, as a file.
    ...(name === 'proofs' ? ['server/client/dist'] : []),
  ],
})

const GROUND = ['server/store', 'server/kernel', 'shared']

/** A room of the domain, with the rooms of the domain and others below it that it needs. */
const domain = (name: string, ...lower: readonly string[]): Record<string, readonly string[]> => ({
  [`server/domain/${name}`]: [...lower.map((room) => `server/${room}`), ...GROUND],
})

/** What a way in may import. None imports another but the ground they share. */
const SURFACE = [
  'server/surfaces/http',
  'server/catalog',
  'server/admission',
  'server/contract',
  'server/domain/*',
  ...GROUND,
]

/** Rooms from the ground up. A room may import itself and any room listed in its row; `shared` sees nothing of ours. */
const mayImport: Record<string, readonly string[]> = {
  shared: [],
  // What command lines have in common, for Node alone.
  'shared/cli': [],
  // How work waits, repeats and shares.
  'server/kernel/flow': [],
  'server/kernel': ['server/kernel/flow', 'shared'],
  // Requests to addresses that others chose.
  'server/outgoing': ['server/kernel', 'shared'],
  'server/store': ['server/kernel', 'shared'],
  // A node as others run one: the domain reaches it over loopback and never imports it.
  'server/devchain': ['server/outgoing', ...GROUND],
  'server/contract': GROUND,
  ...domain('accounts'),
  ...domain('oauth', 'domain/accounts'),
  ...domain('ledger', 'domain/accounts', 'contract'),
  ...domain('limits', 'domain/accounts'),
  ...domain('beacons', 'domain/ledger', 'domain/accounts'),
  ...domain('commitments', 'domain/ledger', 'domain/accounts', 'outgoing'),
  ...domain('entropy', 'domain/ledger', 'domain/accounts', 'outgoing'),
  ...domain(
    'proofs',
    'domain/commitments',
    'domain/entropy',
    'domain/ledger',
    'domain/limits',
    'domain/accounts',
    'outgoing',
  ),
  ...domain('log', 'domain/ledger', 'domain/accounts', 'outgoing'),
  ...domain('rounds', 'domain/commitments', 'domain/ledger'),
  ...domain('time_stamps', 'domain/rounds', 'domain/ledger', 'outgoing'),
  ...domain('webhooks/deliveries', 'domain/ledger', 'domain/accounts'),
  ...domain('webhooks/endpoints', 'domain/webhooks/deliveries', 'domain/accounts', 'outgoing'),
  ...domain('webhooks/fan_out', 'domain/webhooks/deliveries', 'domain/ledger'),
  ...domain(
    'webhooks/sending',
    'domain/webhooks/endpoints',
    'domain/webhooks/deliveries',
    'domain/ledger',
    'domain/accounts',
    'outgoing',
  ),
  ...domain(
    'webhooks/pulling',
    'domain/webhooks/sending',
    'domain/webhooks/endpoints',
    'domain/webhooks/deliveries',
  ),
  ...domain(
    'webhooks/receiver',
    'domain/webhooks/sending',
    'domain/webhooks/endpoints',
    'domain/accounts',
    'outgoing',
  ),
  ...domain('utilities', 'domain/ledger', 'domain/accounts', 'contract'),
  ...domain('knowledge', 'domain/utilities', 'contract'),
  // Who may come in now.
  'server/admission': ['server/contract', 'server/domain/*', ...GROUND],
  'server/catalog': ['server/contract', 'server/domain/*', 'server/outgoing', ...GROUND],
  'server/jobs': ['server/domain/*', 'server/outgoing', ...GROUND],
  'server/settings': ['server/domain/*', 'server/outgoing', ...GROUND],
  'server/surfaces/http': ['server/admission', 'server/contract', 'server/domain/*', ...GROUND],
  'server/surfaces/*': SURFACE,
  'server/surfaces/graphql/schema': SURFACE,
  'server/surfaces/graphql/limits': ['server/surfaces/graphql/schema', ...SURFACE],
  'server/surfaces/graphql/run': [
    'server/surfaces/graphql/limits',
    'server/surfaces/graphql/schema',
    ...SURFACE,
  ],
  'server/surfaces/graphql/stream': [
    'server/surfaces/graphql/run',
    'server/surfaces/graphql/schema',
    ...SURFACE,
  ],
  'server/surfaces/graphql': ['server/surfaces/graphql/run', 'server/surfaces/graphql/schema', ...SURFACE],
  // Programs that call the agent's tools. The agent does not know of them.
  'server/surfaces/agent/scripts': ['server/surfaces/agent', ...SURFACE],
  // One room with its pages.
  'server/surfaces/oauth': ['server/outgoing', ...SURFACE],
  // Runs on other people's computers, without the house around it.
  'server/client': ['shared'],
  // The processes of one start. What they run is not theirs to know.
  'server/workers': ['server/kernel'],
  // Metrics, readiness, traces.
  'server/watch': ['server/settings', 'server/jobs', 'server/domain/*', ...GROUND],
  // What is true before anybody is served.
  'server/start': ['server/settings', 'server/jobs', 'server/domain/*', ...GROUND],
  // The composition.
  'server/service': [
    'server/surfaces/*',
    'server/catalog',
    'server/admission',
    'server/contract',
    'server/watch',
    'server/start',
    'server/settings',
    'server/jobs',
    'server/workers',
    'server/devchain',
    'server/domain/*',
    'server/outgoing',
    ...GROUND,
  ],
  // What looks at an installation from outside.
  'server/doctor': [
    'server/start',
    'server/settings',
    'server/jobs',
    'server/domain/*',
    'server/outgoing',
    ...GROUND,
  ],
  'server/commands': [
    'server/doctor',
    'server/start',
    'server/settings',
    'server/devchain',
    'server/domain/*',
    'server/outgoing',
    ...GROUND,
  ],
  // What one can start.
  server: ['server/*', 'shared/cli'],
  'console-web/src/data': ['shared'],
  'console-web/src/ui': ['console-web/src/data', 'shared'],
  // Who is signed in.
  'console-web/src/session': ['console-web/src/data', 'shared'],
  ...consoleNoun('hashing'),
  ...consoleNoun('commitments'),
  ...consoleNoun('entropy'),
  ...consoleNoun('items', 'commitments', 'hashing'),
  ...consoleNoun('blocks', 'commitments', 'entropy', 'items'),
  // How the live chain reaches the page.
  ...consoleNoun('connection'),
  ...consoleNoun('chain', 'connection', 'blocks', 'commitments'),
  ...consoleNoun('outside', 'chain', 'connection'),
  ...consoleNoun('proofs', 'commitments', 'blocks', 'chain', 'connection', 'outside'),
  ...consoleNoun('verify', 'hashing', 'proofs'),
  ...consoleNoun('stamp', 'hashing', 'commitments', 'items', 'outside', 'proofs', 'verify'),
  ...consoleNoun('webhooks'),
  ...consoleNoun('receiver', 'webhooks'),
  // The pages by their names.
  ...consoleNoun('places'),
  ...consoleNoun('account', 'places'),
  ...consoleNoun('teams'),
  ...consoleNoun('picture', 'chain', 'connection', 'commitments'),
  ...consoleNoun('log', 'blocks'),
  ...consoleNoun('monitor', 'chain', 'blocks', 'commitments', 'entropy'),
  ...consoleNoun('door', 'log'),
  ...consoleNoun('graphiql'),
  ...consoleNoun('search', 'commitments', 'entropy'),
  ...consoleNoun('palette', 'places', 'search'),
  ...consoleNoun('draw', 'chain', 'blocks', 'connection'),
  // The frame around every page.
  ...consoleNoun('shell', 'account', 'chain', 'connection', 'outside', 'palette', 'places', 'stamp'),
  'console-web/src/pages': ['console-web/src/*', 'shared'],
  // What starts the page, and what builds it.
  'console-web': ['console-web/src/*', 'shared'],
}

const files = ['server', 'shared', 'console-web'].flatMap((top) =>
  readdirSync(join(root, top), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith('console-web/dist/')),
)

const importsOf = (path: string): string[] => {
  const text = readFileSync(join(root, path), 'utf8')
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '')
}

const localImportsOf = (path: string): string[] =>
  importsOf(path)
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(root, resolve(root, dirname(path), name)))

/** What starts programs, and names them in commands and elements. */
const STARTERS = ['package.json', 'server/start.js', 'console-web/index.html']

/** What a file imports, loads or starts. Seen from its own folder, as imports are, or from the root. */
const usedBy = (path: string): string[] => {
  const text = readFileSync(join(root, path), 'utf8')
  const names = STARTERS.includes(path)
    ? (text.match(/[\w./-]+\.tsx?\b/g) ?? [])
    : [...text.matchAll(/'([\w./-]+\.tsx?)'/g)].map(([, name = '']) => name)
  return names.flatMap((name) =>
    [join(root, dirname(path)), root].map((from) => relative(root, join(from, name))),
  )
}

/** Where the files of a folder are listed, one line each. */
const LISTS: Readonly<Record<string, string>> = {
  'server/catalog': 'server/catalog/catalog.ts',
  'server/commands': 'server/commands/commands.ts',
  'server/domain/utilities': 'server/domain/utilities/utilities.ts',
  'server/jobs': 'server/service/clockwork.ts',
  'server/store/migrations': 'server/store/migrations/in_order.ts',
}

const covers = (pattern: string, path: string): boolean =>
  path.startsWith(`${pattern.replace(/\*$/, '')}${pattern.endsWith('*') ? '' : '/'}`)

const roomOf = (path: string): string => {
  const rooms = Object.keys(mayImport).filter((room) => covers(room, path))
  return rooms.sort((a, b) => b.length - a.length)[0] ?? 'none'
}

/** Everything under one wildcard room counts as one room each: `server/surfaces/jsonapi` is not `server/surfaces/console`. */
const isSameRoom = (a: string, b: string): boolean =>
  dirname(a) === dirname(b) || (roomOf(a) === roomOf(b) && !roomOf(a).endsWith('*') && roomOf(a) !== 'server')

const circlesIn = (names: readonly string[], next: (name: string) => readonly string[]): string[] => {
  const circles: string[] = []
  const state = new Map<string, 'open' | 'done'>()
  const visit = (name: string, trail: readonly string[]): void => {
    if (state.get(name) === 'done') return
    if (state.get(name) === 'open') {
      circles.push([...trail.slice(trail.indexOf(name)), name].join(' -> '))
      return
    }
    state.set(name, 'open')
    for (const target of next(name)) visit(target, [...trail, name])
    state.set(name, 'done')
  }
  for (const name of names) visit(name, [])
  return circles
}

describe('floors', () => {
  it('every folder has a row: no room is new without saying what it may import', () => {
    const TOPS = ['server', 'console-web', 'console-web/src']
    const offenders = files
      .filter((path) => ['none', ...TOPS].includes(roomOf(path)) && !TOPS.includes(dirname(path)))
      .map((path) => `${path} stands in no room`)
    expect(offenders).toEqual([])
  })

  it('every file imports only from its own room and the floors below', () => {
    const offenders = files.flatMap((path) =>
      localImportsOf(path)
        .filter((target) => target !== 'package.json' && !isSameRoom(path, target))
        .filter((target) => !(mayImport[roomOf(path)] ?? []).some((allowed) => covers(allowed, target)))
        .map((target) => `${path} must not import ${target}`),
    )
    expect(offenders).toEqual([])
  })

  it('every file is used: one that nothing names was not added to the list it belongs to', () => {
    const used = new Set([...STARTERS, ...files].flatMap(usedBy))
    const offenders = files
      .filter((path) => !path.endsWith('.d.ts') && !used.has(path))
      .map(
        (path) =>
          `${path} is named by nothing: it lacks a line in ${LISTS[dirname(path)] ?? 'whatever uses it'}`,
      )
    expect(offenders).toEqual([])
  })

  it('there are no import circles', () => {
    const filesSeenBy = (path: string) => localImportsOf(path).filter((name) => files.includes(name))
    expect(circlesIn(files, filesSeenBy)).toEqual([])
  })

  it('no room may import a room that may import it', () => {
    const rooms = Object.keys(mayImport)
    const roomsSeenBy = (room: string) => (mayImport[room] ?? []).filter((name) => rooms.includes(name))
    expect(circlesIn(rooms, roomsSeenBy)).toEqual([])
  })

  it('shared/, but for what command lines have, and the domain stay free of Node and of frameworks', () => {
    const forbidden: [RegExp, RegExp][] = [
      [/^shared\//, /^(koa|pg|@mikro-orm|socket\.io)/],
      // Command lines run on Node. What a page may load has nothing of theirs.
      [/^shared\/(?!cli\/)|^console-web\//, /\/cli\//],
      [/^shared\/(?!cli\/)|^console-web\/src\//, /^node:/],
      [/^server\/domain\//, /^(koa|@koa|graphql|type-graphql|pg-boss|socket\.io)/],
    ]
    const offenders = files.flatMap((path) =>
      forbidden
        .filter(([place]) => place.test(path))
        .flatMap(([, pattern]) => importsOf(path).filter((name) => pattern.test(name)))
        .map((name) => `${path} must not import ${name}`),
    )
    expect(offenders).toEqual([])
  })

  it('a page of the console has the theme, the parts, and the stylesheet of each noun it shows', () => {
    const ofPage = readFileSync(join(root, 'console-web/index.html'), 'utf8')
    const linked = [...ofPage.matchAll(/rel="stylesheet" href="([^"]+)"/g)].map((match) => match[1])
    expect(linked).toEqual(['/src/look/theme.css', '/src/look/look.css'])
    const offenders = files
      .filter((path) => path.startsWith('console-web/src/'))
      .flatMap((path) =>
        importsOf(path)
          .filter((name) => name.endsWith('.css') && name !== `./${basename(dirname(path))}.css`)
          .map((name) => `${path} must not import ${name}`),
      )
    expect(offenders).toEqual([])
  })

  it('no file hides what it is for behind its name', () => {
    const vague = /(^|\/)(utils?|helpers?|common|misc|types|manager|service|base|index)\.tsx?$/
    expect(files.filter((path) => vague.test(path) && path !== 'console-web/index.html')).toEqual([])
  })
})
