// How much slower this machine is now than the one for which the laws of cost name their milliseconds of CPU time.

const ROWS = Array.from({ length: 2_000 }, (_, n) => ({
  id: `row ${n}`,
  tags: ['a', 'b', String(n)],
  nested: { n, text: 'x'.repeat(n % 50) },
}))

/** Some of everything that requests cost: text, objects, and the memory for both. */
function round(): number {
  const copies: typeof ROWS = JSON.parse(JSON.stringify(ROWS))
  const byId = new Map(copies.map((row) => [row.id, { ...row, tags: row.tags.map((tag) => tag.trim()) }]))
  return [...byId.values()].filter(({ nested }) => /x{20}/.test(nested.text)).length
}

const ROUNDS = 20
/** Milliseconds of CPU time for all rounds, on that machine while it does nothing else. */
const USUAL_MS = 36
/** A measurement that says more measured something else. */
const MOST = 4

/** From 1: how many times more CPU time the same work takes, because of the machine or of what else it does. */
export function slowness(): number {
  // The first rounds are compiled.
  for (let n = 0; n < 3; n += 1) round()
  const before = process.cpuUsage()
  for (let n = 0; n < ROUNDS; n += 1) round()
  const { user, system } = process.cpuUsage(before)
  return Math.min(MOST, Math.max(1, (user + system) / 1_000 / USUAL_MS))
}
