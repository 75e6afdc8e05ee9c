// A button that copies one text and confirms it for a moment, on screen and to a screen reader; and a line that has one.
import { useEffect, useState } from 'react'
import { copyText } from './copy_text.ts'
import { Icon, type IconName } from './icon.tsx'
import { shownText } from './shown_text.tsx'

type CopyButtonProps = {
  readonly text: string
  /** Names the copied text in the label: "Copy hash". */
  readonly what: string
  readonly caption?: string
  readonly icon?: IconName
  readonly tabIndex?: number
}

export const CopyButton = ({ text, what, caption, icon = 'copy', tabIndex }: CopyButtonProps) => {
  const [outcome, setOutcome] = useState<'idle' | 'copied' | 'failed'>('idle')
  useEffect(() => {
    if (outcome === 'idle') return
    const timer = setTimeout(() => setOutcome('idle'), 1_600)
    return () => clearTimeout(timer)
  }, [outcome])
  const label = outcome === 'copied' ? 'Copied' : outcome === 'failed' ? 'Could not copy' : `Copy ${what}`
  return (
    <button
      type="button"
      className={caption === undefined ? 'icon-button copy' : 'button copy'}
      data-outcome={outcome}
      data-tip={label}
      aria-label={outcome === 'idle' && caption !== undefined ? `${caption}: ${what}` : label}
      tabIndex={tabIndex}
      onClick={async (event) => {
        event.stopPropagation()
        setOutcome((await copyText(text)) ? 'copied' : 'failed')
      }}
    >
      <Icon name={outcome === 'copied' ? 'done' : outcome === 'failed' ? 'close' : icon} />
      {caption !== undefined && <span>{outcome === 'idle' ? caption : label}</span>}
    </button>
  )
}

type CommandProps = {
  readonly text: string
  /** Such as "link". */
  readonly what?: string
  readonly testId?: string
}

/** A line to copy, such as a command for a shell. */
export const Command = ({ text, what = 'command', testId }: CommandProps) => (
  <div className="command">
    <code data-testid={testId}>{shownText(text)}</code>
    <CopyButton text={text} what={what} />
  </div>
)
