// A part of a page, with its name above it, by which screen readers know it too: plain, or as a card.
import { type ComponentProps, type ReactNode, useId } from 'react'

type SectionProps = Omit<ComponentProps<'section'>, 'title' | 'aria-labelledby'> & {
  readonly title: ReactNode
  /** Beside the name. */
  readonly note?: ReactNode
}

export const Section = ({ title, note, children, ...section }: SectionProps) => {
  const id = useId()
  return (
    <section {...section} aria-labelledby={id}>
      <h2 id={id} className="section-title">
        {title} {note !== undefined && <small>{note}</small>}
      </h2>
      {children}
    </section>
  )
}

export const Card = ({ className = '', ...section }: Omit<SectionProps, 'note'>) => (
  <Section {...section} className={`card ${className}`} />
)
