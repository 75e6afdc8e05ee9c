// The text of an answer, read as it comes and no further than a ceiling: not every answer says its length beforehand.

/** Null when there is more; the rest is not read. Throws what the response throws. */
export const boundedText = async (response: Response, mostBytes: number): Promise<string | null> => {
  const reader = response.body?.getReader()
  if (reader === undefined) return ''
  const decoder = new TextDecoder()
  let bytes = 0
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > mostBytes) {
      await reader.cancel()
      return null
    }
    text += decoder.decode(value, { stream: true })
  }
}
