// News of a subscription as an async iterator: each is taken when it is asked for.

/**
 * Not a generator function, because `return` on a generator that awaits news would not take effect until news arrive.
 * @param take returns the next news, or undefined when none are there
 * @param more called after that: brings more, or returns undefined when there are none before `wake`
 * @param stop called at the end
 */
export function newsSource<News>(
  take: () => News | undefined,
  more: () => Promise<unknown> | undefined,
  stop: () => void,
) {
  let over = false
  let wake: (() => void) | undefined
  const woken = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve
    })
  const end = (): void => {
    over = true
    stop()
    wake?.()
  }
  const news: AsyncIterableIterator<News, undefined> = {
    next: async () => {
      // News that are there already would follow each other without a pause for anybody else.
      await new Promise((resolve) => setImmediate(resolve))
      while (!over) {
        const value = take()
        if (value !== undefined) return { done: false, value }
        await (more() ?? woken())
      }
      return { done: true, value: undefined }
    },
    return: async () => {
      end()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => news,
  }
  return { news, wake: () => wake?.(), end, isOver: () => over }
}
