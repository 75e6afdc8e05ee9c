// The state of the query page: two texts, the schema they are checked against, and the result of the last
// run.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useConsole } from '../data/console_context.ts'
import type { Credential } from '../data/credential.ts'
import { useSettled } from '../ui/use_settled.ts'
import { askSchema, type SchemaAnswer } from './ask_schema.ts'
import { variablesMistake } from './diagnostic.ts'
import { openSubscription } from './open_subscription.ts'
import { operationsOf, prettyJson, prettyQuery } from './operation.ts'
import { type Answer, sendQuery } from './send_query.ts'
import {
  fragmentOf,
  keepDraft,
  QUERY_CHARACTERS,
  readDraft,
  readSharedQuery,
  type SharedQuery,
  VARIABLES_CHARACTERS,
} from './shared_query.ts'

const EXAMPLE: SharedQuery = {
  query:
    '# The head of the chain. Ctrl-Enter runs it.\n{\n  latestBeacon {\n    id\n    hash\n    timestamp\n  }\n}\n',
  variables: '',
}

/** How many results of a subscription stay on the page. */
const MOST_RESULTS = 50

/** The text is stored when nothing was typed for this long. */
const REST_MS = 250

export const useWorkbench = () => {
  const { by, notAccepted } = useConsole()
  const { credential } = by
  const [text, setText] = useState<SharedQuery>(
    () => readSharedQuery(window.location.hash) ?? readDraft() ?? EXAMPLE,
  )
  const rested = useSettled(text, REST_MS)
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [running, setRunning] = useState<AbortController | null>(null)
  const [wantedOperation, setWantedOperation] = useState<string | null>(null)
  const { schemaAnswer, askAgain } = useSchema(credential, notAccepted)
  const schema = schemaAnswer.kind === 'known' ? schemaAnswer.schema : null

  const operations = useMemo(() => operationsOf(text.query), [text.query])
  const operation = operations.find(({ name }) => name === wantedOperation) ?? operations[0]
  const operationName = operations.length > 1 ? (operation?.name ?? null) : null
  const wrongVariables = variablesMistake(text.variables)

  useEffect(() => {
    keepDraft(rested)
    const fragment = fragmentOf(rested)
    const { pathname, search } = window.location
    window.history.replaceState(window.history.state, '', `${pathname}${search}${fragment ?? ''}`)
  }, [rested])
  useEffect(() => {
    const followed = (): void => {
      const shared = readSharedQuery(window.location.hash)
      if (shared !== null) setText(shared)
    }
    window.addEventListener('hashchange', followed)
    return () => window.removeEventListener('hashchange', followed)
  }, [])
  const present = useRef(running)
  useEffect(() => {
    present.current = running
  })
  useEffect(() => () => present.current?.abort(), [])

  const query = { ...text, operationName }
  const blocked = blockedBecause(text.query, wrongVariables)
  const run = async (): Promise<void> => {
    running?.abort()
    setRunning(null)
    if (blocked !== null) return setAnswer(noAnswer(blocked))
    const lifetime = new AbortController()
    setRunning(lifetime)
    if (operation?.kind === 'subscription') return follow(lifetime)
    try {
      const came = await sendQuery(query, credential, lifetime.signal)
      if (came.status === 401) return notAccepted()
      setAnswer(came)
    } catch {
      // The person stopped it, or a newer run replaced it.
    }
    setRunning((now) => (now === lifetime ? null : now))
  }
  const follow = ({ signal }: AbortController): void => {
    const kept: string[] = []
    let results = 0
    const show = (notice: string | null): void =>
      setAnswer({ ...noAnswer(notice), results, text: kept.join('\n\n') })
    show('Waiting for results. The newest will stand on top.')
    const came = (text: string): void => {
      results += 1
      kept.unshift(text)
      kept.length = Math.min(kept.length, MOST_RESULTS)
      show(null)
    }
    const ended = (why: string | null): void => {
      show(why ?? 'The service ended this subscription.')
      setRunning(null)
    }
    openSubscription(query, credential, { came, ended }, signal)
  }
  const stop = (): void => {
    running?.abort()
    setRunning(null)
  }
  const pretty = fitting(prettyQuery(text.query), QUERY_CHARACTERS)
  const prettify = (): void =>
    setText({
      query: pretty ?? text.query,
      variables: fitting(prettyJson(text.variables), VARIABLES_CHARACTERS) ?? text.variables,
    })

  return {
    ...{ text, setText, query, wrongVariables, operations, operationName, setWantedOperation },
    ...{ answer, running: running !== null, run, stop, prettify, canPrettify: pretty !== null },
    ...{ schema, schemaAnswer, askAgain, overHttp: operation?.kind !== 'subscription' },
  }
}

/** Null for a text that is longer than its editor accepts. */
const fitting = (text: string | null, mostCharacters: number): string | null =>
  text === null || text.length > mostCharacters ? null : text

const noAnswer = (notice: string | null): Answer => ({
  status: 0,
  ms: 0,
  bytes: 0,
  results: null,
  text: '',
  notice,
})

const blockedBecause = (query: string, wrongVariables: string | null): string | null => {
  if (query.trim() === '') return 'There is no query to run yet.'
  return wrongVariables === null ? null : `Not sent. ${wrongVariables}`
}

const useSchema = (credential: Credential, unauthorized: () => void) => {
  const [schemaAnswer, setSchemaAnswer] = useState<SchemaAnswer>({ kind: 'loading' })
  const [round, setRound] = useState(0)
  const refused = useRef(unauthorized)
  useEffect(() => {
    refused.current = unauthorized
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again
  useEffect(() => {
    const lifetime = new AbortController()
    setSchemaAnswer({ kind: 'loading' })
    askSchema(credential, lifetime.signal).then(
      (came) => {
        if (came.kind === 'failed' && came.status === 401) refused.current()
        else setSchemaAnswer(came)
      },
      () => undefined,
    )
    return () => lifetime.abort()
  }, [credential, round])
  return { schemaAnswer, askAgain: useCallback(() => setRound((before) => before + 1), []) }
}
