// Programs in Go, built by the Go of this machine: of nothing but its standard library, and with nothing from the network.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** On a machine that never built Go's own HTTP, that takes minutes. */
export const GO_BUILD_MS = 900_000

/** Two packages at a time, because other tests run meanwhile. */
const env = { ...process.env, GOFLAGS: '-mod=mod -p=2', GOPROXY: 'off', GOTOOLCHAIN: 'local' }

/** @throws with what `go vet` or the compiler says */
export async function buildGo(source: string, program: string): Promise<void> {
  await run('go', ['vet', source], { env })
  await run('go', ['build', '-o', program, source], { env })
}
