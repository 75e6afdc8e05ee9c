// A process of its own for the embedded tests: opens a data folder and starts PostgreSQL on command, so that it can be
// killed, raced, or run as another account. One command per line on stdin, one JSON answer per line on stdout.
import { createInterface } from 'node:readline'
import { type DataFolder, openDataFolder } from '../../server/store/embedded/data_folder.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../server/store/embedded/postgres_process.ts'

const answer = (said: string, detail = ''): void => {
  process.stdout.write(`${JSON.stringify({ said, detail })}\n`)
}

let folder: DataFolder | undefined
let postgres: EmbeddedPostgres | undefined

const obey = async (command: string): Promise<void> => {
  const path = process.argv[2]
  if (path === undefined) throw new Error('which folder?')
  if (command === 'open') {
    folder = await openDataFolder(path)
    return answer('opened')
  }
  if (command === 'start') {
    folder = await openDataFolder(path)
    await folder.announce('http://localhost:4000')
    postgres = await startEmbeddedPostgres({ folder, log: (line) => answer('log', line) })
    return answer('started', postgres.url)
  }
  await postgres?.stop()
  await folder?.release()
  answer('stopped')
}

answer('here')
for await (const command of createInterface({ input: process.stdin })) {
  await obey(command).catch((fault: unknown) =>
    answer('refused', fault instanceof Error ? fault.message : String(fault)),
  )
}
// The test is gone or done with us.
await obey('stop')
