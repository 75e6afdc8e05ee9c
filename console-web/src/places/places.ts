// The pages that people go to by name: what each is called, and where it is offered. A page about one thing has no name,
// because it is reached from what it is about.
import type { ConsoleRoute } from '../../../shared/wire/console_routes.ts'
import type { IconName } from '../ui/icon.tsx'

/** The pages whose address names nothing, without the one that nobody goes to. */
type Named = Exclude<ConsoleRoute, `${string}:${string}` | '/signed-in'>

export interface Place {
  readonly to: string
  readonly name: string
  readonly icon: IconName
  /** Other words by which the palette finds it. */
  readonly words: readonly string[]
  /** Something is made there. */
  readonly isAction?: true
  /** It is also shown without an account. */
  readonly isOpen?: true
  /** It stands in the bar, and is where the person is while the path is one of these. */
  readonly bar?: RegExp
  /** It stands in the menu of the account. */
  readonly menu?: 'account' | 'api'
}

/** In the order in which they are offered. */
const table: Readonly<Record<Named, Omit<Place, 'to'>>> = {
  '/': { name: 'Now', icon: 'past', words: ['home', 'live', 'monitor'], bar: /^\/$/ },
  '/chain': {
    name: 'Chain',
    icon: 'link',
    words: ['blocks', 'beacons', 'genesis'],
    bar: /^\/(chain$|(beacons|blocks|entropy)\/)/,
  },
  '/items': { name: 'Items', icon: 'file', words: ['files'], bar: /^\/items(\/|$)/ },
  '/items/new': {
    name: 'New item',
    icon: 'plus',
    words: ['timestamp a file', 'submit', 'create'],
    isAction: true,
  },
  '/webhooks': { name: 'Webhooks', icon: 'send', words: ['endpoints'], bar: /^\/webhooks(\/|$)/ },
  '/webhooks/new': {
    name: 'New webhook endpoint',
    icon: 'plus',
    words: ['create', 'register'],
    isAction: true,
  },
  '/webhooks/deliveries': { name: 'Webhook deliveries', icon: 'send', words: ['attempts'] },
  '/webhooks/receiver': { name: 'Built-in receiver', icon: 'send', words: ['webhooks', 'trial', 'test'] },
  '/verify': {
    name: 'Verify',
    icon: 'done',
    words: ['proof', 'bundle'],
    isOpen: true,
    bar: /^\/verify(\/|$)/,
  },
  '/account/keys': { name: 'API keys', icon: 'person', words: ['account', 'secret'], menu: 'account' },
  '/account/teams': {
    name: 'Teams',
    icon: 'person',
    words: ['account', 'members', 'invite'],
    menu: 'account',
  },
  '/account/sessions': { name: 'Sessions', icon: 'person', words: ['account', 'devices'], menu: 'account' },
  '/account/applications': {
    name: 'Applications',
    icon: 'person',
    words: ['account', 'oauth'],
    menu: 'account',
  },
  '/account/password': { name: 'Password', icon: 'person', words: ['account'], menu: 'account' },
  '/connection': {
    name: 'Connection',
    icon: 'pulse',
    words: ['status', 'round trip', 'limits', 'sources'],
    menu: 'account',
  },
  '/graphiql': { name: 'GraphiQL', icon: 'braces', words: ['graphql', 'query'], menu: 'api' },
}

export const PLACES: readonly Place[] = Object.entries(table).map(([to, place]) => ({ to, ...place }))
