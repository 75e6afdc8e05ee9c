// Drags files from the desktop over a page, as a person does: the browser itself reads the paths, and gives folders as
// folders.
import type { CDPSession, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

type Drag = 'dragEnter' | 'dragOver' | 'drop'
type Place = { readonly x: number; readonly y: number }

const MIDDLE: Place = { x: 300, y: 420 }

export async function dropFiles(page: Page, files: readonly string[], at: Place = MIDDLE): Promise<void> {
  const input = await page.context().newCDPSession(page)
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) await drag(input, type, files, at)
  await input.detach()
}

/** Holds them over the page until it shows this. A browser says again and again that they are there, also when they rest. */
export async function holdFiles(
  page: Page,
  files: readonly string[],
  shown: Locator,
  at: Place = MIDDLE,
): Promise<void> {
  const input = await page.context().newCDPSession(page)
  await drag(input, 'dragEnter', files, at)
  await expect
    .poll(async () => {
      await drag(input, 'dragOver', files, at)
      return shown.isVisible()
    })
    .toBe(true)
  await input.detach()
}

const drag = (input: CDPSession, type: Drag, files: readonly string[], { x, y }: Place) =>
  input.send('Input.dispatchDragEvent', {
    ...{ type, x, y },
    data: { items: [], files: [...files], dragOperationsMask: 1 },
  })
