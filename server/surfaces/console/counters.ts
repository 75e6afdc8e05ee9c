// Counts what one server's console stream has done since it started. `/metrics` shows the counters.

const COUNTER_NAMES = [
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

export type Counters = Record<(typeof COUNTER_NAMES)[number], number>

export const newCounters = (): Counters => ({
  connections_opened: 0,
  connections_ended: 0,
  connections_cut_off: 0,
  handshakes_refused: 0,
  connections_turned_away: 0,
  commands: 0,
  commands_refused: 0,
  resumes: 0,
  beacons_caught_up: 0,
  beacons_broadcast: 0,
  events: 0,
  events_summed_up: 0,
  bursts: 0,
})
