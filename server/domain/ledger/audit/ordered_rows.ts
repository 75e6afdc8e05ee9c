// Rows that stand in the order of their blocks' ids: read by pages, handed out block by block.

interface InBlock {
  readonly block_id: string
}

/** The next rows up to and including this block's. Rows of a smaller id that nobody asked for come first. */
export type UpToBlock<Row> = (blockId: string) => AsyncGenerator<Row>

/** @param nextPage the rows after the given one, in order; an empty page is the end */
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
