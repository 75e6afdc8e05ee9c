// The pages and actions that the palette knows by name.
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

type Page = readonly [name: string, to: string, icon: IconName, ...words: string[]]

const pages: readonly Page[] = [
  ['Now', '/', 'past', 'home', 'live', 'monitor'],
  ['Chain', '/chain', 'link', 'blocks', 'beacons', 'genesis'],
  ['Items', '/items', 'file', 'files'],
  ['Webhooks', '/webhooks', 'send', 'endpoints'],
  ['Webhook deliveries', '/webhooks/deliveries', 'send', 'attempts'],
  ['Built-in receiver', '/webhooks/receiver', 'send', 'webhooks', 'trial', 'test'],
  ['Verify', '/verify', 'done', 'proof', 'bundle'],
  ['GraphiQL', '/graphiql', 'braces', 'graphql', 'query'],
  ['Connection', '/connection', 'pulse', 'status', 'round trip', 'limits', 'sources'],
  ['API keys', '/account/keys', 'person', 'account', 'secret'],
  ['Teams', '/account/teams', 'person', 'account', 'members', 'invite'],
  ['Sessions', '/account/sessions', 'person', 'account', 'devices'],
  ['Applications', '/account/applications', 'person', 'account', 'oauth'],
  ['Password', '/account/password', 'person', 'account'],
]

/** Without an account there is one page, and its documentation. */
const openPages: ReadonlySet<string> = new Set(['/verify'])

export const DOCUMENTATION = [
  { name: 'API explorer', href: '/api/json/swaggerui', words: ['swagger', 'openapi', 'rest', 'try'] },
  { name: 'API reference', href: '/api/json/redoc', words: ['redoc', 'openapi', 'rest'] },
  { name: 'OpenAPI document', href: '/api/json/open_api', words: ['schema', 'client'] },
] as const

export const MCP_PATH = '/mcp'

export const commandsOf = (acts: Acts): readonly Command[] => [
  ...pages
    .filter(([, to]) => acts.isSignedIn || openPages.has(to))
    .map(([name, to, icon, ...words]): Command => ({ name, words, group: 'Pages', icon, run: { to } })),
  ...(acts.isSignedIn ? SIGNED_IN_ACTIONS : []),
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

const SIGNED_IN_ACTIONS: readonly Command[] = [
  {
    name: 'New item',
    words: ['timestamp a file', 'submit', 'create'],
    group: 'Actions',
    icon: 'plus',
    run: { to: '/items/new' },
  },
  {
    name: 'New webhook endpoint',
    words: ['create', 'register'],
    group: 'Actions',
    icon: 'plus',
    run: { to: '/webhooks/new' },
  },
  {
    name: 'Walk to the genesis block',
    words: ['chain', 'links', 'verify'],
    group: 'Actions',
    icon: 'link',
    run: { to: '/chain?walk=head' },
  },
]

const signOut = ({ leave }: Acts): Command => ({
  name: 'Sign out',
  words: ['leave', 'log out'],
  group: 'Actions',
  icon: 'leave',
  run: { act: leave },
})
