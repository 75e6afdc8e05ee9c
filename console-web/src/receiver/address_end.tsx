// Until when an address of the built-in receiver is kept, and the button that deletes it.
import './receiver.css'
import { useConsole } from '../data/console_context.ts'
import { useAsked } from '../data/use_asked.ts'
import { utcDay } from '../ui/format_time.ts'
import { addressPath, type ReceiverAddress } from './receiver.ts'

type AddressEndProps = { readonly address: ReceiverAddress; readonly onForgotten: () => void }

export const AddressEnd = ({ address: { token, expiresAt }, onForgotten }: AddressEndProps) => {
  const { api } = useConsole()
  const { state, ask } = useAsked()
  const forget = (): void =>
    ask(async (signal) => {
      await api.delete(addressPath(token), signal)
      onForgotten()
    })
  return (
    <>
      <p className="card-note">
        Kept until {utcDay(expiresAt)}. Once it is gone it answers 404.{' '}
        <button
          type="button"
          className="text-button"
          data-testid="forget-address"
          disabled={state.kind === 'asking'}
          onClick={forget}
        >
          Delete this address
        </button>
      </p>
      {state.kind === 'failed' && (
        <p className="problem" role="alert">
          {state.why}
        </p>
      )}
    </>
  )
}
