// The pages and actions that the palette knows by name.
import { PLACES } from '../places/places.ts'
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

export const DOCUMENTATION = [
  { name: 'Articles', href: '/docs', words: ['documentation', 'help', 'guide', 'quick start'] },
  { name: 'API explorer', href: '/api/json/swaggerui', words: ['swagger', 'openapi', 'rest', 'try'] },
  { name: 'API reference', href: '/api/json/redoc', words: ['redoc', 'openapi', 'rest'] },
  { name: 'OpenAPI document', href: '/api/json/open_api', words: ['schema', 'client'] },
] as const

export const MCP_PATH = '/mcp'

export const commandsOf = (acts: Acts): readonly Command[] => [
  ...PLACES.filter(({ isOpen }) => acts.isSignedIn || isOpen).map(
    ({ to, name, words, icon, isAction }): Command => ({
      ...{ name, words, icon, run: { to } },
      group: isAction ? 'Actions' : 'Pages',
    }),
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
