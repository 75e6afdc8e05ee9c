// Works on a list with a few at a time, for work that waits for the disk more than it computes.

/**
 * Results stand in the order of the list. Once a piece of work fails no other begins.
 * @throws what the first failure threw, when all that had begun has ended
 */
export async function sideBySide<Item, Result>(
  most: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let failure: { readonly error: unknown } | undefined
  let next = 0
  const lane = async (): Promise<void> => {
    for (let at = next++; at < items.length && failure === undefined; at = next++) {
      const item = items[at]
      if (item === undefined) continue
      try {
        results[at] = await work(item)
      } catch (error) {
        failure ??= { error }
      }
    }
  }
  await Promise.all(Array.from({ length: most }, lane))
  if (failure !== undefined) throw failure.error
  return results
}
