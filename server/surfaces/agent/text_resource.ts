// A resource whose text is fixed while this version runs.
import type { ReadResourceResult, Resource } from '@modelcontextprotocol/server'

export interface TextResource {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
  readonly text: string
}

export const listedText = ({ text, ...about }: TextResource): Resource => ({
  ...about,
  size: Buffer.byteLength(text),
})

export function readText(texts: readonly TextResource[], uri: string): ReadResourceResult | undefined {
  const found = texts.find((one) => one.uri === uri)
  return found && { contents: [{ uri, mimeType: found.mimeType, text: found.text }] }
}
