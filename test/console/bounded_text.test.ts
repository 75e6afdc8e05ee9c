// An answer is read up to its ceiling, whatever it says about its length.
import { describe, expect, it } from 'vitest'
import { boundedText } from '../../console-web/src/data/bounded_text.ts'

const PIECE = new TextEncoder().encode('é'.repeat(512))

describe('the text of an answer', () => {
  it('is read whole, also when a character is cut in two', async () => {
    const pieces = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(PIECE.slice(0, 333))
        controller.enqueue(PIECE.slice(333))
        controller.close()
      },
    })
    expect(await boundedText(new Response(pieces), PIECE.length)).toBe('é'.repeat(512))
    expect(await boundedText(new Response(null), 0)).toBe('')
  })
  it('is given up at its ceiling, and the rest is not asked for', async () => {
    let given = 0
    const endless = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          given += 1
          controller.enqueue(PIECE)
        },
      },
      { highWaterMark: 0 },
    )
    expect(await boundedText(new Response(endless), 10 * PIECE.length)).toBeNull()
    expect(given).toBe(11)
  })
})
