// A word in a frame beside a name: in which state something is, or what it is to the person.
import type { ComponentProps } from 'react'

type PillProps = Omit<ComponentProps<'span'>, 'className'> & { readonly tone?: string | undefined }

export const Pill = ({ tone, ...span }: PillProps) => <span {...span} className="pill" data-tone={tone} />
