// Cuts a text into coloured pieces, GraphQL or JSON, also while it is half written: whatever fits nothing is left plain.
export type TokenKind =
  | 'keyword'
  | 'name'
  | 'variable'
  | 'directive'
  | 'property'
  | 'number'
  | 'string'
  | 'comment'
  | 'punctuation'

export type Token = {
  readonly kind: TokenKind
  readonly text: string
  readonly from: number
  readonly to: number
}

export type Language = 'graphql' | 'json'

export const tokensOf = (text: string, language: Language): Token[] =>
  language === 'graphql' ? scan(text, GRAPHQL) : scan(text, JSON_TEXT)

const GRAPHQL =
  /(?<comment>#[^\n]*)|(?<string>"""[\s\S]*?(?:"""|$)|"(?:[^"\\\n]|\\.)*"?)|(?<variable>\$[A-Za-z_]\w*)|(?<directive>@[A-Za-z_]\w*)|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<keyword>\b(?:query|mutation|subscription|fragment|on|true|false|null)\b)|(?<name>[A-Za-z_]\w*)|(?<punctuation>\.\.\.|[!$()&:=@[\]{|}])/g

const JSON_TEXT =
  /(?<property>"(?:[^"\\\n]|\\.)*"(?=\s*:))|(?<string>"(?:[^"\\\n]|\\.)*"?)|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<keyword>\b(?:true|false|null)\b)|(?<punctuation>[[\]{},:])/g

const KINDS: ReadonlySet<string> = new Set<TokenKind>([
  'keyword',
  'name',
  'variable',
  'directive',
  'property',
  'number',
  'string',
  'comment',
  'punctuation',
])

const isKind = (name: string): name is TokenKind => KINDS.has(name)

const scan = (text: string, pattern: RegExp): Token[] => {
  const found: Token[] = []
  for (const match of text.matchAll(pattern)) {
    const kind = Object.entries(match.groups ?? {}).find(([, piece]) => piece !== undefined)?.[0]
    if (kind !== undefined && isKind(kind))
      found.push({ kind, text: match[0], from: match.index, to: match.index + match[0].length })
  }
  return found
}
