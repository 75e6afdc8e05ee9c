// What the query editor uses of cm6-graphql. Its own declarations count as CommonJS, where every type of CodeMirror is
// another one than in a module.
declare module 'cm6-graphql' {
  import type { Extension } from '@codemirror/state'
  import type { Command, EditorView } from '@codemirror/view'
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
      readonly onShowInDocs: (field?: string, type?: string, parentType?: string) => void
      /** What stands beside the list of completions, for the one that is selected. */
      readonly onCompletionInfoRender: (word: CompletedWord) => Node | null
    },
  ) => Extension
  export const updateSchema: (view: EditorView, schema: GraphQLSchema | undefined) => void
  export const showInDocsCommand: Command
}
