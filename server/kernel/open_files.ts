// How many files this process may have open at once. Each connection takes one of them.
import type { Ceilings } from './ceilings.ts'

/** For webhooks under way, the database, files and the like. Of few files it is half of them. */
const RESERVE = 2_048

/** The limit in force (RLIMIT_NOFILE), which Node has raised as far as it may. Undefined where it is not known. */
export function mostOpenFiles(): number | undefined {
  // Without it the names of peers are looked up, for what nobody asks.
  Object.assign(process.report, { excludeNetwork: true })
  const { userLimits } = Object(process.report.getReport())
  const soft: unknown = userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : undefined
}

/**
 * The ceilings with which clients leave the server the files that it needs. Where that changes anything, streams take
 * half of the connections at most, and one address half of either.
 */
export function withinOpenFiles(ceilings: Ceilings, openFiles: number | undefined): Ceilings {
  const room = openFiles === undefined ? Number.POSITIVE_INFINITY : roomIn(openFiles)
  if (ceilings.connections <= room) return ceilings
  const sockets = atMostHalf(ceilings.sockets, room)
  return {
    ...ceilings,
    connections: room,
    connections_per_address: atMostHalf(ceilings.connections_per_address, room),
    sockets,
    sockets_per_address: atMostHalf(ceilings.sockets_per_address, sockets),
  }
}

/** The open files that so many connections need. */
export const openFilesFor = (connections: number): number => connections + RESERVE

const roomIn = (openFiles: number): number => Math.max(openFiles - RESERVE, Math.floor(openFiles / 2))

const atMostHalf = (count: number, of: number): number => Math.min(count, Math.max(1, Math.floor(of / 2)))
