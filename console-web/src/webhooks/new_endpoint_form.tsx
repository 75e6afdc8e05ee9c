// The form of a new endpoint. What was typed survives that a person leaves the page.
import { useLayoutEffect } from 'react'
import { useDraft } from '../data/draft.ts'
import type { Endpoint } from './endpoint.ts'
import { NEW_DRAFT } from './endpoint_draft.ts'
import { EndpointForm } from './endpoint_form.tsx'
import { keptOf, readKept } from './kept_endpoint_draft.ts'

type NewEndpointFormProps = {
  /** Where it leads at first. Empty to go on with what was typed. */
  readonly url: string
  readonly onMade: (endpoint: Endpoint) => void
}

export const NewEndpointForm = ({ url, onMade }: NewEndpointFormProps) => {
  const { draft, setDraft, forget } = useDraft('endpoint', NEW_DRAFT, { read: readKept, kept: keptOf })
  // Before the form is seen, so that it is not seen without the address.
  useLayoutEffect(() => {
    if (url !== '') setDraft((held) => ({ ...held, url }))
  }, [url, setDraft])
  return (
    <EndpointForm
      endpoint={null}
      draft={draft}
      setDraft={setDraft}
      onSaved={(endpoint) => {
        forget()
        onMade(endpoint)
      }}
    />
  )
}
