// A model that knows nothing of the service. It reads the list of tools and what it is answered, and nothing else: it
// picks a tool by the words of a task, and takes arguments and waits from schemas, descriptions and earlier answers.
import type { Client } from '@modelcontextprotocol/client'
import { isSchema } from '../../../server/contract/kind.ts'

/** What the person gave it. */
export interface Material {
  /** In hex. */
  readonly digest: string
  /** As people write it, e.g. `SHA-256`. */
  readonly algorithm: string
}

export interface Reader {
  /** Does one task, in words such as `make a proof`, and returns what the tool answered in the end. */
  readonly does: (task: string) => Promise<Record<string, unknown>>
  /** The names of the tools that were called so far. */
  readonly calls: readonly string[]
}

interface Told {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly inputSchema: Readonly<Record<string, unknown>>
}

/** @param pass lets milliseconds pass, by the clock of the test */
export async function openReader(
  client: Client,
  material: Material,
  pass: (ms: number) => Promise<void>,
): Promise<Reader> {
  const { tools } = await client.listTools()
  const answers = new Map<string, Record<string, unknown>>()
  const calls: string[] = []
  const does = async (task: string): Promise<Record<string, unknown>> => {
    const tool = bestOf(tools, task)
    for (;;) {
      calls.push(tool.name)
      const args = objectFor(tool.inputSchema, { material, answers, told: tool.description ?? '' })
      const { isError, structuredContent, content } = await client.callTool({
        name: tool.name,
        arguments: args,
      })
      if (isError !== true) {
        const answer = Object.fromEntries(Object.entries(Object(structuredContent)))
        answers.set(tool.name, answer)
        return answer
      }
      const text = content.map((part) => (part.type === 'text' ? part.text : '')).join()
      const wait = waitIn(text)
      if (wait === undefined || calls.length > 20) throw new Error(`${tool.name}: ${text}`)
      await pass(wait)
    }
  }
  return { does, calls }
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[a-z0-9]{4,}/g) ?? []

/** The tool that has the most words of the task: two points in name and title, one in what it says first. */
function bestOf(tools: readonly Told[], task: string): Told {
  const score = ({ name, title = '', description = '' }: Told): number => {
    const named = wordsOf(`${name.replaceAll('_', ' ')} ${title}`)
    const said = wordsOf(description.split(/[.:;]/)[0] ?? '')
    const has = (words: readonly string[], word: string) => words.some((one) => one.startsWith(word))
    return wordsOf(task).reduce((sum, word) => sum + (has(named, word) ? 2 : has(said, word) ? 1 : 0), 0)
  }
  const [best, second] = tools.toSorted((a, b) => score(b) - score(a))
  if (best === undefined || second === undefined || score(best) === score(second))
    throw new Error(`No tool is the one to ${task}: ${best?.name}, ${second?.name}.`)
  return best
}

interface Known {
  readonly material: Material
  readonly answers: ReadonlyMap<string, Record<string, unknown>>
  /** What the tool, or the argument around, says of itself. */
  readonly told: string
}

/** Members that are required, that the digest is for, and that one of these says it needs. */
function objectFor(schema: Readonly<Record<string, unknown>>, known: Known): Record<string, unknown> {
  const members = Object.entries(isSchema(schema.properties) ? schema.properties : {}).flatMap(
    ([name, member]) => (isSchema(member) ? [[name, member] as const] : []),
  )
  const required = Array.isArray(schema.required) ? schema.required : []
  const wanted = new Set(
    members.filter(([name, member]) => required.includes(name) || isForDigest(member)).map(([name]) => name),
  )
  for (const [name, member] of members)
    if (wanted.has(name))
      for (const [, other = ''] of textOf(member).matchAll(/needs `(\w+)`/g)) wanted.add(other)
  return Object.fromEntries(
    members
      .filter(([name]) => wanted.has(name))
      .map(([name, member]) => [name, valueFor(name, member, known)]),
  )
}

const textOf = ({ description }: Readonly<Record<string, unknown>>): string =>
  typeof description === 'string' ? description : ''

const isForDigest = (member: Readonly<Record<string, unknown>>): boolean =>
  member.type === 'string' && /\bdigest\b/i.test(textOf(member))

function valueFor(name: string, member: Readonly<Record<string, unknown>>, known: Known): unknown {
  const { material, answers, told } = known
  if (isSchema(member.properties)) return objectFor(member, { ...known, told: textOf(member) })
  // "Give as `proof` what generate_proof answered."
  const sentence = told.split('. ').find((one) => one.includes(`\`${name}\``)) ?? ''
  const named = [...answers].findLast(([tool]) => new RegExp(`\\b${tool}\\b`).test(sentence))
  const same = [...answers.values()].findLast((answer) => name in answer)
  if (named !== undefined) return name in named[1] ? named[1][name] : named[1]
  if (same !== undefined) return same[name]
  if (Array.isArray(member.enum)) {
    const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')
    return member.enum.find((one) => plain(String(one)) === plain(material.algorithm)) ?? member.enum[0]
  }
  return isForDigest(member) ? material.digest : 'a test'
}

/** A number beside words such as `retry after`, in milliseconds unless it says seconds. */
function waitIn(text: string): number | undefined {
  const [, unit = '', number = ''] = /retry[_ -]?after[_ -]?(\w*)"?\s*:\s*(\d+)/i.exec(text) ?? []
  if (number === '') return undefined
  return Number(number) * (unit.startsWith('s') ? 1_000 : 1)
}
