// Opens a page in the person's browser, where there is one.
import { spawn } from 'node:child_process'
import process from 'node:process'

/** Returns false where no browser is known. Whether it shows the page nobody tells. */
export function openPage(env: NodeJS.ProcessEnv, { href }: URL): boolean {
  const order = browserOf(env)
  if (order === undefined) return false
  const [program, ...words] = order
  const child = spawn(program, [...words, href], { env, stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
  return true
}

function browserOf(env: NodeJS.ProcessEnv): readonly [string, ...string[]] | undefined {
  if (env.BROWSER) return [env.BROWSER]
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined
}
