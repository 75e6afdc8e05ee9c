// The button that makes an address of the built-in receiver.
import './receiver.css'
import { useConsole } from '../data/console_context.ts'
import { useAsked } from '../data/use_asked.ts'
import { RECEIVER_API, type ReceiverAddress, readMade } from './receiver.ts'

type MakeAddressProps = {
  readonly caption: string
  readonly isPrimary: boolean
  readonly onMade: (address: ReceiverAddress) => void
}

export const MakeAddress = ({ caption, isPrimary, onMade }: MakeAddressProps) => {
  const { api } = useConsole()
  const { state, ask } = useAsked()
  const make = (): void =>
    ask(async (signal) => onMade(readMade(await api.post(RECEIVER_API, {}, { signal }))))
  return (
    <>
      <button
        type="button"
        className={isPrimary ? 'button primary' : 'button'}
        data-testid="make-address"
        disabled={state.kind === 'asking'}
        onClick={make}
      >
        {state.kind === 'asking' ? 'Making it…' : caption}
      </button>
      {state.kind === 'failed' && (
        <p className="problem" role="alert">
          {state.why}
        </p>
      )}
    </>
  )
}
