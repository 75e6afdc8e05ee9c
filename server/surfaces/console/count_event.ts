// What is counted of one server's console stream, by the names that `/metrics` has for it.

export const COUNTED_EVENTS = [
  'connections_opened',
  'connections_ended',
  'connections_cut_off',
  'handshakes_refused',
  'connections_turned_away',
  'commands',
  'commands_refused',
  'resumes',
  'beacons_caught_up',
  'beacons_broadcast',
  'events',
  'events_summed_up',
  'bursts',
] as const

export type CountedEvent = (typeof COUNTED_EVENTS)[number]

export type CountEvent = (event: CountedEvent, by?: number) => void
