// The names of the console stream: namespace, commands, events, answers and refusals. Server and console both
// read them here.

export const CONSOLE_NAMESPACE = '/console'

/**
 * The streams that can be subscribed to. Only `beacons` can resume after an id; the others send new events
 * only.
 */
export const streams = {
  beacons: { title: 'Beacons', events: ['beacon.created', 'chain.replaced'] },
  blocks: { title: 'Blocks', events: ['block.finalized', 'block.committed'] },
  items: {
    title: 'Items',
    events: ['item.created', 'item.committed', 'item.redacted', 'item.unredacted', 'item.deleted'],
  },
  entropy: { title: 'Entropy', events: ['entropy.created'] },
  commitments: {
    title: 'Commitments',
    events: ['commitment.submitted', 'commitment.confirmed', 'commitment.failed'],
  },
  webhook_deliveries: { title: 'Webhook deliveries', events: ['delivery.created', 'delivery.updated'] },
} as const

export type StreamName = keyof typeof streams

export type EventOfStream = (typeof streams)[StreamName]['events'][number]

export const commands = {
  subscribe: 'subscribe',
  unsubscribe: 'unsubscribe',
  switchTeam: 'switch_team',
  refreshToken: 'token.refresh',
} as const
export type CommandName = (typeof commands)[keyof typeof commands]

/** Events of the connection, not of a stream. */
export const connectionEvents = {
  welcome: 'welcome',
  /**
   * Sent 30 s before the credential ends. The connection continues if the client answers with
   * `token.refresh`.
   */
  tokenExpired: 'token.expired',
  /**
   * The last event before the server ends a connection for good. Do not reconnect with the same credential
   * and team.
   */
  sessionEnded: 'session.ended',
} as const
export const BEACON_CREATED = 'beacon.created'
/**
 * Sent to subscribers of beacons when the newest beacon they have seen is no longer in the ledger. The
 * beacons after `head` follow.
 */
export const CHAIN_REPLACED = 'chain.replaced'

/**
 * Codes of refused commands (`ok: false`; the connection stays open) and of refused handshakes
 * (`connect_error`, `data.code`, with `data.status`). A code means the same in both.
 */
export const streamRefusalCodes = {
  unauthorized: 'no valid credential',
  forbidden_tenant: 'not a member of that team',
  insufficient_scope: 'the token has neither api:read nor console:read',
  invalid_argument: 'malformed command, or an id that is not a UUIDv7',
  unknown_stream: 'no stream of that name',
  unknown_beacon: '`after` names no beacon of this ledger: begin again at `head`',
  plan_limit: 'the plan has no more connections at once; `limit` says how many it has',
  rate_limited: 'too many at once or in too short a time; try again after `retry_after_ms`',
  overloaded: 'the server holds as many connections as it can; try again after `retry_after_ms`',
  database_unavailable: 'the database does not answer; try again shortly',
  internal: 'a fault of ours',
} as const
export type StreamRefusalCode = keyof typeof streamRefusalCodes

/** Ceilings of one connection. `welcome.limits` carries them. */
export const connectionLimits = {
  commands: 60,
  commands_window_ms: 10_000,
  payload_bytes: 16_384,
  frame_bytes: 65_536,
  unsent_bytes: 1_048_576,
  /**
   * Per stream. Events above the ceiling are sent as a summary in `<stream>.burst`. Beacons have no such
   * limit.
   */
  events_per_second: 200,
} as const

/**
 * The four fields of a beacon, on every snake_case surface. One real example:
 *
 *     {"id":"01a2ce8c-be60-74a1-9884-d675915e9850",
 *      "hash":"63259f16ccd7022ef0eba226b9f092d5fbdccc928ade926ce34b8abb0087f5cc",
 *      "timestamp":"2027-01-01T00:01:00.000Z",
 *      "previous_hash":"e32c0898644e18198d0caf21f336c80d17ed2cf332d531210643eca70ea4703b"}
 */
export type Beacon = {
  readonly id: string
  readonly hash: string
  readonly timestamp: string
  readonly previous_hash: string
}

/** The first event of the server on every connection. The server sends nothing before it. */
export type Welcome = {
  readonly user: { readonly id: string; readonly full_name: string }
  readonly team: { readonly id: string; readonly name: string; readonly role: string }
  readonly plan: string
  readonly streams: readonly {
    readonly name: StreamName
    readonly title: string
    readonly events: readonly string[]
  }[]
  readonly head: Beacon
  readonly server_time: string
  readonly limits: Readonly<Record<string, number>>
}

export type SubscribeCommand = { readonly stream: StreamName; readonly after?: string }
/** `retry_after_ms` accompanies `rate_limited`; `head` accompanies `unknown_beacon`. */
export type CommandRefused = {
  readonly ok: false
  readonly code: StreamRefusalCode
  readonly message: string
  readonly retry_after_ms?: number
  readonly head?: Beacon
}
/** `head` is present for `beacons`: the beacons after `after` up to `head` follow, then new ones. */
export type SubscribeAnswer = { readonly ok: true; readonly head?: Beacon } | CommandRefused
export type SwitchTeamAnswer = { readonly ok: true; readonly team: Welcome['team'] } | CommandRefused
export type RefreshTokenAnswer = { readonly ok: true; readonly expires_at: string | null } | CommandRefused
export type HandshakeAuth = { readonly token: string; readonly tenant?: string }
/** `data` of a `connect_error`. */
export type HandshakeRefusal = {
  readonly status: 400 | 401 | 403 | 429 | 500 | 503
  readonly code: StreamRefusalCode
  readonly retry_after_ms?: number
  /** Accompanies `plan_limit`: the number of simultaneous connections that the plan allows. */
  readonly limit?: number
}

/**
 * Body of `chain.replaced`: the beacon from which the stream continues, and the newest beacon that was sent
 * and then lost.
 */
export type ChainReplaced = { readonly head: Beacon; readonly lost: Beacon }

/** Body of every event except `beacon.created`, whose body is the beacon itself, and `chain.replaced`. */
export type StreamEvent = {
  readonly stream: StreamName
  readonly at: string
  readonly data: Readonly<Record<string, unknown>>
}

/**
 * Body of `<stream>.burst`: the number of events that were not sent one by one, and the newest of them. One
 * real example:
 * {"count":412,"window_ms":1003,"first_at":"2027-01-01T00:01:00.001Z","last_at":"2027-01-01T00:01:00.940Z",
 * "by_kind":{"item.created":412},"latest":{"kind":"item.created","at":"2027-01-01T00:01:00.940Z","data":{…}}}
 */
export type BurstEvent = {
  readonly count: number
  readonly window_ms: number
  readonly first_at: string
  readonly last_at: string
  readonly by_kind: Readonly<Record<string, number>>
  readonly latest: {
    readonly kind: string
    readonly at: string
    readonly data: Readonly<Record<string, unknown>>
  }
}

/** Body of `token.expired`. */
export type TokenExpired = { readonly expires_at: string }
/** Body of `session.ended`. */
export type SessionEnded = { readonly code: StreamRefusalCode; readonly message: string }

/**
 * Which account makes the items that stand for what arrives without an account. Whoever shows items tells those of this
 * account as what they are; a name or claims alone say nothing, because everybody may write such claims.
 */
export const ROUND_CREATOR_ID = '00000000-0000-7000-8000-726f756e6473'
