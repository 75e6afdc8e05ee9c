// The pages and actions that the palette knows by name.
import type { ConsoleRoute } from '../../../shared/wire/console_routes.ts'
import type { IconName } from '../ui/icon.tsx'

export type Command = {
  readonly name: string
  /** Other words that find it. */
  readonly words?: readonly string[]
  readonly group: 'Pages' | 'Actions' | 'Documentation'
  readonly icon: IconName
  /** A page of the console, an address outside it, or what is done at once. */
  readonly run: { readonly to: string } | { readonly href: string } | { readonly act: () => void }
}

export type Acts = {
  readonly isSignedIn: boolean
  readonly toggleTheme: () => void
  readonly copy: (text: string) => void
  readonly showKeys: () => void
  readonly leave: () => void
}

/** The pages whose address names nothing. Those that are about one thing are reached from it. */
type Place = Exclude<ConsoleRoute, `${string}:${string}`>

interface Named {
  readonly name: string
  readonly icon: IconName
  readonly words: readonly string[]
  /** `Actions` for a page where something is made. */
  readonly group?: 'Actions'
}

/** Null for a page that nobody goes to. */
const pages: Readonly<Record<Place, Named | null>> = {
  '/': { name: 'Now', icon: 'past', words: ['home', 'live', 'monitor'] },
  '/chain': { name: 'Chain', icon: 'link', words: ['blocks', 'beacons', 'genesis'] },
  '/items': { name: 'Items', icon: 'file', words: ['files'] },
  '/items/new': {
    name: 'New item',
    icon: 'plus',
    words: ['timestamp a file', 'submit', 'create'],
    group: 'Actions',
  },
  '/webhooks': { name: 'Webhooks', icon: 'send', words: ['endpoints'] },
  '/webhooks/new': {
    name: 'New webhook endpoint',
    icon: 'plus',
    words: ['create', 'register'],
    group: 'Actions',
  },
  '/webhooks/deliveries': { name: 'Webhook deliveries', icon: 'send', words: ['attempts'] },
  '/webhooks/receiver': { name: 'Built-in receiver', icon: 'send', words: ['webhooks', 'trial', 'test'] },
  '/verify': { name: 'Verify', icon: 'done', words: ['proof', 'bundle'] },
  '/graphiql': { name: 'GraphiQL', icon: 'braces', words: ['graphql', 'query'] },
  '/connection': {
    name: 'Connection',
    icon: 'pulse',
    words: ['status', 'round trip', 'limits', 'sources'],
  },
  '/account/keys': { name: 'API keys', icon: 'person', words: ['account', 'secret'] },
  '/account/teams': { name: 'Teams', icon: 'person', words: ['account', 'members', 'invite'] },
  '/account/sessions': { name: 'Sessions', icon: 'person', words: ['account', 'devices'] },
  '/account/applications': { name: 'Applications', icon: 'person', words: ['account', 'oauth'] },
  '/account/password': { name: 'Password', icon: 'person', words: ['account'] },
  '/signed-in': null,
}

/** Without an account there is one page, and its documentation. */
const openPages: ReadonlySet<string> = new Set(['/verify'])

export const DOCUMENTATION = [
  { name: 'Articles', href: '/docs', words: ['documentation', 'help', 'guide', 'quick start'] },
  { name: 'API explorer', href: '/api/json/swaggerui', words: ['swagger', 'openapi', 'rest', 'try'] },
  { name: 'API reference', href: '/api/json/redoc', words: ['redoc', 'openapi', 'rest'] },
  { name: 'OpenAPI document', href: '/api/json/open_api', words: ['schema', 'client'] },
] as const

export const MCP_PATH = '/mcp'

export const commandsOf = (acts: Acts): readonly Command[] => [
  ...Object.entries(pages).flatMap(([to, page]): readonly Command[] =>
    page === null || !(acts.isSignedIn || openPages.has(to))
      ? []
      : [{ group: 'Pages', ...page, run: { to } }],
  ),
  ...(acts.isSignedIn ? [WALK] : []),
  {
    name: 'Change between light and dark',
    words: ['theme', 'dark mode', 'night'],
    group: 'Actions',
    icon: 'moon',
    run: { act: acts.toggleTheme },
  },
  {
    name: 'Copy the link to this page',
    words: ['url', 'address', 'share'],
    group: 'Actions',
    icon: 'copy',
    run: { act: () => acts.copy(window.location.href) },
  },
  {
    name: 'Show the keys',
    words: ['help', 'keyboard'],
    group: 'Actions',
    icon: 'help',
    run: { act: acts.showKeys },
  },
  ...(acts.isSignedIn ? [signOut(acts)] : []),
  ...DOCUMENTATION.map(
    ({ name, href, words }): Command => ({
      name,
      words,
      group: 'Documentation',
      icon: 'docs',
      run: { href },
    }),
  ),
  {
    name: 'Copy the address for agents (MCP)',
    words: ['tools', 'model context protocol'],
    group: 'Documentation',
    icon: 'copy',
    run: { act: () => acts.copy(window.location.origin + MCP_PATH) },
  },
]

const WALK: Command = {
  name: 'Walk to the genesis block',
  words: ['chain', 'links', 'verify'],
  group: 'Actions',
  icon: 'link',
  run: { to: '/chain?walk=head' },
}

const signOut = ({ leave }: Acts): Command => ({
  name: 'Sign out',
  words: ['leave', 'log out'],
  group: 'Actions',
  icon: 'leave',
  run: { act: leave },
})
