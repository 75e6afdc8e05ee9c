// Reads rows that are ordered by the id of their block, in pages, and returns them block by block.

interface InBlock {
  readonly block_id: string
}

/**
 * The next rows up to and including those of this block. Rows of earlier blocks that have not been read yet come
 * first.
 */
export type UpToBlock<Row> = (blockId: string) => AsyncGenerator<Row>

/** @param nextPage returns the rows after the given row, in order. An empty page ends the sequence. */
export function orderedRows<Row extends InBlock>(
  nextPage: (last: Row | undefined) => Promise<readonly Row[]>,
): UpToBlock<Row> {
  let page: readonly Row[] = []
  let at = 0
  let last: Row | undefined
  let ended = false
  return async function* upToBlock(blockId) {
    while (!ended) {
      const row = page[at]
      if (row !== undefined) {
        if (row.block_id > blockId) return
        at += 1
        yield row
      } else {
        page = await nextPage(last)
        at = 0
        last = page.at(-1)
        ended = page.length === 0
      }
    }
  }
}
