// The sizes of the soak tests: small in `npm test`, full in `npm run soak`, which sets SOAK=full.

const SIZES = {
  /** Seconds of the hostile caller. The measurement before it takes a third of that. */
  hostile_seconds: { short: 15, full: 60 },
  /** Milliseconds of faults, and the number of clients during them. */
  chaos_ms: { short: 5_000, full: 30_000 },
  chaos_clients: { short: 100, full: 300 },
  /** First starts that are killed, each at a later point. */
  killed_starts: { short: 3, full: 12 },
  /** Kills of servers, each in turn, under load; of the database too while every door is in use, and every third a stop. */
  kills: { short: 3, full: 50 },
  /** Kills of servers, each in turn, that send a range of deliveries again. */
  killed_replays: { short: 2, full: 50 },
  /** Kills of a server whose webhooks fail. */
  kills_while_failing: { short: 2, full: 20 },
  /** Blocks that several servers make at once. */
  blocks_at_once: { short: 60, full: 2_000 },
  /** Moments at which a stamp of many files is killed while it hashes them. */
  hashing_kills: { short: 4, full: 10 },
  /** Servers that are restarted one after the other. */
  restarts: { short: 3, full: 24 },
  /** Runs of a property test of random requests. Each run sends several. */
  fuzz_runs: { short: 120, full: 800 },
  /** Runs of a property test of what happens in any order, with faults. */
  orders_of_events: { short: 10, full: 200 },
  /** Generated requests for each operation in the OpenAPI document. */
  documented_requests: { short: 10, full: 60 },
  /** Random leaves whose path is computed. */
  random_leaves: { short: 40, full: 400 },
  /** Bits changed in each byte, one after the other. */
  flipped_bits: { short: 1, full: 8 },
  /** Rows of the list that must stay fast. */
  listed_items: { short: 100_000, full: 1_000_000 },
  /** Items of the largest block. More than one piece of its making. */
  block_items: { short: 20_000, full: 1_000_000 },
  /** Blocks of a log that is exported: a year of them in full. */
  exported_blocks: { short: 5_000, full: 525_600 },
  /** Webhook endpoints of one account that fail together. Each has a connection of its own. */
  failing_endpoints: { short: 500, full: 10_000 },
  /** Digests in one tree, and evidence files of them. */
  manifest_entries: { short: 20_000, full: 1_000_000 },
  evidence_files: { short: 2_000, full: 100_000 },
  /** Digests in each of a hundred rounds. */
  round_entries: { short: 1_000, full: 10_000 },
  /** Connections that say nothing while others use a door. */
  idle_connections: { short: 1_000, full: 10_000 },
  /** Blocks that a page hears at once, so that its lists are full. In short they stay as short as they are. */
  heard_at_once: { short: 0, full: 50_000 },
  /** Seconds that a page is open, with a beacon in each: 8 hours in full. */
  open_seconds: { short: 300, full: 28_800 },
} as const

export const isFull = process.env.SOAK === 'full'

export const sizeOf = (name: keyof typeof SIZES): number => SIZES[name][isFull ? 'full' : 'short']
