// Says that this tab shows another account than before, when nobody has chosen that in this tab.
import { useEffect, useState } from 'react'
import { ME_PATH, type Me, readMe } from '../account/me.ts'
import { useConsole } from '../data/console_context.ts'
import { useDocument } from '../data/use_document.ts'
import { keepTabAccount, type TabAccount, tabAccount } from '../session/tab_account.ts'
import { Shown } from '../ui/shown_text.tsx'

export const OtherAccount = () => {
  const { leave } = useConsole()
  const [before, setBefore] = useState(tabAccount)
  const loaded = useDocument(ME_PATH, { read: readMe })
  const me = loaded.kind === 'found' ? loaded.value : null
  const isOther = me !== null && before !== null && before.id !== me.id
  useEffect(() => {
    if (me !== null && !isOther) keepTabAccount(accountOf(me))
  }, [me, isOther])
  if (me === null || before === null || !isOther) return null
  const stay = (): void => {
    keepTabAccount(accountOf(me))
    setBefore(null)
  }
  return (
    <div className="banner" data-tone="warn" role="alert" data-testid="other-account">
      <span>
        This tab is signed in as <Shown text={accountOf(me).name} /> now. Before, it was{' '}
        <Shown text={before.name} />: somebody has signed in with this browser since.
      </span>
      <span className="banner-acts">
        <button type="button" className="text-button" onClick={stay}>
          Stay
        </button>
        <button type="button" className="text-button" onClick={leave}>
          Sign out
        </button>
      </span>
    </div>
  )
}

/** The address, because names are freely chosen. */
const accountOf = ({ id, name, email }: Me): TabAccount => ({ id, name: email ?? name })
