// The listeners of each stream on this server, and which of them may receive an item.
import type { FactStream } from './session.ts'
import type { StreamOutlet } from './stream_outlet.ts'

/** A listener is a member of its team. The handshake checks this, and the credential watch checks it again later. */
interface Listener {
  readonly userId: string
  readonly teamId: string
  /** True when the listener's role keeps the team's items, as of the last credential watch. */
  readonly keeps: () => boolean
  readonly outlet: StreamOutlet
}

export interface Audience {
  /** Adds a listener and returns the function that removes it. */
  readonly add: (stream: FactStream, listener: Listener) => () => void
  readonly of: (stream: FactStream) => ReadonlySet<Listener>
  /** The listeners to a team's items. */
  readonly ofTeam: (teamId: string) => ReadonlySet<Listener>
  readonly teams: () => readonly string[]
  /** The teams with a listener whose role keeps the team's items, which includes private ones. */
  readonly keptTeams: () => readonly string[]
  /** The users who listen to items. */
  readonly users: () => readonly string[]
}

const NOBODY: ReadonlySet<Listener> = new Set()

/**
 * Applies the rule of `readable_item` to an item of the listener's own team. Its creator and members who keep the
 * team's items may read it; other members may read it unless it is private.
 */
export const mayReceive = (
  listener: Listener,
  item: {
    readonly creator_id: string | null
    readonly team_id: string | null
    readonly visibility: string | null
  },
): boolean =>
  item.team_id === listener.teamId &&
  (item.creator_id === listener.userId ||
    item.visibility === 'team' ||
    item.visibility === 'public' ||
    listener.keeps())

export function createAudience(): Audience {
  const streams = new Map<FactStream, Set<Listener>>()
  const teams = new Map<string, Set<Listener>>()
  return Object.freeze({
    add: (stream: FactStream, listener: Listener) => {
      const leaveStream = join(streams, stream, listener)
      const leaveTeam = stream === 'items' ? join(teams, listener.teamId, listener) : undefined
      return () => {
        leaveStream()
        leaveTeam?.()
      }
    },
    of: (stream: FactStream) => streams.get(stream) ?? NOBODY,
    ofTeam: (teamId: string) => teams.get(teamId) ?? NOBODY,
    teams: () => [...teams.keys()],
    keptTeams: () =>
      [...teams].filter(([, group]) => [...group].some(({ keeps }) => keeps())).map(([teamId]) => teamId),
    users: () => [...new Set([...(streams.get('items') ?? NOBODY)].map(({ userId }) => userId))],
  })
}

function join<Key>(groups: Map<Key, Set<Listener>>, key: Key, listener: Listener): () => void {
  const group = groups.get(key) ?? new Set()
  groups.set(key, group.add(listener))
  return () => {
    group.delete(listener)
    if (group.size === 0 && groups.get(key) === group) groups.delete(key)
  }
}
