// Reads the text of an answer as it arrives, up to a ceiling, because not every answer states its length
// beforehand.

/** Null when the text is longer than the ceiling; the rest is not read. Throws the errors of the response. */
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
