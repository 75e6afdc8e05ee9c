// The pages and actions that the palette knows by name.
import { toggleTheme } from '../data/kept/theme.ts'
import { PLACES, type Place } from '../places/places.ts'
import { session } from '../session/session.ts'
import type { IconName } from '../ui/icon.tsx'
import { copyAndSay } from '../ui/said.tsx'

type Command = {
  readonly name: string
  /** Other words that find it. */
  readonly words?: readonly string[]
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

/** By the name of their group. `go` leads to a page of the console. */
export const commandsOf = (
  go: (to: string) => void,
  showKeys: () => void,
): Readonly<Record<string, readonly Command[]>> => {
  const leadingTo = (places: readonly Place[]) =>
    places.map(({ to, name, words, icon, isOpen }) => ({
      ...{ name, words, icon, isInside: !isOpen },
      run: () => go(to),
    }))
  return {
    Actions: [
      ...leadingTo(PLACES.filter(({ isAction }) => isAction)),
      {
        name: 'Walk to the genesis block',
        words: ['chain', 'links', 'verify'],
        icon: 'link',
        isInside: true,
        run: () => go('/chain?walk=head'),
      },
      {
        name: 'Change between light and dark',
        words: ['theme', 'dark mode', 'night'],
        icon: 'moon',
        run: toggleTheme,
      },
      {
        name: 'Copy the link to this page',
        words: ['url', 'address', 'share'],
        icon: 'copy',
        run: () => void copyAndSay(window.location.href),
      },
      {
        name: 'Show the keys',
        words: ['help', 'keyboard'],
        icon: 'help',
        run: showKeys,
      },
      {
        name: 'Sign out',
        words: ['leave', 'log out'],
        icon: 'leave',
        isInside: true,
        run: () => session.leave(),
      },
    ],
    Pages: leadingTo(PLACES.filter(({ isAction }) => !isAction)),
    Documentation: [
      ...DOCUMENTATION.map(
        ({ name, href, words }): Command => ({
          name,
          words,
          icon: 'docs',
          run: () => window.location.assign(href),
        }),
      ),
      {
        name: 'Copy the address for agents (MCP)',
        words: ['tools', 'model context protocol'],
        icon: 'copy',
        run: () => void copyAndSay(window.location.origin + MCP_PATH),
      },
    ],
  }
}
