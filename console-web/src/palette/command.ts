// The pages and actions that the palette knows by name.
import { toggleTheme } from '../data/kept/theme.ts'
import { PLACES } from '../places/places.ts'
import { session } from '../session/session.ts'
import type { IconName } from '../ui/icon.tsx'
import { copyAndSay } from '../ui/said.tsx'

export type Command = {
  readonly name: string
  /** Other words that find it. */
  readonly words?: readonly string[]
  readonly group: 'Pages' | 'Actions' | 'Documentation'
  readonly icon: IconName
  /** Only for somebody who is signed in. */
  readonly isInside?: boolean
  readonly run: () => void
}

export const DOCUMENTATION = [
  { name: 'Articles', href: '/docs', words: ['documentation', 'help', 'guide', 'quick start'] },
  { name: 'API explorer', href: '/api/json/swaggerui', words: ['swagger', 'openapi', 'rest', 'try'] },
  { name: 'API reference', href: '/api/json/redoc', words: ['redoc', 'openapi', 'rest'] },
  { name: 'OpenAPI document', href: '/api/json/open_api', words: ['schema', 'client'] },
] as const

export const MCP_PATH = '/mcp'

/** `go` leads to a page of the console. */
export const commandsOf = (
  isSignedIn: boolean,
  go: (to: string) => void,
  showKeys: () => void,
): readonly Command[] => {
  const commands: readonly Command[] = [
    ...PLACES.map(
      ({ to, name, words, icon, isAction, isOpen }): Command => ({
        ...{ name, words, icon, isInside: !isOpen },
        group: isAction ? 'Actions' : 'Pages',
        run: () => go(to),
      }),
    ),
    {
      name: 'Walk to the genesis block',
      words: ['chain', 'links', 'verify'],
      group: 'Actions',
      icon: 'link',
      isInside: true,
      run: () => go('/chain?walk=head'),
    },
    {
      name: 'Change between light and dark',
      words: ['theme', 'dark mode', 'night'],
      group: 'Actions',
      icon: 'moon',
      run: toggleTheme,
    },
    {
      name: 'Copy the link to this page',
      words: ['url', 'address', 'share'],
      group: 'Actions',
      icon: 'copy',
      run: () => void copyAndSay(window.location.href),
    },
    {
      name: 'Show the keys',
      words: ['help', 'keyboard'],
      group: 'Actions',
      icon: 'help',
      run: showKeys,
    },
    {
      name: 'Sign out',
      words: ['leave', 'log out'],
      group: 'Actions',
      icon: 'leave',
      isInside: true,
      run: () => session.leave(),
    },
    ...DOCUMENTATION.map(
      ({ name, href, words }): Command => ({
        name,
        words,
        group: 'Documentation',
        icon: 'docs',
        run: () => window.location.assign(href),
      }),
    ),
    {
      name: 'Copy the address for agents (MCP)',
      words: ['tools', 'model context protocol'],
      group: 'Documentation',
      icon: 'copy',
      run: () => void copyAndSay(window.location.origin + MCP_PATH),
    },
  ]
  return commands.filter(({ isInside }) => isSignedIn || !isInside)
}
