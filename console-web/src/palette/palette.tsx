// The command palette: a pasted id, hash, height or time leads to its page; every page and action has a name.
import './palette.css'
import { Content, Overlay, Portal, Root, Title } from '@radix-ui/react-dialog'
import { Command as List } from 'cmdk'
import { useEffect, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { type Found, findNamed } from '../search/found.ts'
import { Icon } from '../ui/icon.tsx'
import { Shown } from '../ui/shown_text.tsx'
import '../ui/over/style_nonce.ts'
import { useQuery } from '@tanstack/react-query'
import type { ItemName } from '../../../shared/search/question_of.ts'
import { type Named, readNames } from '../../../shared/search/read_names.ts'
import { messageOf } from '../data/api_failure.ts'
import { useConsoleIfSignedIn } from '../data/console_context.ts'
import { useSettled } from '../ui/use_settled.ts'
import { type Acts, type Command, commandsOf } from './command.ts'

type PaletteProps = {
  readonly acts: Acts
  /** The text that is looked for at first. */
  readonly begin: string
  readonly onClose: () => void
}

export const Palette = ({ acts, begin, onClose }: PaletteProps) => {
  const [, navigate] = useLocation()
  const [text, setText] = useState(begin)
  const [before] = useState(() => document.activeElement)
  const finding = useFound(text)
  const [chosen, setChosen] = useState('')
  const first = finding.kind === 'found' ? finding.found[0] : undefined
  const byName = finding.kind === 'found' && finding.byName
  useEffect(() => {
    // It comes later than the commands, and is what was asked for, unless a command has been found by the same text.
    if (first !== undefined) setChosen((now) => (byName && now !== '' ? now : nameOf(first)))
  }, [first, byName])
  const go = (to: string): void => {
    onClose()
    navigate(to)
  }
  const run = ({ run: wanted }: Command): void => {
    if ('to' in wanted) return void go(wanted.to)
    onClose()
    if ('href' in wanted) window.location.assign(wanted.href)
    else wanted.act()
  }
  return (
    <Root open onOpenChange={onClose}>
      <Portal>
        <Overlay className="scrim" />
        <Content
          className="over palette"
          data-modal=""
          data-testid="palette"
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            // After a command the focus is already on the page that it opened.
            if (document.activeElement === document.body && before instanceof HTMLElement)
              before.focus({ preventScroll: true })
          }}
        >
          <Title className="visually-hidden">Search and commands</Title>
          <List label="Search and commands" loop value={chosen} onValueChange={setChosen}>
            <div className="palette-field">
              <Icon name="search" />
              <List.Input
                value={text}
                onValueChange={setText}
                placeholder="A name, an id, a hash, a height, a time, or a command"
                data-testid="palette-input"
              />
              <kbd>Esc</kbd>
            </div>
            <List.List label="Results">
              {!byName && <FoundGroup heading="Found" finding={finding} onGo={go} />}
              <Commands commands={commandsOf(acts)} onRun={run} />
              {byName && <FoundGroup heading="Items" finding={finding} onGo={go} />}
              {finding.kind === 'none' && <List.Empty>{EMPTY}</List.Empty>}
            </List.List>
            <p className="palette-state" role="status">
              {finding.kind === 'looking' && 'Looking for it…'}
              {finding.kind === 'failed' && finding.why}
              {finding.kind === 'found' && finding.found.length === 0 && NOTHING}
            </p>
          </List>
        </Content>
      </Portal>
    </Root>
  )
}

/** The palette tells its rows apart by name. */
const nameOf = ({ to, detail }: Found): string => `found ${to} ${detail}`

const EMPTY =
  'No command and no item of that name. Ids, hashes of 64 digits, heights and times such as “yesterday 14:02” are looked up.'

const NOTHING = 'Nothing of that name, or nothing that you may read.'

type FoundGroupProps = {
  readonly heading: string
  readonly finding: Finding
  readonly onGo: (to: string) => void
}

const FoundGroup = ({ heading, finding, onGo }: FoundGroupProps) =>
  finding.kind !== 'found' || finding.found.length === 0 ? null : (
    <List.Group heading={heading} forceMount>
      {finding.found.map((one) => (
        <List.Item key={nameOf(one)} value={nameOf(one)} forceMount onSelect={() => onGo(one.to)}>
          <Icon name={one.kind === 'item' ? 'file' : 'link'} />
          <span className="palette-found">
            <span className="cut palette-title">
              <Shown text={one.title} />
            </span>
            <small className="cut">
              <Shown text={one.detail} />
            </small>
          </span>
        </List.Item>
      ))}
    </List.Group>
  )

type CommandsProps = { readonly commands: readonly Command[]; readonly onRun: (command: Command) => void }

const Commands = ({ commands, onRun }: CommandsProps) =>
  (['Actions', 'Pages', 'Documentation'] as const).map((group) => (
    <List.Group key={group} heading={group}>
      {commands
        .filter((command) => command.group === group)
        .map((command) => (
          <List.Item
            key={command.name}
            value={command.name}
            keywords={[...(command.words ?? [])]}
            onSelect={() => onRun(command)}
          >
            <Icon name={command.icon} />
            {command.name}
          </List.Item>
        ))}
    </List.Group>
  ))

type Finding =
  /** The text names nothing that could be looked for, or is no item's name. */
  | { readonly kind: 'none' }
  | { readonly kind: 'looking' }
  | { readonly kind: 'failed'; readonly why: string }
  | {
      readonly kind: 'found'
      readonly found: readonly Found[]
      /** The text may as well be a command. */
      readonly byName: boolean
    }

const AFTER_MS = 150
/** Looking through names costs the service more. */
const NAME_AFTER_MS = 400
/** Shorter texts are in too many names. */
const SHORTEST_NAME = 3
const FRESH_MS = 30_000

const useFound = (text: string): Finding => {
  const api = useConsoleIfSignedIn()?.api
  const byName = readNames(text, Date.now()).length === 0
  const settled = useSettled(text, byName ? NAME_AFTER_MS : AFTER_MS)
  const names = useMemo(() => namesIn(settled), [settled])
  const { data, error } = useQuery({
    queryKey: ['named', names],
    enabled: api !== undefined && names.length > 0,
    staleTime: FRESH_MS,
    retry: 1,
    queryFn: async ({ signal }) => {
      if (api === undefined) return []
      return (await Promise.all(names.map((named) => findNamed(api, named, signal)))).flat()
    },
  })
  if (api === undefined || (byName && text.trim().length < SHORTEST_NAME)) return { kind: 'none' }
  if (settled !== text || names.length === 0) return { kind: 'looking' }
  if (data !== undefined)
    return byName && data.length === 0 ? { kind: 'none' } : { kind: 'found', found: data, byName }
  return error === null ? { kind: 'looking' } : { kind: 'failed', why: messageOf(error) }
}

const namesIn = (text: string): readonly (Named | ItemName)[] => {
  const names = readNames(text, Date.now())
  const name = text.trim()
  return names.length > 0 || name.length < SHORTEST_NAME ? names : [{ kind: 'name', text: name }]
}
