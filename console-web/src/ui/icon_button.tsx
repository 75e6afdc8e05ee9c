// A button with a picture alone: its name for screen readers, and its tip for everybody else.
import type { ComponentProps } from 'react'
import { Icon, type IconName } from './icon.tsx'
import { Tip } from './tip.tsx'

type IconButtonProps = Omit<ComponentProps<'button'>, 'type' | 'title' | 'aria-label' | 'children'> & {
  readonly icon: IconName
  readonly label: string
  /** More than the name, such as the key that does the same. */
  readonly tip?: string
}

export const IconButton = ({ icon, label, tip = label, className = '', ...button }: IconButtonProps) => (
  <Tip text={tip}>
    <button {...button} type="button" className={`icon-button ${className}`} aria-label={label}>
      <Icon name={icon} />
    </button>
  </Tip>
)
