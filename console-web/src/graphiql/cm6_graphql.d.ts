// The part of cm6-graphql that the query editor uses. Declared here, because its own declarations count as
// CommonJS, where TypeScript takes every type of CodeMirror for a different type.
declare module 'cm6-graphql' {
  import type { LanguageSupport } from '@codemirror/language'
  import type { Extension } from '@codemirror/state'
  import type { EditorView } from '@codemirror/view'
  import type { GraphQLSchema, GraphQLType } from 'graphql'

  export type CompletedWord = {
    readonly documentation?: string | null
    readonly deprecationReason?: string | null
    readonly detail?: string | null
    readonly type?: GraphQLType
  }
  export const graphql: (
    schema: GraphQLSchema | undefined,
    options: {
      /** Returns the text beside the list of completions, for the selected one. */
      readonly onCompletionInfoRender: (word: CompletedWord) => Node | null
    },
  ) => Extension
  export const graphqlLanguageSupport: () => LanguageSupport
  export const updateSchema: (view: EditorView, schema: GraphQLSchema | undefined) => void
}
