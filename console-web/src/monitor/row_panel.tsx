// One row beside the list: what happened, the payload as it came, and how to ask for the resource elsewhere.
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import { CHAIN_REPLACED } from '../../../shared/wire/console_stream.ts'
import { leafPage, roundWords, useReadableLeaves } from '../blocks/leaf.ts'
import { useConsole } from '../data/console_context.ts'
import { curl } from '../data/curl.ts'
import { numberAt, textAt } from '../data/shape.ts'
import { IconButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy_button.tsx'
import { Check } from '../ui/form/choice.tsx'
import { JsonText } from '../ui/json_text.tsx'
import { saveFile } from '../ui/save_file.ts'
import { shownText } from '../ui/shown_text.tsx'
import { Time } from '../ui/time.tsx'
import { isBurst, MISSED, type MonitorRow, subjectOf } from './monitor_row.ts'
import { STREAMS } from './monitor_streams.ts'
import { pageOfTimes, payloadText, rowJson, rowWords } from './row_words.ts'

type RowPanelProps = {
  /** Null while the page does not have the row that the address names. */
  readonly row: MonitorRow | null
  readonly named: MonitorRow | null
  readonly onClose: () => void
}

const ORIGINS: Readonly<Record<MonitorRow['origin'], string>> = {
  sent: 'sent by the stream',
  read: 'read from the API',
  noticed: 'noticed by this page',
}

export const RowPanel = ({ row, named, onClose }: RowPanelProps) => {
  const panel = useRef<HTMLElement>(null)
  // Where the panel stands below the list, opening it shows both: the list from its top, and the panel below it.
  useEffect(() => {
    const list = panel.current?.previousElementSibling
    const isBelow = list?.getBoundingClientRect().left === panel.current?.getBoundingClientRect().left
    if (isBelow) list?.scrollIntoView({ block: 'start', behavior: 'instant' })
  }, [])
  // It stays while the panel is open, even when the list has dropped it.
  const [known, setKnown] = useState(row)
  if (row !== null && row !== known) setKnown(row)
  const subject = known ?? named
  const links = subject && rowLinks(subject)
  return (
    <aside className="row-panel" ref={panel} data-testid="row-panel" aria-labelledby="row-panel-title">
      <header className="row-panel-head spread">
        <h3 id="row-panel-title" className="cut">
          {subject === null ? 'No event' : rowWords(subject).name}
        </h3>
        <IconButton icon="close" label="Close" tip="Close (Esc)" onClick={onClose} />
      </header>
      {known !== null ? (
        <Found row={known} links={links} />
      ) : (
        <>
          <p>This page does not have the event that the address names.</p>
          {links?.page && <Link to={links.page}>Open the {links.noun}</Link>}
        </>
      )}
    </aside>
  )
}

type RowLinks = NonNullable<ReturnType<typeof rowLinks>>

const Found = ({ row, links }: { row: MonitorRow; links: RowLinks | null }) => {
  const time = new Date(row.at).toISOString()
  const times = isBurst(row) || row.kind === MISSED ? pageOfTimes(row) : null
  const payload = payloadText(row)
  return (
    <>
      <p className="row-panel-what" data-alarm={row.kind === CHAIN_REPLACED}>
        {rowWords(row).line}
      </p>
      <p className="note">
        <Time isExact at={time} />, {ORIGINS[row.origin]}
      </p>
      {isBurst(row) && <p className="note">So many came at once that the stream sends their sum.</p>}
      {row.stream === 'blocks' && !isBurst(row) && <BlockRounds block={row.data} />}
      <div className="acts">
        {times !== null && (
          <Link className="button" to={times} data-testid="row-times">
            Open the list of that time
          </Link>
        )}
        {links?.page && (
          <Link className="button" to={links.page} data-testid="row-page">
            Open {links.noun}
          </Link>
        )}
        <CopyButton
          text={`${window.location.origin}${links?.page ?? window.location.pathname + window.location.search}`}
          what="link"
          icon="link"
          caption="Copy link"
        />
        <IconButton
          icon="save"
          label="Save the event as JSON"
          data-testid="row-save"
          onClick={() => saveFile(new File([rowJson(row)], `${row.kind}.json`))}
        />
      </div>
      <Code title="Payload" what="payload" text={payload}>
        <JsonText text={shownText(payload)} />
      </Code>
      {links !== null && <Requests links={links} />}
    </>
  )
}

/** Null for a row that is about no single resource, or about one that is gone. */
const rowLinks = (row: MonitorRow) => {
  const id = subjectOf(row)
  if (row.stream === 'connection' || id === null || isBurst(row) || row.kind === 'item.deleted') return null
  const { noun, api, page, query, fields } = STREAMS[row.stream]
  const name = encodeURIComponent(id)
  const members = `id,${fields}`.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return {
    noun,
    /** Path of the page, or null for what has none. */
    page: page === null ? null : `${page}${name}`,
    /** Path of the request. */
    api: `/api/json/${api}/${name}`,
    graphql: `query {\n  ${query}(id: ${JSON.stringify(id)}) {\n    ${members.replaceAll(',', '\n    ')}\n  }\n}\n`,
  }
}

const Requests = ({ links }: { links: RowLinks }) => {
  const { by } = useConsole()
  const [withKey, setWithKey] = useState(false)
  const key = by.kind === 'key' && withKey ? by.key : null
  const command = curl(`${window.location.origin}${links.api}`, { key })
  return (
    <>
      <Code title="curl" what="curl command" text={command} />
      {by.kind === 'key' && (
        <Check isChecked={withKey} onCheck={setWithKey}>
          with my key in it
        </Check>
      )}
      <Code title="GraphQL" what="query" text={links.graphql} />
      <Link to={`/graphiql#query=${encodeURIComponent(links.graphql)}`}>Open in GraphiQL</Link>
    </>
  )
}

type CodeProps = {
  readonly title: string
  readonly what: string
  readonly text: string
  /** How it is shown. */
  readonly children?: ReactNode
}

/** The text can be scrolled, so it can have the focus. */
const Code = ({ title, what, text, children = <code>{text}</code> }: CodeProps) => (
  <section className="row-code" aria-label={title}>
    <header className="spread">
      <h4>{title}</h4>
      <CopyButton text={text} what={what} />
    </header>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
    <pre className="snippet" tabIndex={0}>
      {children}
    </pre>
  </section>
)

/** The rounds in a block: what was stamped without an account. They are of no team, so no stream tells of their items. */
const BlockRounds = ({ block }: { block: JsonObject }) => {
  const leaves = useReadableLeaves(textAt(block, 'id'), numberAt(block, 'item_count') ?? 0)
  return (leaves?.kind === 'found' ? leaves.value : []).map((leaf) =>
    leaf.round === null ? null : (
      <p key={leaf.id}>
        <Link to={leafPage(leaf)}>{roundWords(leaf.round)}</Link>
      </p>
    ),
  )
}
