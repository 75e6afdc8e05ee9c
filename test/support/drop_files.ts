// Drags files from the desktop over a page, as a person does: the browser itself reads the paths, and gives folders as
// folders.
import type { Page } from 'playwright-core'

type Drag = 'dragEnter' | 'dragOver' | 'drop'
type Place = { readonly x: number; readonly y: number }

const MIDDLE: Place = { x: 300, y: 420 }

export const dropFiles = (page: Page, files: readonly string[], at: Place = MIDDLE): Promise<void> =>
  drag(page, ['dragEnter', 'dragOver', 'drop'], files, at)

/** Holds them over the page. */
export const holdFiles = (page: Page, files: readonly string[], at: Place = MIDDLE): Promise<void> =>
  drag(page, ['dragEnter', 'dragOver'], files, at)

async function drag(
  page: Page,
  types: readonly Drag[],
  files: readonly string[],
  { x, y }: Place,
): Promise<void> {
  const input = await page.context().newCDPSession(page)
  for (const type of types)
    await input.send('Input.dispatchDragEvent', {
      ...{ type, x, y },
      data: { items: [], files: [...files], dragOperationsMask: 1 },
    })
  await input.detach()
}
