// An operation that is being run as a tool: what its parts share.
import type { Context } from '../../catalog/context.ts'
import type { Problems } from '../../kernel/problems.ts'
import type { OwnArguments } from './read_arguments.ts'
import type { ToolCall } from './tool.ts'

export interface Performance {
  readonly call: ToolCall
  readonly context: Context
  readonly own: OwnArguments
  readonly problems: Problems
}
