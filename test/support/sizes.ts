// How large and how long the soak is: small in `npm test`, full in `npm run soak`, which sets SOAK=full.

const SIZES = {
  /** Seconds that a hostile caller goes on, and before that nobody. */
  hostile_seconds: { short: 10, full: 60 },
  /** Milliseconds of faults, and clients that live through them. */
  chaos_ms: { short: 5_000, full: 30_000 },
  chaos_clients: { short: 100, full: 300 },
  /** First starts that are killed, at ever later points. */
  killed_starts: { short: 3, full: 12 },
  /** Servers of a fleet that are restarted, one after the other. */
  restarts: { short: 4, full: 24 },
  /** Runs of a property over requests made at random; each run sends several. */
  fuzz_runs: { short: 120, full: 800 },
  /** Requests made by the schema, of each operation that the document has. */
  documented_requests: { short: 10, full: 60 },
  /** Leaves of a tree that are asked for their path, at random. */
  random_leaves: { short: 40, full: 400 },
  /** Bits of a byte that are changed, one after the other. */
  flipped_bits: { short: 1, full: 8 },
  /** Rows that a list must stay fast at. */
  listed_items: { short: 100_000, full: 1_000_000 },
} as const

export const isFull = process.env.SOAK === 'full'

export const sizeOf = (name: keyof typeof SIZES): number => SIZES[name][isFull ? 'full' : 'short']
