// The command palette: a pasted id, hash, height or time leads to its page; every page and action has a name.
import './palette.css'
import { Title } from '@radix-ui/react-dialog'
import { skipToken, useQuery } from '@tanstack/react-query'
import { Command as List } from 'cmdk'
import { useEffect, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import type { ItemName } from '../../../shared/search/question_of.ts'
import { type Named, readNames } from '../../../shared/search/read_names.ts'
import { messageOf } from '../data/api_failure.ts'
import { useConsoleIfSignedIn } from '../data/console_context.ts'
import { type Found, findNamed } from '../search/found.ts'
import { Icon } from '../ui/icon.tsx'
import { Over } from '../ui/over/dialog.tsx'
import { Shown } from '../ui/shown_text.tsx'
import { useSettled } from '../ui/use_settled.ts'
import { commandsOf } from './command.ts'

type PaletteProps = {
  /** The text that is looked for at first. */
  readonly begin: string
  readonly showKeys: () => void
  readonly onClose: () => void
}

export const Palette = ({ begin, showKeys, onClose }: PaletteProps) => {
  const [, navigate] = useLocation()
  const isSignedIn = useConsoleIfSignedIn() !== null
  const [text, setText] = useState(begin)
  const { found, byName, words } = useFound(text)
  const [chosen, setChosen] = useState('')
  const [first] = found
  useEffect(() => {
    // It comes later than the commands, and is what was asked for, unless a command has been found by the same text.
    if (first !== undefined) setChosen((now) => (byName && now !== '' ? now : nameOf(first)))
  }, [first, byName])
  const run = (act: () => void): void => {
    onClose()
    act()
  }
  const foundGroup = found.length > 0 && (
    <List.Group heading={byName ? 'Items' : 'Found'} forceMount>
      {found.map((one) => (
        <List.Item
          key={nameOf(one)}
          value={nameOf(one)}
          forceMount
          onSelect={() => run(() => navigate(one.to))}
        >
          <Icon name={one.kind === 'item' ? 'file' : 'link'} />
          <span className="palette-found">
            <span className="cut palette-title">
              <Shown text={one.title} />
            </span>
            <small>
              <Shown text={one.detail} />
            </small>
          </span>
        </List.Item>
      ))}
    </List.Group>
  )
  return (
    <Over className="over palette" testId="palette" aria-describedby={undefined} onClose={onClose}>
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
          {!byName && foundGroup}
          {Object.entries(commandsOf(navigate, showKeys)).map(([group, commands]) => (
            <List.Group key={group} heading={group}>
              {commands
                .filter(({ isInside }) => isSignedIn || !isInside)
                .map(({ name, words, icon, run: act }) => (
                  <List.Item key={name} value={name} keywords={[...(words ?? [])]} onSelect={() => run(act)}>
                    <Icon name={icon} />
                    {name}
                  </List.Item>
                ))}
            </List.Group>
          ))}
          {byName && foundGroup}
          {found.length === 0 && words === null && <List.Empty>{EMPTY}</List.Empty>}
        </List.List>
        <p className="palette-state" role="status">
          {words}
        </p>
      </List>
    </Over>
  )
}

/** The palette tells its rows apart by name. */
const nameOf = ({ to, detail }: Found): string => `found ${to} ${detail}`

const EMPTY =
  'No command and no item of that name. Ids, hashes of 64 digits, heights and times such as “yesterday 14:02” are looked up.'

const NOTHING = 'Nothing of that name, or nothing that you may read.'

type Finding = {
  readonly found: readonly Found[]
  /** The text may as well be a command. */
  readonly byName: boolean
  /** What is said of the search. Null when something is found, and for a text that is neither looked for nor an item's name. */
  readonly words: string | null
}

const LOOKING = 'Looking for it…'
const AFTER_MS = 150
/** Looking through names costs the service more. */
const NAME_AFTER_MS = 400
/** Shorter texts are in too many names. */
const SHORTEST_NAME = 3
const FRESH_MS = 30_000

const useFound = (text: string): Finding => {
  const api = useConsoleIfSignedIn()?.api
  const names = useMemo(() => namesIn(text), [text])
  const byName = names.every(({ kind }) => kind === 'name')
  const settled = useSettled(names, byName ? NAME_AFTER_MS : AFTER_MS)
  const { data, error } = useQuery({
    queryKey: ['named', settled],
    queryFn:
      api === undefined || settled.length === 0
        ? skipToken
        : async ({ signal }) =>
            (await Promise.all(settled.map((named) => findNamed(api, named, signal)))).flat(),
    staleTime: FRESH_MS,
    retry: 1,
  })
  const none: Finding = { found: [], byName, words: null }
  if (api === undefined || names.length === 0) return none
  if (settled !== names) return { ...none, words: LOOKING }
  if (data !== undefined) return { found: data, byName, words: data.length > 0 || byName ? null : NOTHING }
  return { ...none, words: error === null ? LOOKING : messageOf(error) }
}

const namesIn = (text: string): readonly (Named | ItemName)[] => {
  const names = readNames(text, Date.now())
  const name = text.trim()
  return names.length > 0 || name.length < SHORTEST_NAME ? names : [{ kind: 'name', text: name }]
}
