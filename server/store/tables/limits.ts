// Columns of spent budgets.
import { budgetAsk, day, float8, instant, int8, text } from '../columns.ts'

export const LIMIT_TABLES = {
  daily_submissions: {
    day: day,
    creator_id: text,
    items: int8,
    bytes: int8,
  },
  rate_budgets: {
    budget: text,
    subject: text,
    spent: float8,
    granted: float8,
    at: instant,
    ask: budgetAsk,
  },
  script_turns: {
    user_id: text,
    turn: text,
    ends_at: instant,
  },
} as const
