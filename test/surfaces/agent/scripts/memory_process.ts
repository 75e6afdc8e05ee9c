// A process that runs programs with much memory, one after the other, and tells how many MiB it has kept of it.
import { resultOf } from './program.ts'

const mebibytes = (): number => process.memoryUsage.rss() / 1_048_576

await resultOf('return 0')
const before = mebibytes()
for (let count = 0; count < 8; count += 1) {
  const length = await resultOf('return new Uint8Array(5e7).fill(1).length')
  if (length !== 50_000_000) throw new Error(`It has ${String(length)} bytes.`)
}
process.send?.(Math.max(0, mebibytes() - before))
process.disconnect()
