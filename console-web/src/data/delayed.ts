// An act that is done after a while, once for all that asked for it meanwhile.

export const delayed = (act: () => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const cancel = (): void => {
    clearTimeout(timer)
    timer = undefined
  }
  return {
    /** One that is awaited already is not moved. */
    in: (ms: number): void => {
      timer ??= setTimeout(() => {
        timer = undefined
        act()
      }, ms)
    },
    cancel,
  }
}
