// Who on this server listens to which stream, and who of them may be told of an item.
import type { FactStream } from './session.ts'
import type { StreamOutlet } from './stream_outlet.ts'

/** A listener is a member of its team: the handshake checked it, and the watch over credentials goes on checking. */
export interface Listener {
  readonly userId: string
  readonly teamId: string
  /** Whether the listener keeps the team's items, as the watch last saw it. */
  readonly keeps: () => boolean
  readonly outlet: StreamOutlet
}

export interface Audience {
  /** Answers how to leave. */
  readonly add: (stream: FactStream, listener: Listener) => () => void
  readonly of: (stream: FactStream) => ReadonlySet<Listener>
  /** Those who listen to the items of a team. */
  readonly ofTeam: (teamId: string) => ReadonlySet<Listener>
  readonly teams: () => readonly string[]
  /** Those of them whose private items somebody keeps who listens to them. */
  readonly keptTeams: () => readonly string[]
  /** The users among those who listen to items. */
  readonly users: () => readonly string[]
}

const NOBODY: ReadonlySet<Listener> = new Set()

/**
 * The rule of `readable_item`, for a listener and an item of the listener's own team: its creator and those who
 * keep it read it, and every member reads what is not private.
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
