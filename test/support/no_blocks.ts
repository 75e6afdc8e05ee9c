// An interval of blocks for services whose blocks the test makes.
const DAY_MS = 86_400_000

/** Boundaries of intervals of these days lie apart. Each interval is shorter than the longest possible timer. */
const DAYS = [20, 21, 23]

/** Milliseconds. No boundary is near, because one that passes since the ledger was begun makes a block. */
export const NO_BLOCKS_MS =
  DAYS.map((days) => days * DAY_MS).find((ms) => {
    const passed = Date.now() % ms
    return passed > DAY_MS && ms - passed > DAY_MS
  }) ?? 22 * DAY_MS
