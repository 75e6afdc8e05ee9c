// `npm run dev`: the server, restarted when its files change, and vite's dev server in front of it. Ctrl-C ends both.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createServer } from 'vite'

const root = join(import.meta.dirname, '..')
const server = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', 'server/start.js', 'server/main.ts'],
  {
    cwd: root,
    // Restarted with every change: nobody behind a balancer is waited for.
    env: { STOP_DELAY: '0s', ...process.env },
    stdio: 'inherit',
  },
)
const vite = await createServer({ configFile: join(import.meta.dirname, 'vite.config.ts') })

let ending = false
const end = async (code: number): Promise<void> => {
  if (ending) return
  ending = true
  // A Ctrl-C in the terminal reaches the server as well; a signal sent to this process alone does not.
  server.kill('SIGTERM')
  await Promise.allSettled([vite.close(), serverEnded])
  process.exit(code)
}

const serverEnded = new Promise<void>((resolve) => {
  server.once('exit', (code) => {
    resolve()
    void end(code ?? 0)
  })
})
process.on('SIGINT', () => void end(0))
process.on('SIGTERM', () => void end(0))

await vite.listen()
vite.printUrls()
