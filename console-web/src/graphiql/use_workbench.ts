// The state of the query page: two texts, and the result of the last run.
import { Kind, parse } from 'graphql'
import { useEffect, useMemo, useState } from 'react'
import { useConsole } from '../data/console_context.ts'
import { keepDraft, readDraft } from '../data/kept/draft.ts'
import { session } from '../session/session.ts'
import { useSettled } from '../ui/use_settled.ts'
import { useWindowEvent } from '../ui/use_window_event.ts'
import { openSubscription, reasonOf } from './open_subscription.ts'
import { type Answer, noAnswer, sendQuery } from './send_query.ts'
import { fragmentOf, readSharedQuery, readText, type SharedQuery, variablesMistake } from './shared_query.ts'

const EXAMPLE: SharedQuery = {
  query:
    '# The head of the chain. Ctrl-Enter runs it.\n{\n  latestBeacon {\n    id\n    hash\n    timestamp\n  }\n}\n',
  variables: '',
}

/** The text in progress, as the tab keeps it. */
const DRAFT = 'graphiql'

/** How many results of a subscription stay on the page. */
const MOST_RESULTS = 50

/** The text is stored when nothing was typed for this long. */
const REST_MS = 250

export const useWorkbench = () => {
  const { by } = useConsole()
  const { credential } = by
  const [text, setText] = useState<SharedQuery>(
    () => readSharedQuery(window.location.hash) ?? readDraft(DRAFT, readText) ?? EXAMPLE,
  )
  const rested = useSettled(text, REST_MS)
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [running, setRunning] = useState<AbortController | null>(null)
  const [wantedOperation, setWantedOperation] = useState<string | null>(null)

  const operations = useMemo(() => operationsOf(text.query), [text.query])
  const operation = operations.find(({ name }) => name === wantedOperation) ?? operations[0]
  const operationName = operations.length > 1 ? (operation?.name ?? null) : null
  const wrongVariables = variablesMistake(text.variables)

  useEffect(() => {
    keepDraft(DRAFT, rested)
    const { pathname, search } = window.location
    window.history.replaceState(window.history.state, '', pathname + search + (fragmentOf(rested) ?? ''))
  }, [rested])
  useWindowEvent('hashchange', () => {
    const shared = readSharedQuery(window.location.hash)
    if (shared !== null) setText(shared)
  })
  // Ended, stopped, replaced by another run, or left with the page.
  useEffect(() => () => running?.abort(), [running])

  const query = { ...text, operationName }
  const blocked =
    text.query.trim() === ''
      ? 'There is no query to run yet.'
      : wrongVariables && `Not sent. ${wrongVariables}`
  const run = async (): Promise<void> => {
    setRunning(null)
    if (blocked !== null) return setAnswer(noAnswer(blocked))
    const lifetime = new AbortController()
    setRunning(lifetime)
    try {
      if (operation?.kind === 'subscription') await follow(lifetime.signal)
      else {
        const came = await sendQuery(query, credential, lifetime.signal)
        if (came === null) return session.refused(by, 401)
        setAnswer(came)
      }
    } catch {
      // The person stopped it, or a newer run replaced it.
    }
    setRunning((now) => (now === lifetime ? null : now))
  }
  const follow = async (signal: AbortSignal): Promise<void> => {
    const kept: string[] = []
    let results = 0
    const show = (notice: string | null): void => {
      if (!signal.aborted)
        setAnswer({ facts: `${results} so far`, text: kept.join('\n\n'), notice, isLive: true })
    }
    show('Waiting for results. The newest will stand on top.')
    try {
      for await (const result of openSubscription(query, credential, signal)) {
        results += 1
        kept.unshift(JSON.stringify(result, null, 2))
        kept.length = Math.min(kept.length, MOST_RESULTS)
        show(null)
      }
      show('The service ended this subscription.')
    } catch (error) {
      show(reasonOf(error))
    }
  }
  const stop = (): void => setRunning(null)

  return {
    ...{ text, setText, wrongVariables, operations, operationName, setWantedOperation },
    ...{ answer, running: running !== null, run, stop },
  }
}

/** Empty when the text does not parse. */
const operationsOf = (text: string) => {
  try {
    return parse(text)
      .definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
      .map(({ name, operation }) => ({ name: name?.value ?? null, kind: operation }))
  } catch {
    return []
  }
}
