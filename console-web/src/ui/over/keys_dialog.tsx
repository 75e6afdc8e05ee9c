// The help dialog of a page: its keyboard keys, those of every page, and other help. A click outside also closes it.
import { Close, Title } from '@radix-ui/react-dialog'
import { Icon } from '../icon.tsx'
import { Over } from './dialog.tsx'
import type { KeyHelp, PageHelp } from './use_keys.ts'

const everywhere: readonly KeyHelp[] = [
  [['/'], 'search, and every command'],
  [['Ctrl', 'K'], 'the same, also while typing'],
  [['?'], 'this help'],
  [['Esc'], 'close what is open'],
]

export const KeysDialog = ({ keys, more, onClose }: PageHelp & { readonly onClose: () => void }) => (
  <Over className="over dialog" testId="help" aria-describedby={undefined} onClose={onClose}>
    <header className="spread">
      <Title>Keys</Title>
      <Close className="icon-button" aria-label="Close">
        <Icon name="close" />
      </Close>
    </header>
    {keys.length > 0 && (
      <>
        <h3>On this page</h3>
        <KeyList keys={keys} />
      </>
    )}
    <h3>On every page</h3>
    <KeyList keys={everywhere} />
    {more}
  </Over>
)

const KeyList = ({ keys }: { keys: readonly KeyHelp[] }) => (
  <dl>
    {keys.map(([names, meaning]) => (
      <div key={meaning}>
        <dt>
          {names.map((name) => (
            <kbd key={name}>{name}</kbd>
          ))}
        </dt>
        <dd>{meaning}</dd>
      </div>
    ))}
  </dl>
)
