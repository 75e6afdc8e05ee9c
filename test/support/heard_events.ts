// Further events at the place where the network hands them to the page: everything above it is the page's own.
import type { Page } from 'playwright-core'

declare global {
  interface Window {
    /** A frame of the newest WebSocket, as if the server had sent it. */
    hearFrame: (frame: string) => void
    /** An event of the console stream. */
    hearEvent: (name: string, body: unknown) => void
  }
}

/** Call before the page is loaded. */
export async function hearFurtherEvents(page: Page): Promise<void> {
  await page.addInitScript(() => {
    // Only that one, so that the others are given up as the page gives them up.
    let newest: WebSocket | undefined
    class HeardSocket extends WebSocket {
      constructor(url: string | URL, protocols?: string | string[]) {
        super(url, protocols)
        newest = this
      }
    }
    window.WebSocket = HeardSocket
    window.hearFrame = (data) => newest?.dispatchEvent(new MessageEvent('message', { data }))
    window.hearEvent = (name, body) => window.hearFrame(`42/console,${JSON.stringify([name, body])}`)
  })
}
