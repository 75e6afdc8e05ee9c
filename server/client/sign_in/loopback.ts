// Listens on this computer for the browser that comes back from a sign-in (RFC 8252 section 7.3).
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { Complaint, wordsOf } from '../../../shared/cli/terminal.ts'

const PATH = '/callback'

export async function openLoopback() {
  // Loaded when it is used: it would take a third of the start of every command.
  const { createServer } = await import('node:http')
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bound = server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0
  const origin = `http://127.0.0.1:${port}`
  return {
    /** Where the browser is to come. */
    address: `${origin}${PATH}`,
    /**
     * Waits for the browser that brings this state, does the work with what it brings, and shows the person how that ended.
     * Whoever else comes is sent away. False when nobody came in time.
     */
    visit: (state: string, milliseconds: number, work: (brought: URLSearchParams) => Promise<void>) =>
      new Promise<boolean>((resolve, reject) => {
        const tooLate = setTimeout(() => resolve(false), milliseconds)
        let isHere = false
        server.on('request', ({ method, url = '/' }, response) => {
          const { pathname, searchParams } = new URL(URL.canParse(url, origin) ? url : '/', origin)
          if (method !== 'GET' || pathname !== PATH || searchParams.get('state') !== state || isHere)
            return show(
              response,
              404,
              'Nothing is here',
              'This is not the end of a sign-in that is under way.',
            )
          isHere = true
          clearTimeout(tooLate)
          work(searchParams).then(
            () =>
              show(response, 200, 'You are signed in', 'You can close this page and go back.', () =>
                resolve(true),
              ),
            (error: unknown) => {
              const words = error instanceof Complaint ? wordsOf(error) : 'The command says why.'
              show(response, 200, 'You are not signed in', words, () => reject(error))
            },
          )
        })
      }),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function show(
  response: ServerResponse,
  status: number,
  title: string,
  text: string,
  then?: () => void,
): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    connection: 'close',
  })
  response.end(
    `<!doctype html><html lang="en"><meta name="color-scheme" content="light dark"><title>${title}</title>` +
      '<style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:20vh auto;padding:0 1rem}</style>' +
      `<h1>${title}</h1><p>${escaped(text)}</p></html>\n`,
    then,
  )
}

const escaped = (text: string): string => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
