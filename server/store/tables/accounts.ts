// The tables of accounts, of their budgets, and of the key that seals.
import {
  bool,
  budgetAsk,
  bytes,
  day,
  defaulted,
  float8,
  generated,
  instant,
  int8,
  named,
  nullable,
  oneOf,
  text,
} from '../columns.ts'

export const ACCOUNT_TABLES = {
  users: {
    id: text,
    email: text,
    first_name: defaulted(text),
    last_name: defaulted(text),
    plan: oneOf('free', 'developer', 'business', 'enterprise'),
    disabled_at: nullable(instant),
    default_team_id: nullable(text),
    inserted_at: defaulted(instant),
    updated_at: defaulted(instant),
  },
  passwords: {
    user_id: text,
    hash: text,
    changed_at: defaulted(instant),
  },
  password_resets: {
    user_id: text,
    token_hash: bytes,
    expires_at: instant,
  },
  teams: {
    id: text,
    name: text,
    personal_user_id: nullable(text),
    ownership_model: defaulted(oneOf('creator_retains', 'team_retains')),
    inserted_at: defaulted(instant),
    updated_at: defaulted(instant),
  },
  memberships: {
    id: text,
    team_id: text,
    user_id: nullable(text),
    role: oneOf('owner', 'admin', 'member', 'viewer'),
    state: generated(named(['invited', 'active'])),
    inserted_at: defaulted(instant),
    updated_at: defaulted(instant),
  },
  invitations: {
    membership_id: text,
    email: text,
    token_hash: bytes,
    invited_by: text,
    expires_at: instant,
  },
  api_keys: {
    id: text,
    user_id: text,
    name: text,
    prefix: text,
    secret_hash: bytes,
    last_used_at: nullable(instant),
    expires_at: nullable(instant),
    revoked_at: nullable(instant),
    inserted_at: defaulted(instant),
    updated_at: defaulted(instant),
  },
  feature_flags: {
    name: text,
    enabled: bool,
    updated_at: defaulted(instant),
  },
  idempotency_keys: {
    user_id: text,
    key: text,
    request_hash: bytes,
    outcome: text,
    inserted_at: defaulted(instant),
  },
} as const

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

export const MASTER_KEY_TABLES = {
  master_key: {
    single: defaulted(bool),
    fingerprint: text,
  },
} as const
